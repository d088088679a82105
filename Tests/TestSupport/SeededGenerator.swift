/// SplitMix64: the same numbers in every run, so a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// The same number as `Int.random(in: 0..<bound, using:)`, whose generic code is slow without
  /// optimization.
  package mutating func number(below bound: Int) -> Int {
    let bound = UInt64(bound)
    while true {
      let (high, low) = next().multipliedFullWidth(by: bound)
      if low >= bound || low >= (0 &- bound) % bound { return Int(high) }
    }
  }

  /// The same number as `UInt16.random(in: 0..<bound, using:)`.
  package mutating func word(below bound: UInt16) -> UInt16 {
    while true {
      let product = UInt32(truncatingIfNeeded: next() & 0xFFFF) &* UInt32(bound)
      let low = UInt16(truncatingIfNeeded: product)
      if low >= bound || low >= (0 &- bound) % bound {
        return UInt16(truncatingIfNeeded: product >> 16)
      }
    }
  }

  /// This many bytes, eight from each number, because one number for each byte is slow without
  /// optimization.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      let bytes = UnsafeMutableRawBufferPointer(room)
      while filled + 8 <= count {
        bytes.storeBytes(of: next(), toByteOffset: filled, as: UInt64.self)
        filled += 8
      }
      while filled < count {
        bytes[filled] = UInt8(truncatingIfNeeded: next())
        filled += 1
      }
    }
  }
}
