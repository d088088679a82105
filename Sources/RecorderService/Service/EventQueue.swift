import RecorderControl

/// A message of the WebSocket of events.
struct EventMessage: Encodable, Sendable {
  var channel: String
  /// `channel` for a status, `removed` for a channel that is no more, `take` for what becomes of a
  /// completed take, else the name of the recorder's event.
  var event: String
  var status: ChannelStatus?
  var detail: RecorderEvent?
  var take: TakeRecord.Document?
}

/// Events that wait until a client has received the ones before. Only the newest state of a channel
/// waits: a slow client gets fewer states, but no outdated ones.
struct EventQueue: Sendable {
  private var waiting: [EventMessage] = []

  /// Messages that may wait. A client that is farther behind is let go, and told anew how all stands when it
  /// comes back.
  private static let limit = 1024

  /// - Returns: False where too many wait.
  mutating func add(_ message: EventMessage) -> Bool {
    if message.status != nil {
      waiting.removeAll { $0.status != nil && $0.channel == message.channel }
    }
    waiting.append(message)
    return waiting.count <= Self.limit
  }

  /// The next message; nil for none.
  mutating func next() -> EventMessage? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
