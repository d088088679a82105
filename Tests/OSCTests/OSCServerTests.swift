import Foundation
import Glibc
import MediaCore
import Testing

@testable import OSC
@testable import RecorderControl

/// The server with its socket.
@Suite(.timeLimit(.minutes(5))) struct OSCServerTests {
  /// A recorder that refuses every command.
  private struct Refusing: RemoteRecorder {
    func send(_ command: RecorderCommand) async throws(ControlError) -> RecorderReply {
      RecorderReply(error: ErrorSummary(code: "no", message: "no"))
    }

    func updates() -> AsyncStream<RecorderUpdate> { AsyncStream { _ in } }
  }

  /// Sends a datagram to a port on this machine.
  private func send(_ bytes: [UInt8], to port: Int) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(sent == bytes.count)
  }

  @Test(arguments: [
    (true, "a datagram of 5 bytes is not OSC"), (false, "its address is not among those allowed"),
  ])
  func an_unserved_sender_is_reported_once(isAllowed: Bool, reason: String) async throws {
    let (notices, reported) = AsyncStream.makeStream(of: OSCServer.Notice.self)
    var configuration = OSCServer.Configuration(port: 0)
    if !isAllowed { configuration.allowed = [NetworkRange("10.0.0.0/8")].compactMap(\.self) }
    let server = OSCServer(recorder: Refusing(), configuration: configuration) {
      reported.yield($0)
    }
    let running = Task { try await server.run() }
    var iterator = notices.makeAsyncIterator()
    guard case .listening(_, let port)? = await iterator.next() else {
      Issue.record("the server does not listen")
      return
    }
    for _ in 0..<3 { try send(Array("hello".utf8), to: port) }
    #expect(await iterator.next() == .unserved(host: "127.0.0.1", reason: reason))
    running.cancel()
    try await running.value
    reported.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func reports_of_unserved_senders_are_limited() {
    var peers = UnservedPeers()
    let answers = [0, 59_999_999_999].map { peers.isNews("a", at: $0) }
    #expect(answers == [true, false])
    let isNewsAgain = peers.isNews("a", at: 60_000_000_000)
    #expect(isNewsAgain)
    let news = (0..<1000).filter { peers.isNews("\($0)", at: 60_000_000_000) }
    #expect(news.count == 63)
    let isNewsLater = peers.isNews("b", at: 120_000_000_000)
    #expect(isNewsLater)
  }

  @Test func a_large_datagram_is_received_whole() async throws {
    let (notices, reported) = AsyncStream.makeStream(of: OSCServer.Notice.self)
    let server = OSCServer(recorder: Refusing(), configuration: .init(port: 0)) {
      reported.yield($0)
    }
    let running = Task { try await server.run() }
    let note = String(repeating: "n", count: 40_000)
    var command: RecorderCommand?
    for await notice in notices {
      switch notice {
      case .listening(_, let port):
        try send(
          OSCPacket.message(OSCMessage("/recorder/mark", .string(note))).bytes, to: port)
      case .ordered(_, let given, _): command = given
      case .unserved: break
      }
      if command != nil { break }
    }
    #expect(command == .mark(note))
    running.cancel()
    try await running.value
  }
}
