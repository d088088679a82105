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

  /// Serves a WebSocket, which is registered meanwhile.
  ///
  /// - Parameter isAllowed: Called after the registration. Access that is withdrawn later closes the
  ///   registered connection; this check finds access that was withdrawn before, while the connection was
  ///   being made.
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

  /// Closes the WebSockets of clients without access, or of a removed channel.
  func close(clients: Set<String> = [], channel: String? = nil) {
    let gone = entries.withLock { entries in
      entries.open.values.filter {
        clients.contains($0.client) || channel != nil && $0.channel == channel
      }
    }
    for entry in gone { entry.connection.close(.policyViolation) }
  }
}
