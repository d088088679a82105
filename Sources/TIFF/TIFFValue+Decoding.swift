extension TIFFValue {
  /// The size in bytes of one number of a TIFF type; nil for an unknown type.
  static func size(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Decodes a value from a file's bytes; nil for an unknown type, and for floating-point numbers
  /// that are not finite.
  init?(type: UInt16, bytes: [UInt8], isLittleEndian: Bool) {
    let numbers = ByteNumbers(bytes, isLittleEndian: isLittleEndian)
    switch type {
    case 1: self = .bytes(bytes)
    case 2: self = .ascii(Self.text(bytes.prefix { $0 != 0 }))
    case 3: self = .shorts(numbers.all(size: 2) { UInt16(truncatingIfNeeded: $0) })
    case 4, 13: self = .longs(numbers.all(size: 4) { UInt32(truncatingIfNeeded: $0) })
    case 5:
      let parts = numbers.all(size: 4) { UInt32(truncatingIfNeeded: $0) }
      self = .rationals(
        (0..<parts.count / 2).map {
          Rational(numerator: parts[2 * $0], denominator: parts[2 * $0 + 1])
        })
    case 6: self = .signedBytes(bytes.map { Int8(bitPattern: $0) })
    case 7: self = .undefined(bytes)
    case 8: self = .signedShorts(numbers.all(size: 2) { Int16(truncatingIfNeeded: $0) })
    case 9: self = .signedLongs(numbers.all(size: 4) { Int32(truncatingIfNeeded: $0) })
    case 10:
      let parts = numbers.all(size: 4) { Int32(truncatingIfNeeded: $0) }
      self = .signedRationals(
        (0..<parts.count / 2).map {
          SignedRational(numerator: parts[2 * $0], denominator: parts[2 * $0 + 1])
        })
    case 11:
      let values = numbers.all(size: 4) { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
      guard values.allSatisfy(\.isFinite) else { return nil }
      self = .floats(values)
    case 12:
      let values = numbers.all(size: 8) { Double(bitPattern: $0) }
      guard values.allSatisfy(\.isFinite) else { return nil }
      self = .doubles(values)
    case 16, 18: self = .long8s(numbers.all(size: 8) { $0 })
    case 17: self = .signedLong8s(numbers.all(size: 8) { Int64(bitPattern: $0) })
    default: return nil
    }
  }

  /// Decodes UTF-8, which includes ASCII; anything else is read as Latin-1, which many cameras and
  /// programs write.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
