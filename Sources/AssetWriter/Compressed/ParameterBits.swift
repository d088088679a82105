/// The bits of a parameter set of H.264 or HEVC, from the first one to the last (ITU-T H.264, 7.2 and 9.1).
struct ParameterBits {
  private let bytes: [UInt8]
  private var place = 0
  /// True once more was read than there is; what was read then is zeros.
  private(set) var hasRunOut = false

  /// The bits of bytes without those that keep start codes out of them.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next bit.
  mutating func bit() -> Int {
    guard place < bytes.count * 8 else {
      hasRunOut = true
      return 0
    }
    defer { place += 1 }
    return Int(bytes[place / 8] >> (7 - place % 8) & 1)
  }

  /// The next bit as a flag.
  mutating func flag() -> Bool { bit() == 1 }

  /// A number of up to 32 bits.
  mutating func number(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 1 | bit() }
    return value
  }

  /// Passes bits.
  mutating func skip(_ count: Int) {
    hasRunOut = hasRunOut || count > bytes.count * 8 - place
    place = min(place + count, bytes.count * 8)
  }

  /// An Exp-Golomb number of zero or more, `ue(v)`.
  mutating func unsigned() -> Int {
    var zeros = 0
    while !hasRunOut, !flag() { zeros += 1 }
    guard zeros <= 32 else {
      hasRunOut = true
      return 0
    }
    return 1 << zeros - 1 + number(zeros)
  }

  /// An Exp-Golomb number with a sign, `se(v)`.
  mutating func signed() -> Int {
    let value = unsigned()
    return value & 1 == 1 ? (value + 1) / 2 : -(value / 2)
  }
}
