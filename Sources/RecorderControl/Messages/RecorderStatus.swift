public import Monitor
public import TakeReports

/// The state of a recorder and the figures of its take.
public struct RecorderStatus: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey {
    case state, message, take, armed, isPaused, takesFinishing, takesFinished, source, progress
    case disk, clock, loudness, processID, sessionID, number
    case isStandingBy = "standsBy"
  }

  /// Names of ``RecorderState``s.
  public enum StateName: String, Sendable, Hashable, Codable, CaseIterable {
    /// Devices are being opened.
    case starting
    /// Frames arrive but are not kept.
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
    /// Nothing will be recorded any more.
    case ended
  }

  /// A take that is being recorded or completed.
  public struct Take: Sendable, Hashable, Codable {
    /// Its number in the session, from 1.
    public var number: Int
    /// The movie's path.
    public var path: String
    /// The scheduled start that began the take. Missing if the take was begun immediately, in events, and from a
    /// recorder of an earlier version.
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

  /// The source of the recorder, and the format in which it is recorded.
  public struct Source: Sendable, Hashable, Codable {
    public var deviceID: String
    public var deviceName: String
    /// The frames' format, for people.
    public var format: String
    /// The frames' width in pixels; missing from a recorder of an earlier version.
    public var width: Int?
    /// The frames' height in pixels; missing from a recorder of an earlier version.
    public var height: Int?
    /// True if a frame consists of two fields; missing from a recorder of an earlier version.
    public var isInterlaced: Bool?
    /// Frames per second; missing if the device does not report them.
    public var frameRate: String?
    /// The preset's name.
    public var preset: String
    /// The codec in short.
    public var codec: String
    /// False if the device reports that its input has no signal, and while a take waits for the device to come back.
    public var hasSignal: Bool
  }

  /// The disk space for the next take.
  public struct Disk: Sendable, Hashable, Codable {
    /// Free bytes in the folder of the next take.
    public var freeSpace: Int64
    /// How many seconds of a take fit at the codec's target rate, with audio; the worst case. Missing for a
    /// codec without a target rate.
    public var worstCaseSecondsLeft: Double?
    /// The name of that folder, without its path; missing from a recorder of an earlier version.
    public var folderName: String?
  }

  public var state: StateName
  /// The present problem, if there is one.
  public var message: String?
  /// The take that is recorded, or ended last and is not complete.
  public var take: Take?
  /// The start that is set.
  public var armed: Armed?
  /// True if the recorder stands by between takes.
  public var isStandingBy: Bool
  /// True while frames are left out on request.
  public var isPaused: Bool
  /// Takes whose movies are being completed.
  public var takesFinishing: Int
  /// Takes that are complete.
  public var takesFinished: Int
  public var source: Source?
  /// Figures of the take or of the pre-roll; missing if there is neither.
  public var progress: RecordingProgress?
  /// The disk space for the next take. Missing during a take, whose ``progress`` has it, if the system does
  /// not report it, and from a recorder of an earlier version.
  public var disk: Disk?
  /// What sets the system's clock, and its deviation; missing from a recorder of an earlier version.
  public var clock: ClockState?
  /// Loudness of the take, or of the input between takes. Missing without audio, between takes while no
  /// client listens, and from a recorder of an earlier version.
  public var loudness: Loudness?
  /// The process of the recorder.
  public var processID: Int32
  /// The session that takes are numbered in: another one each time a recorder starts. Missing from a
  /// recorder of an earlier version.
  public var sessionID: String?
  /// Rises with each status of a session: of two statuses the one with the higher number is later, in
  /// whatever order they arrive. Missing from a recorder of an earlier version.
  public var number: Int?
}
