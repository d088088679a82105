/// How far an offload has come.
public struct OffloadProgress: Sendable, Hashable {
  /// Bytes of the source that are written and read back on the slowest disk that still works.
  public var bytesDone: Int64
  /// Bytes of the source.
  public var bytesTotal: Int64
  /// Seconds since the beginning.
  public var seconds: Double
  /// The file that is being read.
  public var path: String

  package init(bytesDone: Int64, bytesTotal: Int64, seconds: Double, path: String) {
    (self.bytesDone, self.bytesTotal) = (bytesDone, bytesTotal)
    (self.seconds, self.path) = (seconds, path)
  }

  /// Bytes a second so far; nil before there is anything to measure.
  public var bytesPerSecond: Double? {
    seconds >= 0.5 && bytesDone > 0 ? Double(bytesDone) / seconds : nil
  }

  /// Seconds until the end at the speed so far; nil before there is anything to measure.
  public var secondsLeft: Double? {
    bytesPerSecond.map { Double(max(bytesTotal - bytesDone, 0)) / $0 }
  }
}
