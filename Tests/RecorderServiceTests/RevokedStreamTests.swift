import Foundation
import Logging
import TestSupport
import Testing

@testable import RecorderService

/// WebSockets of clients that lose their access just after being admitted.
@Suite(.timeLimit(.minutes(5))) struct RevokedStreamTests {
  private static let secret = "view-0123456789abcdef"

  /// Reloads the configuration after a WebSocket is granted and before it is served.
  private struct Handler: HTTPHandler {
    let gateway: Gateway
    let wanted: ServiceConfiguration

    func respond(to request: HTTPRequest) async -> HTTPResponse { .done }

    func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)? {
      guard let serve = GatewayHandler(gateway: gateway).stream(for: request) else { return nil }
      return { connection in
        _ = try? await gateway.reload(wanted)
        await serve(connection)
      }
    }
  }

  @Test(arguments: [true, false])
  func a_websocket_is_closed_if_its_token_is_revoked_while_opening(isRevoked: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    var configuration = ServiceConfiguration(channels: [])
    configuration.announcing.isOn = false
    configuration.tokens = [
      .init(name: "o", role: .operate, secret: "operate-0123456789"),
      .init(name: "guest", role: .view, secret: Self.secret),
    ]
    let gateway = try Gateway(
      configuration, folder: RuntimeFolder(path: folder.path("runtime")),
      logger: Logger(label: "test")
    ) { _, _ in [] }
    if isRevoked { configuration.tokens.removeLast() }
    let server = try await HTTPServer(
      address: .init(port: 0), certificate: nil,
      handler: Handler(gateway: gateway, wanted: configuration), logger: Logger(label: "test"))
    let client = NetworkClient(port: server.port, token: Self.secret)
    let isClosed = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let stream = try client.webSocket("/api/v1/events")
            if case .closed = try stream.next() { return true }
            return false
          })
      }
    }
    #expect(isClosed == isRevoked)
    await server.close()
  }
}
