/// What a V4L2 stream has done since it started.
public struct V4L2CaptureStatistics: Sendable, Hashable {
  /// Frames handed to the handler, the damaged among them.
  public var delivered = 0
  /// Frames that the device flagged as damaged or wrote in part.
  public var damaged = 0
  /// Compressed frames that could not be decoded, so were not delivered.
  public var undecodable = 0
  /// Frames missing from the device's sequence.
  public var sequenceGaps = 0
  /// Frames missing because every buffer was held by consumers.
  public var outOfBuffers = 0
  /// How often the device's sequence restarted.
  public var sequenceRestarts = 0
  /// Times that the device's clock jumped or went back.
  public var clockJumps = 0
  /// The sequence number of the last frame.
  public var lastSequence: UInt32?
  /// Where the device takes its time stamps; nil before the first frame.
  public var timestampSource: TimestampSource?

  /// What a device's time stamps are of.
  public enum TimestampSource: String, Sendable, Hashable {
    /// CLOCK_MONOTONIC at the moment the first byte was exposed.
    case startOfExposure
    /// CLOCK_MONOTONIC at the moment the last byte came; frames begin one duration before.
    case endOfFrame
    /// Of a clock that the device does not name; tied to the moment of arrival.
    case unknown
  }

  /// Nothing done.
  public init() {}

  /// Frames that are missing, for whatever reason.
  public var lost: Int { sequenceGaps + outOfBuffers + undecodable }
}
