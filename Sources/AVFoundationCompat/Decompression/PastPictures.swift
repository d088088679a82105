import AssetReader

/// The frames decoded since the last key frame. A flushed decoder restarts and needs them again before frames that
/// depend on them.
struct PastPictures {
  private var pictures: [[UInt8]] = []
  private var byteCount = 0
  /// False before the first key frame, and if the limits are exceeded.
  private var isWhole = false
  private var isOwed = false

  /// More than any usual key frame interval: 64 MiB or 1000 frames.
  private static let limits = (bytes: 64 << 20, count: 1000)

  /// Records a frame before it is decoded.
  mutating func note(_ bytes: [UInt8], isSync: Bool) {
    if isSync { (pictures, byteCount, isWhole) = ([], 0, true) }
    guard isWhole else { return }
    pictures.append(bytes)
    byteCount += bytes.count
    if byteCount > Self.limits.bytes || pictures.count > Self.limits.count {
      (pictures, byteCount, isWhole) = ([], 0, false)
    }
  }

  /// Called when the decoder has been flushed.
  mutating func decoderBeginsAnew() { isOwed = true }

  /// Feeds a restarted decoder the frames that the next one depends on. Their output was already delivered.
  mutating func prepare(_ decoder: PacketDecoder, for next: CompressedPicture) {
    guard isOwed else { return }
    isOwed = false
    guard !next.isSync else { return }
    for bytes in pictures {
      bytes.withUnsafeBytes { bytes in
        // Nothing waits for number -1. Errors were reported the first time.
        _ = try? decoder.decode(bytes, number: -1)
      }
    }
  }
}
