import MediaCore
import QuickTime

/// A checksum of a frame's pixels, without the padding between rows.
enum PictureDigest {
  static func digest(_ picture: PixelBuffer) -> UInt64 {
    var sum = XXHash64()
    for number in 0..<picture.planeCount {
      let plane = picture.plane(number)
      let length = min(
        picture.format.minimumBytesPerRow(plane: number, width: picture.width), plane.bytesPerRow)
      picture.withUnsafeBytes(ofPlane: number) { bytes in
        for row in 0..<plane.rows {
          let first = row * plane.bytesPerRow
          sum.update(UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]))
        }
      }
    }
    return sum.digest
  }
}
