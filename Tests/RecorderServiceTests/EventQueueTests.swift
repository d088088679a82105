import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// What an event client receives, however slow it is, and how it knows that it is still connected.
@Suite(.timeLimit(.minutes(5))) struct EventQueueTests {
  private func status(_ channel: String, _ title: String) -> EventMessage {
    EventMessage(
      channel: channel, event: "channel",
      status: ChannelStatus(
        name: channel, title: title, connection: .connected, alarms: [], notes: []))
  }

  private func event(_ channel: String, _ name: String) -> EventMessage {
    EventMessage(channel: channel, event: name)
  }

  @Test func only_the_newest_queued_state_of_each_channel_is_kept() {
    var queue = EventQueue()
    for message in [
      status("a", "1"), status("b", "2"), event("a", "takeFinished"), status("a", "3"),
      event("a", "marker"), status("a", "4"), event("a", "removed"),
    ] {
      let isLeft = queue.add(message)
      #expect(isLeft)
    }
    var reported: [String] = []
    while let next = queue.next() {
      reported.append("\(next.channel) \(next.status?.title ?? next.event)")
    }
    #expect(reported == ["b 2", "a takeFinished", "a marker", "a 4", "a removed"])
  }

  @Test func unread_events_overflow_the_queue_but_states_do_not() {
    var queue = EventQueue()
    for number in 0..<5000 {
      let isLeft = queue.add(status("a", "\(number)"))
      #expect(isLeft)
    }
    var count = 0
    while queue.add(event("a", "marker")), count < 5000 { count += 1 }
    #expect((500..<5000).contains(count))
  }

  @Test func no_updates_follow_the_removal_of_a_channel() async throws {
    // Its last states arrive while it is being removed.
    for _ in 0..<200 {
      let reported = Mutex<[String]>([])
      let (changes, change) = AsyncStream<Gateway.ChannelChange>.makeStream()
      let channel = RecorderChannel(name: "a", title: "first", socketPath: "/", origin: .attached)
      change.yield(.added(channel))
      let following = Task {
        await EventStream.follow(changes) { message in
          reported.withLock { $0.append(message.status?.title ?? message.event) }
        }
      }
      try await eventually("it is announced") { reported.withLock { $0 } == ["first"] }
      channel.rename("last")
      change.yield(.removed(channel))
      change.finish()
      await following.value
      channel.rename("later")
      try #require(reported.withLock { $0 } == ["first", "last", "removed"])
    }
  }

  /// A channel that stays until the end of its take may be configured again by then.
  @Test func removing_a_channel_keeps_its_successor_of_the_same_name() async throws {
    let reported = Mutex<[String]>([])
    let (changes, change) = AsyncStream<Gateway.ChannelChange>.makeStream()
    let channels = ["first", "second"].map {
      RecorderChannel(name: "a", title: $0, socketPath: "/", origin: .attached)
    }
    let following = Task {
      await EventStream.follow(changes) { message in
        reported.withLock { $0.append(message.status?.title ?? message.event) }
      }
    }
    for channel in channels {
      change.yield(.added(channel))
      try await eventually("it is announced") {
        reported.withLock { $0.last } == channel.status.title
      }
    }
    change.yield(.removed(channels[0]))
    change.yield(.removed(channels[1]))
    change.finish()
    await following.value
    #expect(reported.withLock { $0 } == ["first", "second", "removed"])
  }

  @Test func an_idle_stream_sends_keepalive_messages() throws {
    let folder = try TemporaryFolder()
    let server = try ControlServer(path: folder.path("a.socket"), recorder: StubRecorder())
    defer { server.stop() }
    let gateway = try ServeProcess(
      channels: [], in: folder,
      configuration: """
        [[channel]]
        name = "a"
        socket = "\(folder.path("a.socket"))"
        """)
    defer { gateway.end() }
    let client = gateway.client(ServeProcess.view)
    let streams = try ["events", "channels/a/monitor"].map { try client.webSocket("/api/v1/" + $0) }
    for stream in streams {
      var text = ""
      while !text.contains(#""event":"alive""#) {
        guard case .text(let next) = try stream.next() else {
          Issue.record("the stream was closed")
          return
        }
        text = next
      }
    }
  }
}
