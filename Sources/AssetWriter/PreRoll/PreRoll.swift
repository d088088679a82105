public import MediaCore

/// How much of what came before a take is kept in memory, encoded, so that the take can begin with
/// it.
public struct PreRoll: Hashable, Sendable {
  /// How much of the past is kept.
  public var duration: MediaTime
  /// The most memory that encoded frames and sound may take, in bytes; the past is shorter where
  /// that is not enough. Frames that are being encoded come on top, as always.
  public var byteLimit: Int64

  /// A pre-roll, of 1 GiB at most unless told otherwise.
  public init(duration: MediaTime, byteLimit: Int64 = 1 << 30) {
    self.duration = duration
    self.byteLimit = byteLimit
  }
}
