/// What a V4L2 stream has done since it started.
package struct V4L2CaptureStatistics: Sendable, Hashable {
  /// Frames handed to the handler, the damaged among them.
  package var delivered = 0
  /// Frames that the device flagged as damaged or wrote in part.
  package var damaged = 0
  /// Compressed frames that could not be decoded, so were not delivered.
  package var undecodable = 0
  /// Frames missing from the device's sequence.
  package var sequenceGaps = 0
  /// Frames missing because every buffer was held by consumers.
  package var outOfBuffers = 0
  /// How often the device's sequence restarted.
  package var sequenceRestarts = 0
  /// Times that the device's clock jumped or went back.
  package var clockJumps = 0
  /// The sequence number of the last frame.
  package var lastSequence: UInt32?
  /// Where the device takes its time stamps; nil before the first frame.
  package var timestampSource: TimestampSource?

  /// What a device's time stamps are of.
  package enum TimestampSource: String, Sendable, Hashable {
    /// CLOCK_MONOTONIC at the moment the first byte was exposed.
    case startOfExposure
    /// CLOCK_MONOTONIC at the moment the last byte came; frames begin one duration before.
    case endOfFrame
    /// Of a clock that the device does not name; tied to the moment of arrival.
    case unknown
  }

  /// Nothing done.
  package init() {}

  /// Frames that are missing, for whatever reason.
  package var lost: Int { sequenceGaps + outOfBuffers + undecodable }
}
