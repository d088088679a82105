/// The value of a TIFF entry, with its type.
enum TIFFValue: Hashable, Sendable {
  case bytes([UInt8])
  case ascii(String)
  case shorts([UInt16])
  case longs([UInt32])
  case rationals([Rational])
  case signedRationals([SignedRational])
  case undefined([UInt8])
  case floats([Float])
  case doubles([Double])

  /// A fraction of unsigned numbers.
  struct Rational: Hashable, Sendable {
    var numerator: UInt32
    var denominator: UInt32
    /// The nearest fraction with a denominator that suits; 0 for what is no number.
    init(_ value: Double) {
      guard value.isFinite, value > 0 else {
        (numerator, denominator) = (0, 1)
        return
      }
      // A shutter's 1/n is written so.
      let inverse = 1 / value
      if value < 1, inverse < 4_000_000, abs(inverse - inverse.rounded()) < inverse * 1e-9 {
        (numerator, denominator) = (1, UInt32(inverse.rounded()))
        return
      }
      denominator = value < 4_000 ? 1_000_000 : 1
      numerator = UInt32(min((value * Double(denominator)).rounded(), 4_294_967_295))
    }
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
    init(numerator: UInt32, denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// A fraction of signed numbers.
  struct SignedRational: Hashable, Sendable {
    var numerator: Int32
    var denominator: Int32
    /// The nearest fraction of millionths, or of units for great values.
    init(_ value: Double) {
      let number = value.isFinite ? value : 0
      denominator = abs(number) < 2_000 ? 1_000_000 : 1
      numerator = Int32(
        min(max((number * Double(denominator)).rounded(), -2_147_483_647), 2_147_483_647))
    }
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
    init(numerator: Int32, denominator: Int32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// TIFF's number of the type.
  var typeCode: UInt16 {
    switch self {
    case .bytes: 1
    case .ascii: 2
    case .shorts: 3
    case .longs: 4
    case .rationals: 5
    case .undefined: 7
    case .signedRationals: 10
    case .floats: 11
    case .doubles: 12
    }
  }

  /// How many values there are, as the entry counts them.
  var count: Int {
    switch self {
    case .bytes(let values), .undefined(let values): values.count
    case .ascii(let text): text.utf8.count + 1
    case .shorts(let values): values.count
    case .longs(let values): values.count
    case .rationals(let values): values.count
    case .signedRationals(let values): values.count
    case .floats(let values): values.count
    case .doubles(let values): values.count
    }
  }

  /// The value in little-endian bytes.
  var encoded: [UInt8] {
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
    }
    return bytes
  }

  /// The values as numbers; empty for text.
  var numbers: [Double] {
    switch self {
    case .bytes(let values), .undefined(let values): values.map { Double($0) }
    case .ascii: []
    case .shorts(let values): values.map { Double($0) }
    case .longs(let values): values.map { Double($0) }
    case .rationals(let values): values.map(\.value)
    case .signedRationals(let values): values.map(\.value)
    case .floats(let values): values.map { Double($0) }
    case .doubles(let values): values
    }
  }

  /// Text, where it is some.
  var text: String? { if case .ascii(let text) = self { text } else { nil } }

  static func short(_ value: Int) -> TIFFValue { .shorts([UInt16(clamping: value)]) }
  static func long(_ value: Int) -> TIFFValue { .longs([UInt32(clamping: value)]) }
}
