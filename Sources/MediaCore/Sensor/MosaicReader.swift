/// Reads a sensor's samples from a frame, in whatever layout the device delivered it.
public enum MosaicReader {
  /// The samples of a mosaic, row by row without padding; not one is changed.
  ///
  /// Bits above the format's depth, which a driver may leave undefined, are taken away.
  ///
  /// - Throws: ``MediaCoreError/Code/unsupportedConversion`` if the frame is not a mosaic.
  public static func samples(of frame: PixelBuffer) throws(MediaCoreError) -> [UInt16] {
    let table = frame.format.descriptor
    guard table.bayerPattern != nil else {
      throw MediaCoreError(
        .unsupportedConversion,
        "\(frame.format) is not a Bayer format; take stills from a Bayer sensor")
    }
    let (width, height) = (frame.width, frame.height)
    let stride = frame.bytesPerRow(plane: 0)
    let depth = table.bitDepth
    return frame.withUnsafeBytes(ofPlane: 0) { bytes in
      [UInt16](unsafeUninitializedCapacity: width * height) { samples, count in
        for row in 0..<height {
          let source = UnsafeRawBufferPointer(rebasing: bytes[(row * stride)...])
          let target = UnsafeMutableBufferPointer(
            rebasing: samples[row * width..<(row + 1) * width])
          switch (table.packing, depth) {
          case (.mosaicPacked, _): unpack(source, depth: depth, into: target)
          case (_, 8): for column in 0..<width { target[column] = UInt16(source[column]) }
          default:
            let mask = UInt16(truncatingIfNeeded: (1 << depth) - 1)
            for column in 0..<width {
              let word = source.loadUnaligned(fromByteOffset: 2 * column, as: UInt16.self)
              target[column] = UInt16(littleEndian: word) & mask
            }
          }
        }
        count = width * height
      }
    }
  }

  /// Groups of samples: the upper eight bits of each, then the lower bits of all.
  private static func unpack(
    _ source: UnsafeRawBufferPointer, depth: Int, into target: UnsafeMutableBufferPointer<UInt16>
  ) {
    let group = depth == 12 ? 2 : 4
    let lower = depth - 8
    let bytesPerGroup = group * depth / 8
    let mask = UInt32(1 << lower) - 1
    for column in 0..<target.count {
      let (number, place) = (column / group, column % group)
      let start = number * bytesPerGroup
      var bits: UInt32 = 0
      for byte in (group..<bytesPerGroup).reversed() {
        bits = bits << 8 | UInt32(source[start + byte])
      }
      let low = bits >> UInt32(place * lower) & mask
      target[column] = UInt16(source[start + place]) << UInt16(lower) | UInt16(low)
    }
  }
}
