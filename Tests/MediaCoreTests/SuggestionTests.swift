import MediaCore
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("rec", "record"), ("1080p25hq", "1080p25-hq"), ("pattren", "pattern"), ("vids", "videos"),
    ("HQ", "hq"), ("421", "422"), ("sise", "size"),
  ])
  func typos_and_abbreviations_suggest_the_right_name(text: String, name: String) {
    let names = [
      "recover", "record", "1080p25-422", "1080p25-hq", "pattern", "photos", "videos", "hq", "422",
      "size", "rate",
    ]
    #expect(Suggestion.nearest(to: text, in: names) == name)
  }

  @Test(arguments: ["h264", "", "x", "frobnicate", String(repeating: "a", count: 100_000)])
  func dissimilar_text_suggests_nothing(text: String) {
    let names = ["proxy", "lt", "422", "hq", "4444", "xq", ""]
    #expect(Suggestion.nearest(to: text, in: names) == nil)
    #expect(Suggestion.remark(on: text, among: names).isEmpty)
  }

  @Test func the_suggestion_is_worded_as_a_question() {
    #expect(Suggestion.remark(on: "lst", among: ["list"]) == " (did you mean 'list'?)")
  }

  @Test func an_unknown_key_is_reported_with_the_known_ones() {
    #expect(
      Suggestion.unknownKey("rat", among: ["rate", "size"])
        == "unknown key 'rat' (did you mean 'rate'?); known here: rate, size")
    #expect(Suggestion.unknownKey("x", among: ["rate"]) == "unknown key 'x'; known here: rate")
  }
}
