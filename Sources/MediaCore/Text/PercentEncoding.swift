/// Text in addresses (RFC 3986): all but letters, digits and `-._~` as `%XX`, which is also how Amazon's
/// Signature Version 4 writes paths and queries.
package enum PercentEncoding {
  package static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where keepsSlashes: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
  }

  /// Turns `%XX` into bytes; text that is not encoded stays.
  package static func decode(_ text: String) -> String {
    EscapedBytes.decode(text, mark: UInt8(ascii: "%"), digits: 2, radix: 16)
  }
}
