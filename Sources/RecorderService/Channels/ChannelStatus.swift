public import RecorderControl

/// The status of a channel as its gateway knows it.
public struct ChannelStatus: Sendable, Hashable, Codable {
  /// Whether the channel's recorder is reached.
  public enum Connection: String, Sendable, Hashable, Codable, CaseIterable {
    /// The recorder is being started, or looked for.
    case connecting
    case connected
    /// The recorder is away; it is looked for again, and started again where it is the gateway's.
    case away
  }

  /// The name in addresses: letters, digits, `-` and `_`.
  public var name: String
  /// The name for people.
  public var title: String
  public var connection: Connection
  /// Why the recorder is away, or what else is wrong.
  public var message: String?
  /// The recorder's status; missing while it is away.
  public var recorder: RecorderStatus?
  /// Alarms that are on.
  public var alarms: [RecorderEvent.AlarmName]
  /// The take that ended last, where it did not end as it was to; missing once the next one has begun.
  public var flawedTake: FlawedTake?
  /// One line for everything that was guessed, or differs from the configuration.
  public var notes: [String]

  /// True while a take is recorded, and before the recorder was asked: work that is to disturb none begins
  /// at neither time.
  var mayRecord: Bool {
    switch connection {
    case .connecting: true
    case .connected: recorder.map { $0.state == .recording } ?? true
    case .away: false
    }
  }
}

/// What becomes known of a channel.
public enum ChannelUpdate: Sendable, Hashable {
  /// The status has changed: the connection, the state, or the figures of a take.
  case status(ChannelStatus)
  /// The recorder told of something.
  case event(RecorderEvent)
}
