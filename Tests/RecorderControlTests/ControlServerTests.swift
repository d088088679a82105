import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl

@Suite(.timeLimit(.minutes(5))) struct ControlServerTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("r.socket") }

  init() throws { folder = try TemporaryFolder() }

  /// A connection that sends and reads raw data, as our own client never would.
  fileprivate final class RawClient {
    let descriptor: Int32

    init(_ path: String) throws { descriptor = try UnixSocket.connect(path) }
    deinit { close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The text received once a condition holds or the connection is closed.
    func read(until isEnough: (String) -> Bool) -> String {
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !isEnough(String(decoding: text, as: UTF8.self)) {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 60_000) > 0 else { break }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        text += buffer[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  @Test func clients_are_greeted_and_replies_match_their_commands() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let client = try ControlClient(path: path)
    var events = client.events.makeAsyncIterator()
    let greeting = try #require(await events.next())
    #expect(greeting.event == .greeting && greeting.recorder == PackageVersion.current)
    async let first = client.send(.status)
    async let second = client.send(.mark("x"))
    let (status, mark) = try await (first, second)
    #expect(status.command == "status" && mark.command == "mark")
    #expect(status.status?.state == .idle)
    #expect(Set(recorder.commands) == [.status, .mark("x")])
  }

  @Test func events_reach_only_subscribed_clients() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let (listener, other) = (try ControlClient(path: path), try ControlClient(path: path))
    #expect(try await listener.send(.events(true)).isDone)
    _ = try await other.send(.status)
    recorder.tell("hello")
    var events = listener.events.makeAsyncIterator()
    _ = await events.next()
    #expect(await events.next()?.message == "hello")
    // The reply arrives after everything sent before it.
    _ = try await other.send(.status)
    other.close()
    var kinds: [RecorderEvent.Kind] = []
    for await event in other.events { kinds.append(event.event) }
    #expect(kinds == [.greeting])
  }

  /// Otherwise a client would wait forever for its answer, or would not know of the event.
  @Test func values_json_cannot_encode_are_reported_as_errors() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let client = try ControlClient(path: path)
    #expect(try await client.send(.events(true)).isDone)
    recorder.change { $0.disk = .init(freeSpace: 1, worstCaseSecondsLeft: .infinity) }
    let reply = try await client.send(.status)
    #expect(reply.command == "status" && reply.error?.code == "invalidMessage", "\(reply)")
    recorder.tellState()
    var events = client.events.makeAsyncIterator()
    _ = await events.next()
    let reported = await events.next()
    #expect(
      reported?.message?.hasPrefix("an event 'state' is not reported: ") == true,
      "\(reported as Any)")
  }

  @Test func slow_readers_learn_how_many_events_were_lost() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let client = try ControlClient(path: path)
    #expect(try await client.send(.events(true)).isDone)
    // In batches, because the server's queue is limited, too.
    for _ in 0..<11 {
      for _ in 0..<100 { recorder.tell("x") }
      _ = try await client.send(.status)
    }
    var events = client.events.makeAsyncIterator()
    for _ in 0..<1024 { #expect(await events.next()?.message == "x") }
    recorder.tell("y")
    // The greeting and the earliest events were lost.
    #expect(await events.next()?.message == "y")
    #expect(
      await events.next()?.message
        == "events were lost because they were not read in time: 77")
  }

  @Test func later_subscribers_receive_active_alarms() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let first = try ControlClient(path: path)
    var subscription = MonitorSubscription()
    subscription.alarms = true
    #expect(try await first.send(.monitor(subscription)).isDone)
    for name in [RecorderEvent.AlarmName.silence, .black] { recorder.tell(name, isPresent: true) }
    recorder.tell(.silence, isPresent: false)
    var events = first.events.makeAsyncIterator()
    for _ in 0..<4 { _ = await events.next() }
    let later = try ControlClient(path: path)
    #expect(try await later.send(.monitor(subscription)).isDone)
    later.close()
    var reported: [RecorderEvent.Alarm] = []
    for await event in later.events { if let alarm = event.alarm { reported.append(alarm) } }
    #expect(reported == [.init(name: .black, isPresent: true)])
  }

  /// Like `printf … | socat - UNIX-CONNECT:…`.
  @Test func a_client_that_stopped_sending_still_gets_its_reply() throws {
    let recorder = StubRecorder(holdsReplies: true)
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let client = try RawClient(path)
    client.send("{\"command\":\"status\",\"id\":5}\n")
    shutdown(client.descriptor, Int32(SHUT_WR))
    try waitUntil("the command arrives") { recorder.commands.count == 1 }
    // When another client is greeted, the server has seen this one's end.
    let other = try RawClient(path)
    _ = other.read { $0.contains("\n") }
    recorder.release()
    let reply = client.read { _ in false }
    #expect(reply.contains("\"id\":5"), "\(reply)")
  }

  @Test func the_socket_is_private_and_removed_with_the_server() throws {
    let server = try ControlServer(path: path, recorder: StubRecorder())
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func a_live_socket_is_refused_and_a_stale_one_replaced() throws {
    let server = try ControlServer(path: path, recorder: StubRecorder())
    #expect { try ControlServer(path: path, recorder: StubRecorder()) } throws: {
      ($0 as? ControlError)?.code == .socketInUse
    }
    server.stop()
    // The socket file of a killed recorder.
    close(try UnixSocket.listen(path))
    #expect(FileManager.default.fileExists(atPath: path))
    #expect {
      try ControlClient(path: path)
    } throws: { "\($0)".contains("no recorder listens") }
    try ControlServer(path: path, recorder: StubRecorder()).stop()
  }

  @Test func files_and_invalid_paths_are_refused_as_sockets() throws {
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    #expect { try ControlServer(path: path, recorder: StubRecorder()) } throws: {
      "\($0)".contains("is not a socket")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    for bad in [folder.path("none/r"), folder.path(String(repeating: "x", count: 120)), ""] {
      #expect { try ControlServer(path: bad, recorder: StubRecorder()) } throws: {
        ($0 as? ControlError)?.code == .socketFailed
      }
    }
    #expect { try ControlClient(path: folder.path("none")) } throws: {
      "\($0)".contains("no recorder at")
    }
  }

  /// Like a recorder that was stopped (SIGSTOP) and whose clients gave up one after the other.
  @Test func connecting_to_a_hanging_recorder_reports_a_timeout() throws {
    let listener = try UnixSocket.listen(path)
    var pending: [Int32] = []
    defer { for descriptor in pending + [listener] { close(descriptor) } }
    do throws(ControlError) {
      while pending.count < 300 { pending.append(try UnixSocket.connect(path, within: 0.001)) }
      Issue.record("the backlog never filled up")
    } catch {
      #expect(error.code == .timedOut && error.message.contains("does not answer"), "\(error)")
    }
    // The backlog holds the largest number of served clients twice.
    #expect(pending.count > 2 * ControlServer.Limits().clients)
    // The connected sockets are blocking again.
    #expect(pending.allSatisfy { fcntl($0, F_GETFL) & O_NONBLOCK == 0 })
    // The recorder still exists, so its socket is not replaced.
    #expect { try ControlServer(path: path, recorder: StubRecorder()) } throws: {
      ($0 as? ControlError)?.code == .socketInUse
    }
  }

  /// As on a busy machine, where the recorder's thread cannot run while many clients connect.
  @Test func a_connection_waits_for_room_in_a_full_backlog() throws {
    let listener = try UnixSocket.listen(path)
    var pending: [Int32] = []
    defer { for descriptor in pending + [listener] { close(descriptor) } }
    while pending.count < 300, let next = try? UnixSocket.connect(path, within: 0) {
      pending.append(next)
    }
    try #require(pending.count < 300)
    let outcome = Mutex<Result<Int32, any Error>?>(nil)
    Thread.detachNewThread { [path] in
      let result = Result { try UnixSocket.connect(path, within: 60) }
      outcome.withLock { $0 = result }
    }
    pending.append(accept(listener, nil, nil))
    try waitUntil("it is connected") { outcome.withLock { $0 } != nil }
    let late = try #require(outcome.withLock { $0 }).get()
    pending.append(late)
    // The time limit for connecting does not apply to later sending.
    var limit = timeval(tv_sec: 1, tv_usec: 1)
    var size = socklen_t(MemoryLayout<timeval>.size)
    #expect(getsockopt(late, SOL_SOCKET, SO_SNDTIMEO, &limit, &size) == 0)
    #expect(limit.tv_sec == 0 && limit.tv_usec == 0)
  }

  @Test func garbage_is_answered_and_the_connection_stays_open() throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let client = try RawClient(path)
    client.send("nonsense\n\n{\"id\":3,\"command\":\"dance\"}\n{\"id\":4,\"command\":\"status\"}\n")
    let text = client.read { $0.contains("\"id\":4") }
    #expect(text.contains("invalidMessage") && text.contains("unknownCommand"))
    #expect(text.contains("\"id\":3") && recorder.commands == [.status])
  }

  @Test func an_endless_line_is_refused_and_its_client_disconnected() throws {
    let server = try ControlServer(path: path, recorder: StubRecorder())
    defer { server.stop() }
    let client = try RawClient(path)
    let piece = String(repeating: "x", count: 10_000)
    for _ in 0..<7 { client.send(piece) }
    let text = client.read { _ in false }
    #expect(text.contains("messageTooLong"), "the client is told before it is disconnected")
  }

  @Test func clients_above_the_limit_are_refused_without_affecting_others() async throws {
    var limits = ControlServer.Limits()
    limits.clients = 3
    let server = try ControlServer(path: path, recorder: StubRecorder(), limits: limits)
    defer { server.stop() }
    var clients = try (0..<3).map { _ in try ControlClient(path: path) }
    for client in clients { #expect(try await client.send(.status).isDone) }
    let refused = try RawClient(path)
    #expect(refused.read { _ in false }.contains("tooManyClients"))
    for client in clients { #expect(try await client.send(.status).isDone) }
    clients.removeFirst().close()
    // There is room again once the server has noticed the disconnect.
    try await eventually("a new client is accepted again") {
      (try? await ControlClient(path: path).send(.status).isDone) == true
    }
  }

  @Test func a_client_that_never_reads_is_disconnected_without_affecting_others() async throws {
    let recorder = StubRecorder()
    var limits = ControlServer.Limits()
    limits.queuedBytes = 100_000
    let server = try ControlServer(path: path, recorder: recorder, limits: limits)
    defer { server.stop() }
    let deaf = try RawClient(path)
    deaf.send("{\"command\":\"events\",\"isOn\":true}\n")
    let listener = try ControlClient(path: path)
    #expect(try await listener.send(.events(true)).isDone)
    let text = String(repeating: "y", count: 10_000)
    let count = 200
    var received = 0
    var events = listener.events.makeAsyncIterator()
    _ = await events.next()
    var losses = 0
    for _ in 0..<count {
      recorder.tell(text)
      var message = await events.next()?.message
      if message?.hasPrefix("a client was disconnected: ") == true {
        losses += 1
        message = await events.next()?.message
      }
      #expect(message == text)
      received += 1
    }
    #expect(received == count && losses == 1)
    // What was sent before can still be read, followed by the end of the connection.
    var total = 0
    _ = deaf.read {
      total = $0.utf8.count
      return false
    }
    #expect(total < count * text.utf8.count, "the client got everything")
    #expect(try await listener.send(.status).isDone)
  }

  @Test func a_client_that_stops_reading_is_disconnected() async throws {
    let recorder = StubRecorder()
    var limits = ControlServer.Limits()
    limits.patience = 0.2
    let server = try ControlServer(path: path, recorder: recorder, limits: limits)
    defer { server.stop() }
    let deaf = try RawClient(path)
    deaf.send("{\"command\":\"events\",\"isOn\":true}\n{\"command\":\"status\",\"id\":1}\n")
    _ = deaf.read { $0.contains("\"id\":1") }
    // More than the system buffers, less than the server would queue.
    for _ in 0..<60 { recorder.tell(String(repeating: "z", count: 10_000)) }
    try await eventually("the client is disconnected") { deaf.hasHungUp }
  }

  @Test func commands_without_replies_are_bounded_and_none_is_lost() throws {
    let recorder = StubRecorder(holdsReplies: true)
    var limits = ControlServer.Limits()
    limits.commandsUnderWay = 4
    let server = try ControlServer(path: path, recorder: recorder, limits: limits)
    defer { server.stop() }
    let client = try RawClient(path)
    client.send((1...10).map { "{\"command\":\"status\",\"id\":\($0)}\n" }.joined())
    try waitUntil("four commands are pending") { recorder.commands.count == 4 }
    Thread.sleep(forTimeInterval: 0.05)
    #expect(recorder.commands.count == 4)
    while recorder.commands.count < 10 {
      recorder.release()
      Thread.sleep(forTimeInterval: 0.005)
    }
    recorder.release()
    let text = client.read { $0.contains("\"id\":10,") || $0.contains("\"id\":10}") }
    for id in 1...10 { #expect(text.contains("\"id\":\(id),") || text.contains("\"id\":\(id)}")) }
  }

  @Test func a_pending_reply_fails_when_the_recorder_stops() async throws {
    let server = try ControlServer(path: path, recorder: StubRecorder(holdsReplies: true))
    let client = try ControlClient(path: path)
    async let reply = client.send(.status)
    try await Task.sleep(for: .milliseconds(20))
    server.stop()
    do {
      _ = try await reply
      Issue.record("the recorder replied")
    } catch {
      #expect((error as? ControlError)?.code == .connectionClosed)
    }
    await #expect(throws: ControlError.self) { try await client.send(.status) }
  }

  @Test func random_bytes_do_not_harm_the_server() async throws {
    let server = try ControlServer(path: path, recorder: StubRecorder())
    defer { server.stop() }
    var random = SeededGenerator(seed: 7)
    let seeds = [
      #"{"command":"start","take":3,"at":"2026-11-23T09:30:00Z","id":1}"#,
      #"{"command":"monitor","pictureRate":15,"scopes":["waveform"]}"#, "[[[[[[[[[[{}]]]]", "\u{0}",
    ]
    for _ in 0..<20 {
      let client = try RawClient(path)
      for _ in 0..<40 {
        var line = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 0..<6, using: &random) where !line.isEmpty {
          line[Int.random(in: 0..<line.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        client.send(String(decoding: line, as: UTF8.self) + "\n")
      }
    }
    let client = try ControlClient(path: path)
    #expect(try await client.send(.status).isDone)
  }
}

extension ControlServerTests.RawClient {
  /// True once the other side has closed, even if data is still unread.
  fileprivate var hasHungUp: Bool {
    var state = pollfd(fd: descriptor, events: Int16(0x2000), revents: 0)  // POLLRDHUP
    return poll(&state, 1, 0) > 0 && Int32(state.revents) & (0x2000 | POLLHUP | POLLERR) != 0
  }
}
