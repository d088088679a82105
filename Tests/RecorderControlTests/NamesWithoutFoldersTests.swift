import Testing

@testable import RecorderControl

/// What clients on the network learn about file names.
struct NamesWithoutFoldersTests {
  @Test(arguments: [
    ("cannot open /media/card/a.mov: full", "cannot open a.mov: full"),
    ("cannot open /media/card/\u{301}a.mov: full", "cannot open \u{301}a.mov: full"),
    ("'/\u{301}card/b/\u{200D}a.mov'", "'\u{200D}a.mov'"),
    ("25/1 and a/b", "25/1 and a/b"),
  ])
  func folders_are_removed_from_paths_before_any_file_name(text: String, reported: String) {
    #expect(Array(text.withoutPaths.unicodeScalars) == Array(reported.unicodeScalars))
  }
}
