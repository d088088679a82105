import Foundation

/// Text in the encoding of PDF's standard fonts. Characters that it lacks are written as code
/// points, and counted.
struct WinAnsiText {
  /// The bytes, without a terminating zero.
  let bytes: [UInt8]
  /// The number of characters written as code points.
  let replacedCount: Int

  /// The characters between ASCII and Latin-1, from 0x80; zeros are unused.
  private static let upper: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152,
    0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  init(_ text: String) {
    var bytes: [UInt8] = []
    var replaced = 0
    // The encoding has a letter and its accent as one character.
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.value {
      case 0x20...0x7E, 0xA0...0xFF: bytes.append(UInt8(scalar.value))
      default:
        if let place = Self.upper.firstIndex(of: scalar.value), scalar.value != 0 {
          bytes.append(UInt8(0x80 + place))
        } else {
          bytes += CopyReport.visible(scalar).utf8
          replaced += 1
        }
      }
    }
    self.bytes = bytes
    replacedCount = replaced
  }
}
