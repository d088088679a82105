import QuickTime

/// Where the linear PCM of a WAV, AIFF or CAF file begins, and how much of it fits.
struct PlainAudioExtent {
  /// The offset of the first audio byte.
  let start: UInt64
  private let bytesPerFrame: Int
  /// Frames that the file has room for; nil for no limit.
  private let frameLimit: Int64?

  /// The largest number of bytes after the audio that a complete file needs.
  private static let tail: UInt64 = 64

  init(start: UInt64, bytesPerFrame: Int, maximumByteCount: UInt64?) {
    self.start = start
    self.bytesPerFrame = max(bytesPerFrame, 1)
    let end = start + Self.tail
    frameLimit = maximumByteCount.map {
      $0 > end ? Int64(clamping: ($0 - end) / UInt64(max(bytesPerFrame, 1))) : 0
    }
  }

  /// Frames that still fit behind those that are there.
  func room(after frames: Int64) -> Int {
    frameLimit.map { Int(clamping: max($0 - frames, 0)) } ?? .max
  }

  /// Whole frames in the first bytes of the file, of such a number that nothing has to be added to make their
  /// bytes even, as RIFF and AIFF want it.
  func frames(in size: UInt64) -> Int64 {
    guard size > start else { return 0 }
    let frames = Int64(clamping: (size - start) / UInt64(bytesPerFrame))
    return bytesPerFrame % 2 == 0 ? frames : frames & ~1
  }

  /// The byte behind so many frames.
  func end(of frames: Int64) -> UInt64 {
    start + UInt64(max(frames, 0)) * UInt64(bytesPerFrame)
  }
}
