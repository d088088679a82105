import Foundation
import Logging
import TestSupport
import Testing

@testable import RecorderService

/// Many connections at once: whoever asks something gets in.
@Suite(.timeLimit(.minutes(5))) struct OpenConnectionTests {
  /// Answers every request, and gives texts back.
  private struct Handler: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse { .done }

    func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
      guard request.path == "/stream" else { return nil }
      return { connection in
        for await text in connection.texts { connection.send(line: text) }
      }
    }
  }

  private func server() async throws -> HTTPServer {
    try await HTTPServer(
      address: .init(port: 0), certificate: nil, handler: Handler(),
      logger: Logger(label: "test"), connectionLimit: 8)
  }

  @Test func connections_that_ask_nothing_keep_nobody_out() async throws {
    let server = try await server()
    let client = NetworkClient(port: server.port)
    let watching = try client.webSocket("/stream")
    let idle = try (0..<20).map { _ in try Connection(port: server.port) }
    #expect(try client.ask("GET", "/").status == 204)
    try watching.send("still here")
    guard case .text("still here") = try watching.next() else {
      Issue.record("a WebSocket made room")
      return
    }
    #expect(idle.count == 20)
    await server.close()
  }

  @Test func websockets_leave_places_to_requests() async throws {
    let server = try await server()
    let client = NetworkClient(port: server.port)
    let streams = try (0..<6).map { _ in try client.webSocket("/stream") }
    let error = #expect(throws: NetworkClient.Failure.self) { try client.webSocket("/stream") }
    #expect(error?.what.contains(" 429 ") == true, "\(error?.what ?? "")")
    #expect(try client.ask("GET", "/").status == 204)
    #expect(streams.count == 6)
    await server.close()
  }
}
