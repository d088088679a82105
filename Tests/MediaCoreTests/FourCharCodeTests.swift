import MediaCore
import Testing

@Suite struct FourCharCodeTests {
  @Test func the_first_character_is_the_highest_byte_but_lowest_in_v4l2() {
    let code: FourCharCode = "apch"
    #expect(code.rawValue == 0x6170_6368)
    #expect(code.v4l2 == 0x6863_7061)
    #expect(FourCharCode(v4l2: code.v4l2) == code)
    // v4l2_fourcc('Y', 'U', 'Y', 'V')
    #expect(("YUYV" as FourCharCode).v4l2 == 0x5659_5559)
  }

  @Test(
    arguments: [
      ("abc", nil), ("abcde", nil), ("", nil), ("abc€", nil), ("©nam", 0xA96E_616D),
      ("apch", 0x6170_6368),
    ] as [(String, UInt32?)])
  func only_strings_of_four_bytes_are_codes(text: String, number: UInt32?) {
    #expect(FourCharCode(text)?.rawValue == number)
  }

  @Test func a_short_literal_is_padded_with_spaces() {
    #expect(("Y8" as FourCharCode).rawValue == 0x5938_2020)
  }

  @Test func unprintable_bytes_are_written_as_hex_escapes() {
    #expect(FourCharCode(rawValue: 0x6162_6300).description == "abc\\x00")
    #expect(FourCharCode(rawValue: 0xFF62_630A).description == "\\xffbc\\x0a")
    #expect(("BGR3" as FourCharCode).description == "BGR3")
  }
}
