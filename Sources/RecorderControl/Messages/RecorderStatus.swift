public import Monitor
public import TakeReports

/// The state of a recorder and the figures of its take.
public struct RecorderStatus: Sendable, Hashable, Codable {
  /// Names of ``RecorderState``s.
  public enum StateName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Devices are being opened.
    case starting
    /// Frames arrive and are not kept.
    case idle
    /// A start is set for a moment.
    case armed
    /// Frames are encoded and kept as a pre-roll, so that a take begins without a gap.
    case standingBy
    case recording
    /// A take has ended, and its movie is being completed.
    case finishing
    /// The source is away, and is looked for.
    case awaitingSource
    /// Nothing is recorded any more.
    case ended
  }

  /// A take that a recorder tells of.
  public struct Take: Sendable, Hashable, Codable {
    /// Its number in the session, from 1.
    public var number: Int
    /// The movie's path.
    public var path: String
    /// The start that was set and has begun it; missing from a take that was begun at once, in events, and from
    /// a recorder of an earlier version.
    public var armed: Armed?

    package init(number: Int, path: String) {
      self.number = number
      self.path = path
    }
  }

  /// A start that is set.
  public struct Armed: Sendable, Hashable, Codable {
    /// When it begins, by ISO 8601 in UTC.
    public var date: String
    /// The time of day that was asked for.
    public var timecode: String?
  }

  /// What the recorder records from, and as what.
  public struct Source: Sendable, Hashable, Codable {
    public var deviceID: String
    public var deviceName: String
    /// The pictures' format, for people.
    public var format: String
    /// The pictures' width in pixels; missing from a recorder of an earlier version.
    public var width: Int?
    /// The pictures' height in pixels; missing from a recorder of an earlier version.
    public var height: Int?
    /// True where a picture is two fields; missing from a recorder of an earlier version.
    public var isInterlaced: Bool?
    /// Frames a second; missing where the device does not say.
    public var frameRate: String?
    /// The preset's name.
    public var preset: String
    /// The codec in short.
    public var codec: String
    /// False while the device says that its input has no signal, and while a take waits for the device to come back.
    public var hasSignal: Bool
  }

  /// The room for a take that is to come.
  public struct Disk: Sendable, Hashable, Codable {
    /// Bytes free in the folder that it is to be made in.
    public var freeSpace: Int64
    /// Seconds of it that fit at the codec's target rate, the worst case, with the sound; missing for a codec
    /// without such a rate.
    public var worstCaseSecondsLeft: Double?
    /// The name of that folder, without those it lies in; missing from a recorder of an earlier version.
    public var folderName: String?
  }

  public var state: StateName
  /// What is wrong, where something is.
  public var message: String?
  /// The take that is recorded, or ended last and is not complete.
  public var take: Take?
  /// The start that is set.
  public var armed: Armed?
  /// True where the recorder stands by between takes.
  public var standsBy: Bool
  /// True where frames are left out on request.
  public var isPaused: Bool
  /// Takes whose movies are being completed.
  public var takesFinishing: Int
  /// Takes that are complete.
  public var takesFinished: Int
  public var source: Source?
  /// Figures of what is recorded or stood by for; missing else.
  public var progress: RecordingProgress?
  /// The room for the next take; missing while a take is recorded, whose ``progress`` tells it, if the system
  /// does not tell, and from a recorder of an earlier version.
  public var disk: Disk?
  /// What sets the system's clock, and how far it is off; missing from a recorder of an earlier version.
  public var clock: ClockState?
  /// Loudness of the take, and of the input between takes; missing while nobody listens between takes,
  /// without sound, and from a recorder of an earlier version.
  public var loudness: Loudness?
  /// The process of the recorder.
  public var processID: Int32
  /// The session that takes are numbered in: another one each time a recorder starts. Missing from a
  /// recorder of an earlier version.
  public var sessionID: String?
  /// Rises from status to status of a session: of two the higher one is later, whatever way they came. Missing
  /// from a recorder of an earlier version.
  public var number: Int?
}
