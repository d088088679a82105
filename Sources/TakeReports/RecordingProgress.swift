/// The progress of a recording.
public struct RecordingProgress: Sendable, Hashable, Codable {
  /// A place that was given up by a take written in two places.
  public struct LostPlace: Sendable, Hashable, Codable {
    /// The movie that continues in the other place only.
    public var path: String
    /// True if the second folder was lost; false if the take's own was.
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

  /// The recorded duration in seconds.
  public var duration = 0.0
  /// The length in frames, including repeats and slots that gaps leave open.
  public var frames: Int64 = 0
  public var dropped = 0
  public var repeated = 0
  public var damaged = 0
  /// The size of the file in bytes.
  public var fileSize: Int64 = 0
  /// The frames waiting for the encoder or the disk.
  public var queue = 0
  /// The maximum number of waiting frames.
  public var queueDepth = 0
  /// The loudest sample of all channels since the last report, in dBFS; nil for silence or no
  /// audio.
  public var audioPeak: Double?
  /// The loudest sample of each channel since the last report, in dBFS; nil for silence. The
  /// channels of all sources, in the order of their tracks.
  public var channelPeaks: [Double?] = []
  /// The timecode of the last frame; nil before the first frame, and without a timecode track.
  public var timecode: String?
  /// When the take's first frame was exposed, in seconds on the source's clock, which is
  /// CLOCK_MONOTONIC for live sources; with a pre-roll, the frame at the start. Nil before that.
  public var startTime: Double?
  /// The timecode of that frame; nil without a timecode track.
  public var startTimecode: String?
  /// The movie being written; nil before there is one.
  public var path: String?
  /// True if the frames waiting for the disk fill half of the queue.
  public var isDiskBehind = false
  /// The disk's measured write rate in bytes per second; nil if it was not measured.
  public var diskRate: Double?
  /// The place that the take has lost; it continues in the other one only. Nil if there is none,
  /// and from recorders of earlier versions.
  public var lostPlace: LostPlace?
  /// The free space on the disk in bytes; nil if unknown.
  public var freeDiskSpace: Int64?
  /// Seconds until the disk is full at the rate so far; nil if unknown.
  public var secondsLeft: Double?
  /// Seconds until the disk is full at the codec's target rate, the worst case, like
  /// `RecordingCheck.minutesThatFit`; nil if unknown.
  public var worstCaseSecondsLeft: Double?
  /// True during a pause.
  public var isPaused = false
  /// True before the start, while frames are kept for the pre-roll.
  public var isStandingBy = false
  /// The seconds kept for the pre-roll; 0 once recording has begun.
  public var preRoll = 0.0
}
