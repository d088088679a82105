/// Text in which a mark and digits stand for a byte, as `%2F` in addresses and `\040` in `/proc`.
package enum EscapedBytes {
  /// Replaces each mark that is followed by the digits of a byte; everything else stays.
  ///
  /// - Parameters:
  ///   - text: The text, as UTF-8.
  ///   - mark: What precedes the digits.
  ///   - count: How many digits follow.
  ///   - radix: Their base: 8 or 16.
  /// - Returns: The text of the bytes. Bytes that are not UTF-8 become U+FFFD.
  package static func decode(
    _ text: some StringProtocol, mark: UInt8, digits count: Int, radix: Int
  ) -> String {
    let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(count)
      // UInt8 would take a sign for a digit.
      if byte == mark, digits.count == count, !digits.contains(where: { signs.contains($0) }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
      {
        bytes.append(value)
        rest = rest.dropFirst(count)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
