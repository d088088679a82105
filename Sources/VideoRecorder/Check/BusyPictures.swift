import MediaCore

/// Pictures that are hard to compress, in any layout: what a codec needs its whole rate for.
enum BusyPictures {
  /// Makes `count` pictures that differ.
  static func make(
    _ description: PixelBuffer.Description, count: Int
  ) throws(MediaCoreError) -> [PixelBuffer] {
    var pictures: [PixelBuffer] = []
    for number in 0..<count {
      let picture = try PixelBuffer(description)
      for plane in 0..<picture.planeCount {
        let stride = picture.bytesPerRow(plane: plane)
        picture.withMutableBytes(ofPlane: plane) { bytes in
          fill(bytes, stride: stride, format: description.format, seed: UInt64(number * 8 + plane))
        }
      }
      pictures.append(picture)
    }
    return pictures
  }

  /// Noise of an eighth of the range over a slow ramp: about what grain and detail come to.
  private static func fill(
    _ bytes: UnsafeMutableRawBufferPointer, stride: Int, format: PixelFormat, seed: UInt64
  ) {
    let table = format.descriptor
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    func noise() -> UInt32 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt32(truncatingIfNeeded: state >> 32)
    }
    /// A sample of `bits`, of any byte offset.
    func sample(_ offset: Int, bits: Int) -> UInt32 {
      let row = offset / stride
      let ramp = UInt32((offset % stride) / 16 + row) & 127
      let code = 64 + ramp + (noise() & 31)
      return bits >= 8 ? code << UInt32(bits - 8) | (noise() & ((1 << UInt32(bits - 8)) - 1)) : code
    }
    switch format.bytesPerSample {
    case 2:
      for offset in Swift.stride(from: 0, to: bytes.count - 1, by: 2) {
        let value = UInt16(truncatingIfNeeded: sample(offset, bits: table.bitDepth))
        bytes.storeBytes(
          of: (value << UInt16(table.shift)).littleEndian, toByteOffset: offset, as: UInt16.self)
      }
    case 1:
      for offset in bytes.indices {
        bytes[offset] = UInt8(truncatingIfNeeded: sample(offset, bits: 8))
      }
    default:
      // Three samples of ten bits a word, as in v210; packed bits of other kinds come out as noise.
      for offset in Swift.stride(from: 0, to: bytes.count - 3, by: 4) {
        let word =
          sample(offset, bits: 10) | sample(offset, bits: 10) << 10 | sample(offset, bits: 10) << 20
        bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
      }
    }
  }
}
