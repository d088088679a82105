import CRawKernels

/// 16-bit floating-point numbers.
enum HalfFloat {
  /// The value of a half float's bits.
  static func value(_ bits: UInt16) -> Float {
    var value: Float = 0
    withUnsafeBytes(of: bits.littleEndian) {
      raw_floats($0.bindMemory(to: UInt8.self).baseAddress, 2, 1, 0, &value)
    }
    return value
  }
}
