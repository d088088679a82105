/// Digits of five by seven dots.
enum PatternFont {
  /// Dots from a character to the next one.
  static let cellWidth = 6
  /// Dots from a line to the next one: one empty row above, seven of the character, one below.
  static let cellHeight = 9

  /// True where a character has a dot; a character that is not known is blank.
  static func hasDot(_ character: UInt8, column: Int, row: Int) -> Bool {
    guard (1...7).contains(row), (0..<5).contains(column), let rows = glyphs[character] else {
      return false
    }
    return rows[row - 1] >> UInt8(4 - column) & 1 == 1
  }

  private static let glyphs: [UInt8: [UInt8]] = [
    0x30: [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    0x31: [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    0x32: [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    0x33: [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    0x34: [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    0x35: [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    0x36: [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    0x37: [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    0x38: [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    0x39: [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    0x3A: [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000],
    0x3B: [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b01000],
  ]
}
