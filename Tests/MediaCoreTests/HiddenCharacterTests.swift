import Testing

@testable import MediaCore

/// Invisible characters that terminals, lists and browsers obey.
struct HiddenCharacterTests {
  @Test(arguments: [
    ("a\u{7}b\u{1B}", "the control character U+0007"), ("\u{7F}", "the control character U+007F"),
    ("x\u{85}", "the control character U+0085"), ("x\u{9F}", "the control character U+009F"),
    ("x\u{2028}y", "the line break U+2028"), ("x\u{2029}y", "the line break U+2029"),
    ("x\u{202E}vom.y", "U+202E, which reverses the order of letters"),
    ("x\u{2066}", "U+2066, which reverses the order of letters"),
    // A line feed and a combining mark are one character of two scalars.
    ("\r\n", "the control character U+000D"), ("\n\u{301}", "the control character U+000A"),
  ])
  func invisible_characters_are_found_and_named(text: String, name: String) {
    #expect(text.firstHiddenCharacter?.description == name)
  }

  @Test(arguments: ["", "A001", "Türé 12/B", "שלום", "新しい", "👩‍👩‍👧", "e\u{301}", "a\u{A0}b"])
  func ordinary_text_has_no_hidden_characters(text: String) {
    #expect(text.firstHiddenCharacter == nil)
  }
}
