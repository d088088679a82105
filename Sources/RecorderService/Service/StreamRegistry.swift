import NIOWebSocket
import Synchronization

/// The open WebSockets, by client and channel.
final class StreamRegistry: Sendable {
  private struct Entry: Sendable {
    var connection: WebSocketConnection
    /// The token's name.
    var client: String
    /// The channel; nil for a stream of all.
    var channel: String?
  }

  private let entries = Mutex<(next: Int, open: [Int: Entry])>((0, [:]))

  /// Serves a WebSocket, and remembers it while that lasts.
  ///
  /// - Parameter isAllowed: Asked once it is remembered: what is taken away from then on closes it, and what
  ///   was taken away before, while the connection was being made, is seen here.
  func serve(
    _ connection: WebSocketConnection, client: String, channel: String?,
    isAllowed: () -> Bool, _ body: (WebSocketConnection) async -> Void
  ) async {
    let key = entries.withLock { entries in
      entries.next += 1
      entries.open[entries.next] = Entry(
        connection: connection, client: client, channel: channel)
      return entries.next
    }
    if isAllowed() { await body(connection) }
    entries.withLock { _ = $0.open.removeValue(forKey: key) }
  }

  /// Closes those of clients that may not look any more, or of channels that are gone.
  func close(clients: Set<String> = [], channel: String? = nil) {
    let gone = entries.withLock { entries in
      entries.open.values.filter {
        clients.contains($0.client) || channel != nil && $0.channel == channel
      }
    }
    for entry in gone { entry.connection.close(.policyViolation) }
  }
}
