import MediaCore
import QuickTime

/// A checksum of a frame's pixels, without the padding between rows.
enum FrameDigest {
  static func digest(_ frame: PixelBuffer) -> UInt64 {
    var sum = XXHash64()
    for number in 0..<frame.planeCount {
      let plane = frame.plane(number)
      let length = min(
        frame.format.minimumBytesPerRow(plane: number, width: frame.width), plane.bytesPerRow)
      frame.withUnsafeBytes(ofPlane: number) { bytes in
        for row in 0..<plane.rows {
          let first = row * plane.bytesPerRow
          sum.update(UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]))
        }
      }
    }
    return sum.digest
  }
}
