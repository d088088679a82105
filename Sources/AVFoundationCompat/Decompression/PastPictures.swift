import AssetReader

/// The pictures that a decoder has had since the last key frame. One that has given all it holds begins anew, and has
/// to have them again before pictures that depend on them.
struct PastPictures {
  private var pictures: [[UInt8]] = []
  private var byteCount = 0
  /// False before the first key frame, and if there are more than are kept.
  private var isWhole = false
  private var isOwed = false

  /// More than any usual distance of key frames: 64 MiB, or 1000 pictures.
  private static let limits = (bytes: 64 << 20, count: 1000)

  /// Notes a picture before it is decoded.
  mutating func note(_ bytes: [UInt8], isSync: Bool) {
    if isSync { (pictures, byteCount, isWhole) = ([], 0, true) }
    guard isWhole else { return }
    pictures.append(bytes)
    byteCount += bytes.count
    if byteCount > Self.limits.bytes || pictures.count > Self.limits.count {
      (pictures, byteCount, isWhole) = ([], 0, false)
    }
  }

  /// The decoder has forgotten all.
  mutating func decoderBeginsAnew() { isOwed = true }

  /// Gives a decoder that has begun anew what the next picture depends on. What comes out has come out before.
  mutating func prepare(_ decoder: PacketDecoder, for next: CompressedPicture) {
    guard isOwed else { return }
    isOwed = false
    guard !next.isSync else { return }
    for bytes in pictures {
      bytes.withUnsafeBytes { bytes in
        // Numbers that nobody waits for. Damage was told the first time.
        _ = try? decoder.decode(bytes, number: -1)
      }
    }
  }
}
