import AssetReader

/// The frames decoded since the last key frame. A flushed decoder restarts and needs them again before frames that
/// depend on them.
struct PastFrames {
  private var frames: [[UInt8]] = []
  private var byteCount = 0
  /// False before the first key frame, and if the limits are exceeded.
  private var isWhole = false
  private var isOwed = false

  /// More than any usual key frame interval: 64 MiB or 1000 frames.
  private static let limits = (bytes: 64 << 20, count: 1000)

  /// Records a frame before it is decoded.
  mutating func note(_ bytes: [UInt8], isSync: Bool) {
    if isSync { (frames, byteCount, isWhole) = ([], 0, true) }
    guard isWhole else { return }
    frames.append(bytes)
    byteCount += bytes.count
    if byteCount > Self.limits.bytes || frames.count > Self.limits.count {
      (frames, byteCount, isWhole) = ([], 0, false)
    }
  }

  /// Called when the decoder has been flushed.
  mutating func decoderRestarts() { isOwed = true }

  /// Feeds a restarted decoder the frames that the next one depends on. Their output was already delivered.
  mutating func prepare(_ decoder: PacketDecoder, for next: CompressedFrame) {
    guard isOwed else { return }
    isOwed = false
    guard !next.isSync else { return }
    for bytes in frames {
      bytes.withUnsafeBytes { bytes in
        // Nothing waits for number -1. Errors were reported the first time.
        _ = try? decoder.decode(bytes, number: -1)
      }
    }
  }
}
