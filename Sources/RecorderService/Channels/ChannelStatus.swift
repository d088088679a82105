public import RecorderControl

/// The state of a channel, as far as its gateway knows it.
public struct ChannelStatus: Sendable, Hashable, Codable {
  /// Whether the channel's recorder is reached.
  public enum Connection: String, Sendable, Hashable, Codable, CaseIterable {
    /// The recorder is being started, or looked for.
    case connecting
    case connected
    /// The recorder is away. The gateway keeps trying to reach it, and starts it again if it is the gateway's own.
    case away
  }

  /// The name in addresses: letters, digits, `-` and `_`.
  public var name: String
  /// The name for people.
  public var title: String
  public var connection: Connection
  /// Why the recorder is away, or another problem.
  public var message: String?
  /// The recorder's status; missing while it is away.
  public var recorder: RecorderStatus?
  /// Alarms that are on.
  public var alarms: [RecorderEvent.AlarmName]
  /// The last take, if it was flawed; missing once the next one has begun.
  public var flawedTake: FlawedTake?
  /// What was guessed, or differs from the configuration, a line each.
  public var notes: [String]

  /// True while a take is recorded, and until the recorder has said that none is. Work that could disturb a
  /// take waits.
  var mayRecord: Bool {
    switch connection {
    case .connecting: true
    case .connected: recorder.map { $0.state == .recording } ?? true
    case .away: false
    }
  }
}

/// News of a channel.
public enum ChannelUpdate: Sendable, Hashable {
  /// The status has changed: the connection, the state, or the figures of a take.
  case status(ChannelStatus)
  /// An event of the recorder.
  case event(RecorderEvent)
}
