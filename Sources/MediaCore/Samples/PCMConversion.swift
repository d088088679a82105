/// Changes the depth of PCM samples. Widening is exact; narrowing rounds to the nearest, halves up.
package enum PCMConversion {
  /// Changes the depth of samples.
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
    let dropped = UInt32(32 - to.bitDepth)
    source.withUnsafeBufferPointer { bytes in
      for index in 0..<count {
        // The sample at the top of 32 bits.
        var wide: UInt32 = 0
        for byte in 0..<width {
          wide |= UInt32(bytes[index * width + byte]) << UInt32((4 - width + byte) * 8)
        }
        if from.bitDepth > to.bitDepth {
          let (sum, overflow) = Int32(bitPattern: wide).addingReportingOverflow(
            1 << Int32(dropped - 1))
          wide = UInt32(bitPattern: overflow ? .max : sum)
        }
        wide >>= dropped
        for byte in 0..<newWidth {
          result[index * newWidth + byte] = UInt8(truncatingIfNeeded: wide >> UInt32(byte * 8))
        }
      }
    }
  }
}
