import Testing

@testable import MediaCore

/// Bytes that are written in text as a mark and digits.
struct EscapedBytesTests {
  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%BC", "\u{FC}"), ("100%", "100%"), ("%2", "%2"), ("%zz%41", "%zzA"),
    // UInt8 would read these as 15 and 0.
    ("%+f", "%+f"), ("%-0", "%-0"),
  ])
  func percent_escapes_are_decoded_to_bytes(text: String, decoded: String) {
    #expect(PercentEncoding.decode(text) == decoded)
  }

  @Test(arguments: [
    (#"/media/A\040B"#, "/media/A B"), (#"\134"#, #"\"#), (#"\08"#, #"\08"#), (#"\777"#, #"\777"#),
  ])
  func octal_escapes_are_decoded_to_bytes(text: String, decoded: String) {
    #expect(
      EscapedBytes.decode(text, mark: UInt8(ascii: "\\"), digits: 3, radix: 8) == decoded)
  }
}
