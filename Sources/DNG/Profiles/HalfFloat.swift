import CRawKernels

/// Floating-point numbers of 16 bits.
enum HalfFloat {
  /// The number of some bits.
  static func value(_ bits: UInt16) -> Float {
    var value: Float = 0
    withUnsafeBytes(of: bits.littleEndian) {
      raw_floats($0.bindMemory(to: UInt8.self).baseAddress, 2, 1, 0, &value)
    }
    return value
  }
}
