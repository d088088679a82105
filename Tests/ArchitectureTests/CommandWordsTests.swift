import Testing

/// The command's words stay in the command, because other programs use the libraries too.
struct CommandWordsTests {
  /// The libraries' lines of code, without comments, that contain a word.
  private static func libraryLines(
    holding word: String
  ) throws -> [(place: String, line: String)] {
    let libraries = try SourceTree.texts(below: "Sources")
      .filter { !$0.file.hasPrefix("recordctl/") && !$0.file.hasPrefix("recordctl-serve/") }
    #expect(libraries.count > 400, "the sources were not found")
    return libraries.flatMap { file, text in
      SourceTree.lines(of: text, holding: word).map { (file, $0) }
    }
    .filter { !$0.1.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
  }

  @Test func no_library_names_a_verb_or_an_option_of_the_command() throws {
    for (place, line) in try Self.libraryLines(holding: "recordctl ") {
      // The mark of version 1's sidecars, not a verb.
      let words = line.replacing("\"recordctl take\"", with: "")
      #expect(words.firstMatch(of: /recordctl [a-z]/) == nil, "\(place): \(line)")
    }
    for (place, line) in try Self.libraryLines(holding: "--") {
      // Options in a text, such as `--output`; Swift has no operator `--`.
      #expect(line.firstMatch(of: /[ '"`]--[a-z]/) == nil, "\(place): \(line)")
    }
  }

  @Test func no_library_knows_an_exit_status_of_the_command() throws {
    for (place, line) in try Self.libraryLines(holding: "exitStatus") {
      Issue.record("\(place): \(line)")
    }
  }

  @Test func lines_are_found_by_their_words() {
    let text = "a --b\nc\n--d --e"
    #expect(SourceTree.lines(of: text, holding: "--") == ["a --b", "--d --e"])
    #expect(SourceTree.lines(of: text, holding: "x").isEmpty)
  }
}
