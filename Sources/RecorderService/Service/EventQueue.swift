import RecorderControl

/// A message of the WebSocket of events.
struct EventMessage: Encodable, Sendable {
  var channel: String
  /// `channel` for a status, `removed` for a channel that was removed, `take` for a change of a completed
  /// take, else the name of the recorder's event.
  var event: String
  var status: ChannelStatus?
  var detail: RecorderEvent?
  var take: TakeRecord.Document?
}

/// Messages that wait for a client. Of the statuses of a channel only the newest waits: a slow client gets
/// fewer of them, but no outdated ones.
struct EventQueue: Sendable {
  private var waiting: [EventMessage] = []

  /// The most messages that may wait. A client that is farther behind is disconnected, and gets the full
  /// state when it comes back.
  private static let limit = 1024

  /// - Returns: False if too many messages wait.
  mutating func add(_ message: EventMessage) -> Bool {
    if message.status != nil {
      waiting.removeAll { $0.status != nil && $0.channel == message.channel }
    }
    waiting.append(message)
    return waiting.count <= Self.limit
  }

  /// The next message; nil if there is none.
  mutating func next() -> EventMessage? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
