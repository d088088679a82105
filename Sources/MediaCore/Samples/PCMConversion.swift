/// Changes how PCM samples are stored. Widening is exact; narrowing rounds to the nearest, halves up. Floats are
/// clipped to full scale, and NaN becomes silence.
package enum PCMConversion {
  /// Changes how samples are stored.
  ///
  /// - Parameter result: Takes the converted samples; its memory is kept where their size is the same.
  package static func convert(
    _ source: ArraySlice<UInt8>, from: AudioFormat.SampleFormat, to: AudioFormat.SampleFormat,
    into result: inout [UInt8]
  ) {
    let (width, newWidth) = (from.byteCount, to.byteCount)
    let count = source.count / width
    if result.count != count * newWidth {
      result = [UInt8](repeating: 0, count: count * newWidth)
    }
    guard from != to else {
      result.replaceSubrange(0..<count * width, with: source.prefix(count * width))
      return
    }
    source.withUnsafeBufferPointer { bytes in
      for index in 0..<count {
        // The sample at the top of 32 bits.
        var wide: UInt32 = 0
        for byte in 0..<width {
          wide |= UInt32(bytes[index * width + byte]) << UInt32((4 - width + byte) * 8)
        }
        switch (from, to) {
        case (.float32, _):
          wide = UInt32(bitPattern: code(of: Float(bitPattern: wide), to.bitDepth))
        case (_, .float32): wide = (Float(Int32(bitPattern: wide)) * 0x1p-31).bitPattern
        default: wide = narrowed(wide, from: from.bitDepth, to: to.bitDepth)
        }
        for byte in 0..<newWidth {
          result[index * newWidth + byte] = UInt8(truncatingIfNeeded: wide >> UInt32(byte * 8))
        }
      }
    }
  }

  /// The sample in the low bits, rounded.
  private static func narrowed(_ wide: UInt32, from depth: Int, to newDepth: Int) -> UInt32 {
    let dropped = UInt32(32 - newDepth)
    guard depth > newDepth else { return wide >> dropped }
    let (sum, overflow) = Int32(bitPattern: wide).addingReportingOverflow(1 << Int32(dropped - 1))
    return UInt32(bitPattern: overflow ? .max : sum) >> dropped
  }

  private static func code(of sample: Float, _ depth: Int) -> Int32 {
    guard !sample.isNaN else { return 0 }
    let full = Double(Int64(1) << Int64(depth - 1))
    return Int32(min(max((Double(sample) * full + 0.5).rounded(.down), -full), full - 1))
  }
}
