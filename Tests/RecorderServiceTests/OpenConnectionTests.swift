import Foundation
import Logging
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import RecorderService

/// With many open connections, a client with a request is still served.
@Suite(.timeLimit(.minutes(5))) struct OpenConnectionTests {
  /// Answers every request and echoes texts; serves a file at one address if there is one.
  private struct Handler: HTTPHandler {
    var file = ""

    /// The size of an answer in bytes, more than the system's buffers hold.
    static let length = 32 << 20

    func respond(to request: HTTPRequest) async -> HTTPResponse {
      if request.path == "/answer" {
        var answer = HTTPResponse(type: "text/plain", Array(repeating: 0x61, count: Self.length))
        answer.isForClient = true
        return answer
      }
      guard request.path == "/file" else { return .done }
      let response = try? await HTTPResponse.file(file, type: "video/quicktime", for: request)
      return response ?? .done
    }

    func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
      guard request.path == "/stream" else { return nil }
      return { connection in
        for await text in connection.texts { connection.send(line: text) }
      }
    }
  }

  /// Accepts a WebSocket, then refuses to serve it.
  private final class FickleHandler: HTTPHandler {
    private let asked = Atomic(0)

    func respond(to request: HTTPRequest) async -> HTTPResponse { .done }

    func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
      guard asked.add(1, ordering: .relaxed).oldValue == 0 else { return nil }
      return { _ in }
    }
  }

  /// Serves a WebSocket with a single line.
  private struct BriefHandler: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse { .done }

    func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
      { $0.send(line: "all") }
    }
  }

  private func server(
    _ handler: some HTTPHandler = Handler(), limit: Int = 8
  ) async throws -> HTTPServer {
    try await HTTPServer(
      address: .init(port: 0), certificate: nil, handler: handler,
      logger: Logger(label: "test"), connectionLimit: limit)
  }

  /// Runs blocking work on a separate thread, because the server needs the threads that tests run on.
  private func aside<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }

  @Test func idle_connections_do_not_block_new_clients() async throws {
    // More than eight over the limit, whichever thread accepts them; the client with a request is not among the
    // first eight.
    let server = try await server(limit: 64)
    let client = NetworkClient(port: server.port)
    let (status, echo) = try await aside { () -> (Int, String?) in
      let watching = try client.webSocket("/stream")
      let idle = try (0..<70).map { _ in try Connection(port: client.port) }
      let status = try client.ask("GET", "/").status
      // A WebSocket is not closed to make room.
      try watching.send("still here")
      guard idle.count == 70, case .text(let echo) = try watching.next() else {
        return (status, nil)
      }
      return (status, echo)
    }
    #expect(status == 204)
    #expect(echo == "still here")
    await server.close()
  }

  @Test func a_connection_being_answered_is_not_closed_for_idle_ones() async throws {
    let server = try await server(limit: 64)
    let client = NetworkClient(port: server.port)
    let count = try await aside { () -> Int in
      let asking = try Connection(port: client.port)
      try asking.send(Data("GET /answer HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
      _ = try asking.read(until: Data("\r\n\r\n".utf8))
      let idle = try (0..<70).map { _ in try Connection(port: client.port) }
      defer { withExtendedLifetime(idle) {} }
      // By then all of them have been accepted.
      _ = try client.ask("GET", "/")
      return try asking.read(count: Handler.length).count
    }
    #expect(count == Handler.length)
    await server.close()
  }

  @Test func websockets_leave_places_for_requests() async throws {
    let server = try await server()
    let client = NetworkClient(port: server.port)
    let (refusal, status) = try await aside { () -> (String, Int) in
      let streams = try (0..<6).map { _ in try client.webSocket("/stream") }
      defer { withExtendedLifetime(streams) {} }
      var refusal = "none"
      do { _ = try client.webSocket("/stream") } catch let error as NetworkClient.Failure {
        refusal = error.what
      }
      return (refusal, try client.ask("GET", "/").status)
    }
    #expect(refusal.contains(" 429 "), "\(refusal)")
    #expect(status == 204)
    await server.close()
  }

  @Test func unread_downloads_leave_places_for_requests() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.emptyFile("take.mov")
    // More than the system's buffers hold.
    try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 30)
    let server = try await server(Handler(file: file.path))
    let client = NetworkClient(port: server.port)
    let (refused, status, again) = try await aside { () -> (Int, Int, String) in
      let request = Data("GET /file HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
      var downloads = try (0..<6).map { _ in
        let download = try Connection(port: client.port)
        try download.send(request)
        _ = try download.read(until: Data("\r\n\r\n".utf8))
        return download
      }
      let refused = try client.ask("GET", "/file").status
      let status = try client.ask("GET", "/").status
      // A place that is released can be used again.
      downloads.removeLast()
      var again = ""
      try waitUntil("a place") {
        let download = try Connection(port: client.port)
        try download.send(request)
        again = String(decoding: try download.read(until: Data("\r\n".utf8)), as: UTF8.self)
        return again.contains(" 200 ")
      }
      withExtendedLifetime(downloads) {}
      return (refused, status, again)
    }
    #expect(refused == 429 && status == 204)
    #expect(again.contains(" 200 "))
    await server.close()
  }

  @Test func a_hanging_disk_does_not_block_other_requests() async throws {
    let folder = try TemporaryFolder()
    // Opening it for reading blocks until a writer opens it.
    let pipe = folder.path("take.mov")
    try #require(mkfifo(pipe, 0o600) == 0)
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let server = try await server(Handler(file: pipe), limit: 2 * count + 8)
    let client = NetworkClient(port: server.port)
    let status = try await aside { () -> Int in
      let waiting = try (0..<count).map { _ in
        let connection = try Connection(port: client.port)
        try connection.send(Data("GET /file HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
        return connection
      }
      defer {
        // A writer unblocks all readers, including those still to come.
        let writer = open(pipe, O_RDWR)
        for connection in waiting { _ = try? connection.read(until: Data("\r\n\r\n".utf8)) }
        close(writer)
      }
      return try client.ask("GET", "/").status
    }
    #expect(status == 204)
    await server.close()
  }

  @Test func a_head_request_describes_a_file_without_sending_it() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("0123456789", "take.mov")
    let server = try await server(Handler(file: file.path))
    let client = NetworkClient(port: server.port)
    let answer = try await aside {
      try client.ask("HEAD", "/file", headers: ["Range": "bytes=0-3"])
    }
    #expect(answer.status == 200 && answer.body.isEmpty)
    #expect(answer.headers["content-length"] == "10" && answer.headers["etag"] != nil)
    await server.close()
  }

  /// A connection that requests a WebSocket.
  private static func asking(port: Int) throws -> Connection {
    let connection = try Connection(port: port)
    let head = [
      "GET /stream HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
    ]
    try connection.send(Data(head.joined(separator: "\r\n").utf8))
    return connection
  }

  /// All that a silent WebSocket client receives until the connection is closed.
  private func whole(from server: HTTPServer) async throws -> Data {
    let port = server.port
    return try await aside {
      let connection = try Self.asking(port: port)
      // Throws if the connection stays open.
      return try connection.readToEnd()
    }
  }

  @Test func a_granted_websocket_that_is_not_served_is_closed() async throws {
    let server = try await server(FickleHandler())
    #expect(try await whole(from: server).starts(with: Data("HTTP/1.1 101 ".utf8)))
    await server.close()
  }

  @Test func a_websocket_sends_its_close_frame_after_the_last_message() async throws {
    let server = try await server(BriefHandler())
    // A three-byte text, then a close frame with code 1000.
    let end = Data([0x81, 3] + Array("all".utf8) + [0x88, 2, 0x03, 0xE8])
    #expect(try await whole(from: server).suffix(end.count) == end)
    await server.close()
  }

  @Test func an_ending_server_closes_its_websockets_as_going_away() async throws {
    let server = try await server()
    let port = server.port
    let (served, tell) = AsyncStream.makeStream(of: Void.self)
    async let rest = aside { () -> Data in
      defer { tell.finish() }
      let connection = try Self.asking(port: port)
      _ = try connection.read(until: Data("\r\n\r\n".utf8))
      // A text with a zero mask; it is echoed once the WebSocket is served.
      try connection.send(Data([0x81, 0x82, 0, 0, 0, 0] + Array("hi".utf8)))
      _ = try connection.read(count: 4)
      tell.finish()
      return try connection.readToEnd()
    }
    for await _ in served {}
    await server.close()
    #expect(try await rest == Data([0x88, 2, 0x03, 0xE9]))
  }

  @Test func connections_accepted_before_shutdown_are_closed() throws {
    let connections = OpenConnections(limit: 2)
    connections.closeAll()
    // The connection is added on another thread, which may be after the close.
    #expect(connections.add(EmbeddedChannel()) == .closed)
  }
}
