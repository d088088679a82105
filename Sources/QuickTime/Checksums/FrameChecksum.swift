/// The xxHash64 of a frame, with what a file's checksum needs to go on behind the frame without reading it.
package struct FrameChecksum: Sendable, Hashable {
  /// The xxHash64 of its bytes, seed 0.
  package let value: UInt64
  /// Where the hash stands behind the frame's whole stripes; nil if that is not known.
  let lanes: SIMD4<UInt64>?

  /// Takes the checksum of a frame.
  package init(_ frame: UnsafeRawBufferPointer) {
    var sum = XXHash64()
    sum.update(frame)
    (value, lanes) = (sum.digest, sum.lanes)
  }

  /// A checksum that is known.
  ///
  /// A movie that was written with checksums fills a frame's last block so that the hash stands there where
  /// it began; from that it is followed back to the frame's end. What does not lead to the frame's
  /// checksum, damaged or of another writer, is not made use of.
  ///
  /// - Parameters:
  ///   - value: The checksum of the frame.
  ///   - byteCount: Bytes of the frame.
  ///   - blocks: The whole blocks that begin with the frame, as the movie has them; or as many bytes of them as
  ///     were read.
  package init(_ value: UInt64, ofFrame byteCount: Int, in blocks: UnsafeRawBufferPointer) {
    self.value = value
    lanes = Self.lanes(value, byteCount, blocks)
  }

  private static func lanes(
    _ value: UInt64, _ byteCount: Int, _ blocks: UnsafeRawBufferPointer
  ) -> SIMD4<UInt64>? {
    let stripe = XXHash64.stripeSize
    // A checksum of less than a stripe does not involve the lanes.
    guard byteCount >= stripe, blocks.count - byteCount >= stripe,
      blocks.count % Int(FileLayout.blockSize) == 0
    else { return nil }
    let end = byteCount / stripe * stripe
    var lanes = XXHash64.initialLanes
    for place in stride(from: blocks.count - stripe, through: end, by: -stripe) {
      lanes = XXHash64.lanes(
        before: UnsafeRawBufferPointer(rebasing: blocks[place..<place + stripe]), to: lanes)
    }
    var sum = XXHash64(after: UInt64(end), lanes: lanes)
    sum.update(UnsafeRawBufferPointer(rebasing: blocks[end..<byteCount]))
    return sum.digest == value ? lanes : nil
  }
}
