/// Where a recording stands.
public struct RecordingProgress: Sendable, Hashable, Codable {
  /// A place that was given up, of a take that is written in two.
  public struct LostPlace: Sendable, Hashable, Codable {
    /// The movie that goes on in the other place alone.
    public var path: String
    /// True where the second folder is the lost one; false where the take's own is.
    public var isSecond: Bool
    /// Why it was given up.
    public var message: String?

    package init(path: String, isSecond: Bool, message: String?) {
      self.path = path
      self.isSecond = isSecond
      self.message = message
    }
  }

  package init() {}

  /// Seconds recorded.
  public var duration = 0.0
  /// Length in frames: repeats, and slots that gaps leave open, among them.
  public var frames: Int64 = 0
  /// Frames missing so far.
  public var dropped = 0
  /// Frames repeated so far.
  public var repeated = 0
  /// Frames damaged so far.
  public var damaged = 0
  /// Bytes of the file.
  public var fileSize: Int64 = 0
  /// Frames that wait for the encoder or the disk.
  public var queue = 0
  /// Frames that may wait.
  public var queueDepth = 0
  /// The loudest sample since the last look, over all channels, in decibels below full scale; nil
  /// for silence or no sound.
  public var audioPeak: Double?
  /// The loudest sample of each channel since the last look, in decibels below full scale; nil for
  /// silence. The channels of all sources, in the order of their tracks.
  public var channelPeaks: [Double?] = []
  /// The timecode of the last frame; nil before the first, and without a timecode track.
  public var timecode: String?
  /// When the take's first frame was exposed, in seconds on the source's clock, which is CLOCK_MONOTONIC
  /// for what is live; that at the start where there is a pre-roll. Nil before it.
  public var startTime: Double?
  /// The timecode of that frame; nil without a timecode track.
  public var startTimecode: String?
  /// The movie that is being written; nil before there is one.
  public var path: String?
  /// True where the disk has fallen behind by half of the frames that may wait.
  public var isDiskBehind = false
  /// The bytes per second that the disk writes, if measured.
  public var diskRate: Double?
  /// The place that the take has lost: what follows is in the other one alone. Nil for none, and from a
  /// recorder of an earlier version.
  public var lostPlace: LostPlace?
  /// Bytes free on the disk; nil where that cannot be told.
  public var freeDiskSpace: Int64?
  /// Seconds until the disk has no room left, at the rate so far; nil where that cannot be told.
  public var secondsLeft: Double?
  /// Seconds until the disk has no room left at the codec's target rate, the worst case, as
  /// `RecordingCheck.minutesThatFit` tells it; nil where that cannot be told.
  public var worstCaseSecondsLeft: Double?
  /// True in a pause.
  public var isPaused = false
  /// True before the start, while what comes is kept for the pre-roll.
  public var isStandingBy = false
  /// Seconds that are kept for the pre-roll; 0 once the recording has begun.
  public var preRoll = 0.0
}
