import Foundation
import MediaCore
import Synchronization
import Takes
import TestSupport
import Testing

@testable import HyperDeck
@testable import RecorderControl

@Suite(.timeLimit(.minutes(5))) struct ServerTests {
  /// A running server and its notices.
  private final class Rig: Sendable {
    let recorder = StubRecorder()
    let port: Int
    let server: HyperDeckServer
    private let notices: Mutex<[HyperDeckServer.Notice]>
    private let running: Task<Void, any Error>

    init(_ change: (inout HyperDeckServer.Configuration) -> Void = { _ in }) async throws {
      var configuration = HyperDeckServer.Configuration(port: 0)
      change(&configuration)
      let (stream, tell) = AsyncStream<HyperDeckServer.Notice>.makeStream()
      let server = HyperDeckServer(recorder: recorder, configuration: configuration) {
        tell.yield($0)
      }
      self.server = server
      running = Task { try await server.run() }
      var iterator = stream.makeAsyncIterator()
      guard case .listening(_, let port)? = await iterator.next() else {
        throw WaitedInVain.none
      }
      self.port = port
      notices = Mutex([])
      Task { [self] in for await notice in stream { notices.withLock { $0.append(notice) } } }
    }

    private enum WaitedInVain: Error { case none }

    var reported: [HyperDeckServer.Notice] { notices.withLock { $0 } }

    func end() async throws {
      running.cancel()
      try await running.value
    }
  }

  @Test func keep_alive_is_enabled_for_connections() async throws {
    let rig = try await Rig()
    let client = try TCPClient(rig.port)
    _ = await client.block()
    // The kernel's list of sockets: state 01 is connected, timer 02 is keep-alive.
    let local = ":" + String(rig.port, radix: 16, uppercase: true)
    let connections = try ["tcp", "tcp6"].flatMap { name in
      let list = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/\(name)"))
      return String(decoding: try list.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }.map { $0.split(separator: " ") }.filter { $0[1].hasSuffix(local) && $0[3] == "01" }
    // A list that changes while it is read may contain a socket twice; the inode identifies it.
    #expect(Set(connections.map { $0[9] }).count == 1, "\(connections)")
    #expect(connections.allSatisfy { $0[5].hasPrefix("02:") }, "\(connections)")
    try await rig.end()
    withExtendedLifetime(client) {}
  }

  @Test func one_client_controls_a_take_and_another_observes_it() async throws {
    let rig = try await Rig()
    let (first, second) = (try TCPClient(rig.port), try TCPClient(rig.port))
    #expect(await first.block().hasPrefix("500 connection info:\r\n"))
    _ = await second.block()
    second.send("notify: transport: true\r\n")
    #expect(await second.block() == "200 ok\r\n")
    first.send("record: name: x\r\ntransport info\r\n")
    #expect(await first.block() == "200 ok\r\n")
    #expect(await first.block().contains("status: record\r\n"))
    #expect(await second.block().hasPrefix("508 transport info:\r\nstatus: record\r\n"))
    first.send("stop\r\n")
    #expect(await first.block() == "200 ok\r\n")
    #expect(await second.block().hasPrefix("508 transport info:\r\nstatus: preview\r\n"))
    #expect(rig.recorder.commands == [.start(.init(name: "x"), nil), .stop])
    first.send("quit\r\n")
    #expect(await first.block() == "200 ok\r\n")
    #expect(await first.isAtEnd())
    try await rig.end()
    #expect(await second.isAtEnd())
    #expect(
      rig.reported.contains(.ordered(peer: "127.0.0.1", order: .stop, outcome: .done)),
      "\(rig.reported)")
  }

  @Test func a_refusal_of_the_recorder_reaches_the_client() async throws {
    let rig = try await Rig()
    rig.recorder.refuse("diskFull")
    let client = try TCPClient(rig.port)
    _ = await client.block()
    client.send("record\r\nping\r\n")
    #expect(await client.block() == "104 disk full\r\n")
    #expect(await client.block() == "200 ok\r\n")
    try await rig.end()
  }

  @Test func remote_control_is_switched_for_all_clients() async throws {
    let rig = try await Rig()
    let (first, second) = (try TCPClient(rig.port), try TCPClient(rig.port))
    _ = await first.block()
    _ = await second.block()
    second.send("notify: remote: true\r\n")
    _ = await second.block()
    first.send("remote: enable: false\r\nrecord\r\n")
    #expect(await first.block() == "200 ok\r\n")
    #expect(await first.block() == "111 remote control disabled\r\n")
    #expect(await second.block() == "510 remote info:\r\nenabled: false\r\n\r\n")
    second.send("record\r\n")
    #expect(await second.block() == "111 remote control disabled\r\n")
    #expect(rig.recorder.commands.isEmpty)
    try await rig.end()
  }

  @Test func a_new_name_is_reported_on_existing_connections() async throws {
    let rig = try await Rig { $0.identity = DeckIdentity(name: "Camera A") }
    let client = try TCPClient(rig.port)
    _ = await client.block()
    client.send("device info\r\n")
    let before = await client.block()
    #expect(before.contains("\r\nname: Camera A\r\n"))
    await rig.server.rename("Stage left")
    client.send("device info\r\n")
    // Everything else is the same.
    #expect(await client.block() == before.replacing("Camera A", with: "Stage left"))
    try await rig.end()
  }

  @Test func clients_above_the_limit_are_rejected_until_one_leaves() async throws {
    let rig = try await Rig { $0.clientLimit = 2 }
    var clients: [TCPClient] = []
    for _ in 0..<2 {
      clients.append(try TCPClient(rig.port))
      #expect(await clients.last?.block().hasPrefix("500 ") == true)
    }
    let third = try TCPClient(rig.port)
    #expect(await third.block() == "120 connection rejected\r\n")
    #expect(await third.isAtEnd())
    clients.removeFirst()
    try await eventually("a new client is accepted") {
      try await TCPClient(rig.port).block().hasPrefix("500 ")
    }
    try await rig.end()
  }

  @Test func rejected_clients_with_unread_input_are_not_reset() async throws {
    let rig = try await Rig { $0.clientLimit = 1 }
    let first = try TCPClient(rig.port)
    _ = await first.block()
    let second = try TCPClient(rig.port)
    second.send(String(repeating: "device info\r\n", count: 1000))
    #expect(await second.block() == "120 connection rejected\r\n")
    #expect(await second.isAtEnd() && !second.wasReset)
    first.send("quit\r\n" + String(repeating: "device info\r\n", count: 1000))
    #expect(await first.block() == "200 ok\r\n")
    #expect(await first.isAtEnd() && !first.wasReset)
    try await rig.end()
  }

  @Test func a_limited_number_of_rejected_connections_linger() async throws {
    let rig = try await Rig {
      $0.clientLimit = 1
      $0.lingeringLimit = 1
    }
    let first = try TCPClient(rig.port)
    _ = await first.block()
    let waited = try TCPClient(rig.port)
    #expect(await waited.block() == "120 connection rejected\r\n")
    #expect(await waited.isAtEnd())
    let other = try TCPClient(rig.port)
    #expect(await other.block() == "120 connection rejected\r\n")
    #expect(await other.isAtEnd())
    // A fully closed connection answers further data with a reset.
    try await eventually("the other connection is closed") { !other.takesMore() }
    #expect(waited.takesMore() && !waited.wasReset)
    first.send("ping\r\n")
    #expect(await first.block() == "200 ok\r\n")
    try await rig.end()
    try await eventually("the lingering connection ends with the server") { !waited.takesMore() }
  }

  @Test func only_allowed_addresses_are_served() async throws {
    let rig = try await Rig {
      $0.allowed = [NetworkRange("10.0.0.0/8")].compactMap(\.self)
    }
    #expect(try await TCPClient(rig.port).isAtEnd())
    try await eventually("the refusal is reported") {
      rig.reported.contains {
        if case .refused(peer: "127.0.0.1", _) = $0 { true } else { false }
      }
    }
    try await rig.end()
  }

  @Test func a_browser_gets_no_answer() async throws {
    let rig = try await Rig()
    let client = try TCPClient(rig.port)
    _ = await client.block()
    client.send("POST / HTTP/1.1\r\nContent-Type: text/plain\r\n\r\nrecord\r\n")
    #expect(await client.isAtEnd() && rig.recorder.commands.isEmpty)
    try await rig.end()
  }

  @Test func a_client_silent_past_its_watchdog_is_disconnected() async throws {
    let rig = try await Rig()
    let client = try TCPClient(rig.port)
    _ = await client.block()
    client.send("watchdog: period: 1\r\n")
    #expect(await client.block() == "200 ok\r\n")
    #expect(await client.isAtEnd())
    try await rig.end()
  }

  @Test func a_client_that_never_reads_is_disconnected_without_affecting_others() async throws {
    let rig = try await Rig { $0.writeTimeout = .milliseconds(300) }
    let (slow, other) = (try TCPClient(rig.port), try TCPClient(rig.port))
    _ = await other.block()
    try await eventually("the client is disconnected") {
      // More than the system's buffers hold; no write blocks here.
      slow.send(String(repeating: "commands\n", count: 200), waits: false)
      other.send("ping\r\n")
      #expect(await other.block() == "200 ok\r\n")
      return rig.reported.contains {
        if case .disconnected(_, "it does not read what it is sent") = $0 { true } else { false }
      }
    }
    try await rig.end()
  }

  @Test func a_port_in_use_is_reported() async throws {
    let rig = try await Rig()
    let port = rig.port
    let second = HyperDeckServer(
      recorder: rig.recorder, configuration: .init(port: port))
    await #expect {
      try await second.run()
    } throws: {
      ($0 as? HyperDeckError)?.code == .cannotListen && "\($0)".contains("port \(port)")
    }
    try await rig.end()
  }
}
