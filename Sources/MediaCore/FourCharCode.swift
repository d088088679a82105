/// A four-character code: the 32-bit identifier of codecs, pixel formats and QuickTime atoms.
///
/// The first character is the most significant byte, as in QuickTime files. V4L2 stores the first
/// character in the least significant byte: use ``init(v4l2:)`` and ``v4l2`` there.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
  /// The code as a big-endian number: `'apch'` is 0x6170_6368.
  public let rawValue: UInt32

  /// A code from its big-endian number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A code from its characters; nil unless there are exactly four, each in the range U+0000...U+00FF.
  public init?(_ string: String) {
    var value: UInt32 = 0
    var count = 0
    for scalar in string.unicodeScalars {
      guard scalar.value <= 0xFF, count < 4 else { return nil }
      value = value << 8 | scalar.value
      count += 1
    }
    guard count == 4 else { return nil }
    self.rawValue = value
  }

  /// A code as V4L2 carries it (`v4l2_fourcc`). The big-endian flag of bit 31 is kept as it is.
  public init(v4l2: UInt32) { self.rawValue = v4l2.byteSwapped }

  /// The code in V4L2's byte order.
  public var v4l2: UInt32 { rawValue.byteSwapped }
}

extension FourCharCode: ExpressibleByStringLiteral {
  /// A code from a literal of four characters; another length is padded with spaces or cut.
  public init(stringLiteral value: StaticString) {
    var code: UInt32 = 0
    value.withUTF8Buffer { bytes in
      for index in 0..<4 {
        code = code << 8 | UInt32(index < bytes.count ? bytes[index] : 0x20)
      }
    }
    self.rawValue = code
  }
}

extension FourCharCode: CustomStringConvertible {
  /// The four characters; a byte that does not print appears as `\xNN`.
  public var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      if byte >= 0x20 && byte < 0x7F {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        text += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
