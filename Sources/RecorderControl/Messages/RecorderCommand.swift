import FoundationEssentials
public import Monitor
public import Takes

/// A command to a recorder.
public enum RecorderCommand: Sendable, Hashable {
  /// Tell the ``RecorderStatus``.
  case status
  /// Begin a take, immediately or at a set time.
  case start(TakeSlate, ArmedStart?)
  /// End the take, or take an armed start back.
  case stop
  /// Go on in a new movie, without losing a frame.
  case split
  /// Mark the frame that was recorded last, with a note.
  case mark(String)
  /// Stand by between takes, so that a take begins with its very frame and the preset's pre-roll.
  case standBy(Bool)
  /// Record the next takes by the preset of this name.
  case preset(String)
  /// Start or stop sending events.
  case events(Bool)
  /// Start, change or stop the monitor stream.
  case monitor(MonitorSubscription)
  /// The frame of this number was shown, and the next one may be sent.
  case acknowledge(Int)
  /// End the take, and the recorder.
  case quit
  /// End the recorder, unless a take is recorded, completed or set to begin.
  case retire

  /// The name in messages.
  public var name: String {
    switch self {
    case .status: "status"
    case .start: "start"
    case .stop: "stop"
    case .split: "split"
    case .mark: "mark"
    case .standBy: "standby"
    case .preset: "preset"
    case .events: "events"
    case .monitor: "monitor"
    case .acknowledge: "acknowledge"
    case .quit: "quit"
    case .retire: "retire"
    }
  }

  /// The names of all commands.
  public static let names = [
    "status", "start", "stop", "split", "mark", "standby", "preset", "events", "monitor",
    "acknowledge", "quit", "retire",
  ]
}

/// A moment at which a take is to begin.
public enum ArmedStart: Sendable, Hashable {
  /// A date: seconds since 1970 UTC.
  case date(unixTime: Double)
  /// The next time that the local clock shows a time of day, with or without frames.
  case timeOfDay(StartTime, text: String)
}

/// The parts of the monitor stream that a client subscribes to.
public struct MonitorSubscription: Sendable, Hashable {
  /// The maximum number of frames per second: 0 for none, else from ``slowestRate`` to ``rateLimit``.
  public var pictureRate: Double
  /// The region of the source to send pixel for pixel; nil for the whole source, scaled down.
  public var region: FrameRegion?
  /// The scopes to send with each frame.
  public var scopes: VideoScopes.Selection
  /// True for audio levels, 20 times a second.
  public var levels: Bool
  /// True to receive alarms of black, standstill and silence.
  public var alarms: Bool

  /// The maximum number of frames per second.
  public static let rateLimit = 60.0
  /// The minimum number of frames per second: one in a hundred seconds.
  public static let slowestRate = 0.01

  /// True for a ``pictureRate`` that can be asked for.
  public static func isPictureRate(_ rate: Double) -> Bool {
    rate == 0 || (slowestRate...rateLimit).contains(rate)
  }

  /// A subscription; by default to nothing.
  public init(
    pictureRate: Double = 0, region: FrameRegion? = nil, scopes: VideoScopes.Selection = [],
    levels: Bool = false, alarms: Bool = false
  ) {
    self.pictureRate = pictureRate
    self.region = region
    self.scopes = scopes
    self.levels = levels
    self.alarms = alarms
  }
}

extension VideoScopes.Selection {
  /// The names of instruments in messages.
  static let named: [(name: String, selection: Self)] = [
    ("waveform", .waveform), ("parade", .parade), ("vectorscope", .vectorscope),
    ("histogram", .histogram),
  ]

  var names: [String] { Self.named.filter { contains($0.selection) }.map(\.name) }
}

extension ArmedStart {
  /// Reads a date by ISO 8601, `2026-11-23T09:30:00Z`, or a time of day, `09:30:00:12`; nil for anything
  /// else.
  public init?(_ text: String) {
    if let time = StartTime(text) {
      self = .timeOfDay(time, text: text)
    } else if let unixTime = ISOMoment.unixTime(text) {
      self = .date(unixTime: unixTime)
    } else {
      return nil
    }
  }
}
