/// Stores a sensor's samples in a device's layout: the inverse of ``MosaicReader``.
public enum MosaicWriter {
  /// Fills a frame of a mosaic format.
  ///
  /// - Throws: ``MediaCoreError/Code/unsupportedConversion`` if the frame is not a mosaic,
  ///   ``MediaCoreError/Code/invalidLayout`` if there are not as many samples as pixels.
  public static func store(
    _ samples: [UInt16], into frame: inout MutablePixelBuffer
  ) throws(MediaCoreError) {
    let table = frame.format.descriptor
    guard table.bayerPattern != nil else {
      throw MediaCoreError(.unsupportedConversion, "\(frame.format) is not a Bayer format")
    }
    let (width, height) = (frame.width, frame.height)
    guard samples.count == width * height else {
      throw MediaCoreError(
        .invalidLayout, "\(width)x\(height) pixels are not filled by \(samples.count) samples")
    }
    let stride = frame.bytesPerRow(plane: 0)
    let depth = table.bitDepth
    let isLittleEndian = UInt16(1).littleEndian == 1
    let words = isLittleEndian ? samples : samples.map(\.littleEndian)
    frame.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      for row in 0..<height {
        let line = samples[row * width..<(row + 1) * width]
        let target = UnsafeMutableRawBufferPointer(rebasing: bytes[(row * stride)...])
        switch (table.packing, depth) {
        case (.mosaicPacked, _): pack(line, depth: depth, into: target)
        case (_, 8):
          for (column, sample) in line.enumerated() {
            target[column] = UInt8(truncatingIfNeeded: sample)
          }
        default:
          words[row * width..<(row + 1) * width].withUnsafeBytes { target.copyMemory(from: $0) }
        }
      }
    }
  }

  private static func pack(
    _ line: ArraySlice<UInt16>, depth: Int, into target: UnsafeMutableRawBufferPointer
  ) {
    let group = depth == 12 ? 2 : 4
    let lower = depth - 8
    let bytesPerGroup = group * depth / 8
    for number in 0..<(line.count + group - 1) / group {
      let start = number * bytesPerGroup
      var bits: UInt32 = 0
      for place in 0..<group {
        let index = line.startIndex + number * group + place
        let sample = index < line.endIndex ? UInt32(line[index]) : 0
        target[start + place] = UInt8(truncatingIfNeeded: sample >> UInt32(lower))
        bits |= (sample & (1 << UInt32(lower) - 1)) << UInt32(place * lower)
      }
      for byte in 0..<bytesPerGroup - group {
        target[start + group + byte] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * byte))
      }
    }
  }
}
