public import MediaCore

/// What a track of facts that hold for stretches of a movie is made of (QTFF, "Timed Metadata Media").
public enum TimedMetadataTrack {
  /// What the values of a key are called, and what they are.
  public struct Key: Sendable, Hashable {
    /// In reverse DNS: `com.apple.quicktime.still-image-time`.
    public var name: String
    /// A number of QTFF's "well-known types": 1 for UTF-8, 65 for a signed number of 8 bits.
    public var type: UInt32

    /// A key from its name and its type.
    public init(name: String, type: UInt32) {
      self.name = name
      self.type = type
    }
  }

  /// A fact.
  public struct Value: Sendable, Hashable {
    /// The place of its key in the track's keys.
    public var key: Int
    /// The value, as its type has it in a file.
    public var bytes: [UInt8]

    /// A fact from its key and its bytes.
    public init(key: Int, bytes: [UInt8]) {
      self.key = key
      self.bytes = bytes
    }
  }

  /// Facts that hold at once.
  public struct Sample: Sendable, Hashable {
    /// From when on they hold, from the movie's start.
    public var start: MediaTime
    /// Until when; not numeric for the next sample's start.
    public var end: MediaTime
    /// The facts; none where nothing holds.
    public var values: [Value]

    /// Facts of a stretch of time.
    public init(start: MediaTime, end: MediaTime = .invalid, values: [Value]) {
      self.start = start
      self.end = end
      self.values = values
    }
  }
}

/// Frames that are counted on from an address, for a track of timecode that does not come with the video.
public struct TimecodeRun: Sendable, Hashable {
  /// When its first frame is shown, from the movie's start.
  public var start: MediaTime
  /// The number of its first frame. A file has it in 32 bits: one beyond is written as the nearest.
  public var frameNumber: Int64

  /// A run from its start.
  public init(start: MediaTime, frameNumber: Int64) {
    self.start = start
    self.frameNumber = frameNumber
  }

  /// The number of a frame of the run.
  package func frameNumber(
    at time: MediaTime, countedAs format: TimecodeFormatDescription
  ) -> Int64 {
    let frame = format.frameDuration.isNumeric ? format.frameDuration.seconds : 0
    guard frame > 0 else { return frameNumber }
    let passed = ((time - start).seconds / frame).rounded()
    return frameNumber.addingSaturating(Int64(exactly: passed) ?? 0)
  }

  /// True where it says what another one before it says already.
  package func follows(_ last: TimecodeRun, countedAs format: TimecodeFormatDescription) -> Bool {
    let frame = format.frameDuration.isNumeric ? format.frameDuration.seconds : 0
    guard frame > 0 else { return true }
    let counted = ((start - last.start).seconds / frame).rounded()
    let passed = frameNumber.subtractingReportingOverflow(last.frameNumber)
    return !passed.overflow && Double(passed.partialValue) == counted
  }
}
