/// The progress of an offload.
public struct OffloadProgress: Sendable, Hashable {
  /// The progress in bytes of the source on the slowest disk that still works; writing and reading
  /// back count half each.
  public var bytesDone: Int64
  /// The size of the source in bytes.
  public var bytesTotal: Int64
  /// Seconds since the start.
  public var seconds: Double
  /// The file that is being read.
  public var path: String

  package init(bytesDone: Int64, bytesTotal: Int64, seconds: Double, path: String) {
    (self.bytesDone, self.bytesTotal) = (bytesDone, bytesTotal)
    (self.seconds, self.path) = (seconds, path)
  }

  /// The average speed in bytes per second; nil while it is too early to tell.
  public var bytesPerSecond: Double? {
    seconds >= 0.5 && bytesDone > 0 ? Double(bytesDone) / seconds : nil
  }

  /// The remaining time in seconds at the average speed; nil while it is too early to tell.
  public var secondsLeft: Double? {
    bytesPerSecond.map { Double(max(bytesTotal - bytesDone, 0)) / $0 }
  }
}
