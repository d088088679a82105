public import MediaCore

/// How much of what came before a take is kept in memory, encoded, so that the take can begin with
/// it.
public struct PreRoll: Hashable, Sendable {
  /// How much of the past is kept.
  public var duration: MediaTime
  /// The maximum memory for encoded frames and audio, in bytes; the pre-roll is shorter if that
  /// is not enough. Frames that are being encoded are not included.
  public var byteLimit: Int64
  /// How much more is kept, so that a take can begin with a frame of a moment ago.
  public var margin: MediaTime

  /// A pre-roll, of 1 GiB at most unless told otherwise, without a margin.
  public init(
    duration: MediaTime, byteLimit: Int64 = 1 << 30, margin: MediaTime = .zero
  ) {
    self.duration = duration
    self.byteLimit = byteLimit
    self.margin = margin
  }

  /// All that is kept.
  var keptDuration: MediaTime { duration + margin }
}
