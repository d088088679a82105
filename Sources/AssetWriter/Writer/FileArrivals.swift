/// Frames that the movie has and that are not in the file yet: they get there with their fragment.
struct FileArrivals {
  private struct Frame {
    /// When its latency began; nil for what a frame fills behind a cut.
    var origin: Int64?
    /// Times that it is in the movie.
    var copies: Int
  }

  private var frames = FIFO<Frame>()
  private var count = 0

  /// A frame was handed to the movie so many times.
  mutating func append(origin: Int64?, copies: Int) {
    frames.append(Frame(origin: origin, copies: copies))
    count += copies
  }

  /// Takes out the frames that have reached the file.
  ///
  /// - Parameters:
  ///   - waiting: The copies that have not.
  ///   - arrived: Told when the latency of each began.
  mutating func settle(waiting: Int, _ arrived: (_ origin: Int64) -> Void) {
    while let first = frames.first, count - first.copies >= waiting {
      _ = frames.popFirst()
      count -= first.copies
      if let origin = first.origin { arrived(origin) }
    }
  }
}
