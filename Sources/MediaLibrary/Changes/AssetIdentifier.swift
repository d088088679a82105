/// Makes identifiers of assets: random ones (RFC 9562, version 4). Foundation's `UUID` formats its
/// text with a formatter, which takes noticeable time for a thousand files.
enum AssetIdentifier {
  /// True for an identifier that is safe in a file name.
  static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// A new random identifier.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    var bits = (high: generator.next(), low: generator.next())
    bits.high = bits.high & ~0xF000 | 0x4000
    bits.low = bits.low & ~(0b11 << 62) | 0b10 << 62
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for digit in 0..<32 {
        if digit & 3 == 0, (8...20).contains(digit) {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = digit < 16 ? bits.high : bits.low
        let value = UInt8(truncatingIfNeeded: half >> (60 - 4 * (digit & 15))) & 15
        text[place] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
        place += 1
      }
      return place
    }
  }
}
