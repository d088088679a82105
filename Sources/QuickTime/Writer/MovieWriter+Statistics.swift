extension MovieWriter {
  /// What writing has cost so far. A queue before the writer can tell a slow disk from it before it
  /// is full.
  public struct Statistics: Sendable, Hashable {
    /// Bytes of the file that are written.
    public var bytesWritten: UInt64 = 0
    /// Fragments that are written whole.
    public var fragmentCount = 0
    /// Nanoseconds spent in writes.
    public var writeTime: UInt64 = 0
    /// Nanoseconds spent in syncs.
    public var syncTime: UInt64 = 0
    /// Nanoseconds that the slowest fragment took to write and sync.
    public var slowestFragment: UInt64 = 0

    /// Bytes a second that the disk has taken, as far as the writer had to wait for it; nil before
    /// the first fragment.
    public var bytesPerSecond: Double? {
      let time = writeTime + syncTime
      return time > 0 ? Double(bytesWritten) / (Double(time) / 1e9) : nil
    }
  }
}
