/// The value of a TIFF entry, with its type.
package enum TIFFValue: Hashable, Sendable {
  case bytes([UInt8])
  case ascii(String)
  case shorts([UInt16])
  case longs([UInt32])
  case rationals([Rational])
  case signedRationals([SignedRational])
  case undefined([UInt8])
  case floats([Float])
  case doubles([Double])
  case signedBytes([Int8])
  case signedShorts([Int16])
  case signedLongs([Int32])
  /// BigTIFF's LONG8 and IFD8.
  case long8s([UInt64])
  case signedLong8s([Int64])

  /// A fraction of unsigned numbers.
  package struct Rational: Hashable, Sendable {
    package var numerator: UInt32
    package var denominator: UInt32
    /// The nearest fraction with a suitable denominator; 0 for values that are not positive and
    /// finite.
    package init(_ value: Double) {
      guard value.isFinite, value > 0 else {
        (numerator, denominator) = (0, 1)
        return
      }
      // Write shutter speeds as 1/n.
      let inverse = 1 / value
      if value < 1, inverse < 4_000_000, abs(inverse - inverse.rounded()) < inverse * 1e-9 {
        (numerator, denominator) = (1, UInt32(inverse.rounded()))
        return
      }
      denominator = value < 4_000 ? 1_000_000 : 1
      numerator = UInt32(min((value * Double(denominator)).rounded(), 4_294_967_295))
    }
    package var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
    package init(numerator: UInt32, denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// A fraction of signed numbers.
  package struct SignedRational: Hashable, Sendable {
    package var numerator: Int32
    package var denominator: Int32
    /// The nearest fraction in millionths, or in integers for large values.
    package init(_ value: Double) {
      let number = value.isFinite ? value : 0
      denominator = abs(number) < 2_000 ? 1_000_000 : 1
      numerator = Int32(
        min(max((number * Double(denominator)).rounded(), -2_147_483_647), 2_147_483_647))
    }
    package var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
    package init(numerator: Int32, denominator: Int32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// The type's number in TIFF.
  package var typeCode: UInt16 {
    switch self {
    case .bytes: 1
    case .ascii: 2
    case .shorts: 3
    case .longs: 4
    case .rationals: 5
    case .signedBytes: 6
    case .undefined: 7
    case .signedShorts: 8
    case .signedLongs: 9
    case .signedRationals: 10
    case .floats: 11
    case .doubles: 12
    case .long8s: 16
    case .signedLong8s: 17
    }
  }

  /// The count of the entry.
  package var count: Int {
    switch self {
    case .bytes(let values), .undefined(let values): values.count
    case .ascii(let text): text.utf8.count + 1
    case .shorts(let values): values.count
    case .longs(let values): values.count
    case .rationals(let values): values.count
    case .signedRationals(let values): values.count
    case .floats(let values): values.count
    case .doubles(let values): values.count
    case .signedBytes(let values): values.count
    case .signedShorts(let values): values.count
    case .signedLongs(let values): values.count
    case .long8s(let values): values.count
    case .signedLong8s(let values): values.count
    }
  }

  /// The value as little-endian bytes.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    switch self {
    case .bytes(let values), .undefined(let values): return values
    case .ascii(let text): return Array(text.utf8.map { $0 == 0 ? 32 : $0 }) + [0]
    case .shorts(let values): for value in values { append(value) }
    case .longs(let values): for value in values { append(value) }
    case .rationals(let values):
      for value in values {
        append(value.numerator)
        append(value.denominator)
      }
    case .signedRationals(let values):
      for value in values {
        append(value.numerator)
        append(value.denominator)
      }
    case .floats(let values): for value in values { append(value.bitPattern) }
    case .doubles(let values): for value in values { append(value.bitPattern) }
    case .signedBytes(let values): for value in values { append(value) }
    case .signedShorts(let values): for value in values { append(value) }
    case .signedLongs(let values): for value in values { append(value) }
    case .long8s(let values): for value in values { append(value) }
    case .signedLong8s(let values): for value in values { append(value) }
    }
    return bytes
  }

  /// The values as numbers; empty for text.
  package var numbers: [Double] {
    switch self {
    case .bytes(let values), .undefined(let values): values.map { Double($0) }
    case .ascii: []
    case .shorts(let values): values.map { Double($0) }
    case .longs(let values): values.map { Double($0) }
    case .rationals(let values): values.map(\.value)
    case .signedRationals(let values): values.map(\.value)
    case .floats(let values): values.map { Double($0) }
    case .doubles(let values): values
    case .signedBytes(let values): values.map { Double($0) }
    case .signedShorts(let values): values.map { Double($0) }
    case .signedLongs(let values): values.map { Double($0) }
    case .long8s(let values): values.map { Double($0) }
    case .signedLong8s(let values): values.map { Double($0) }
    }
  }

  /// The first number; nil if there is none, or if it is a fraction with denominator 0, which means
  /// unknown or infinite.
  package var firstNumber: Double? {
    switch self {
    case .rationals(let parts) where parts.first?.denominator == 0: nil
    case .signedRationals(let parts) where parts.first?.denominator == 0: nil
    default: numbers.first
    }
  }

  /// True if any value is a fraction with denominator 0, which ``numbers`` returns as 0.
  package var hasZeroDenominator: Bool {
    switch self {
    case .rationals(let parts): parts.contains { $0.denominator == 0 }
    case .signedRationals(let parts): parts.contains { $0.denominator == 0 }
    default: false
    }
  }

  /// The values as integers; empty for types other than unsigned integers, and if any exceeds 2^63
  /// - 1.
  package var integers: [Int] {
    switch self {
    case .bytes(let values), .undefined(let values): values.map { Int($0) }
    case .shorts(let values): values.map { Int($0) }
    case .longs(let values): values.map { Int($0) }
    case .long8s(let values):
      values.allSatisfy { $0 <= UInt64(Int.max) } ? values.map { Int($0) } : []
    default: []
    }
  }

  /// The text, if the value is text.
  package var text: String? { if case .ascii(let text) = self { text } else { nil } }

  package static func short(_ value: Int) -> TIFFValue { .shorts([UInt16(clamping: value)]) }
  package static func long(_ value: Int) -> TIFFValue { .longs([UInt32(clamping: value)]) }
}
