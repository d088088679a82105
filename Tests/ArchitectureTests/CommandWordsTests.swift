import Testing

/// The command's words stay in the command: libraries are called by other programs, too.
struct CommandWordsTests {
  /// Lines of code of the libraries, without comments.
  private static func libraryLines() throws -> [(place: String, line: String)] {
    try SourceTree.texts(below: "Sources").filter { !$0.file.hasPrefix("recordctl/") }
      .flatMap { file, text in text.split(separator: "\n").map { (file, String($0)) } }
      .filter { !$0.1.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
  }

  @Test func no_library_names_a_verb_or_an_option_of_the_command() throws {
    let lines = try Self.libraryLines()
    #expect(lines.count > 10_000)
    for (place, line) in lines {
      // What sidecars of version 1 call themselves is no verb.
      let words = line.replacing("\"recordctl take\"", with: "")
      #expect(words.firstMatch(of: /recordctl [a-z]/) == nil, "\(place): \(line)")
      // Within a text: `--output`; the operator `--` is none of Swift's.
      #expect(line.firstMatch(of: /[ '"`]--[a-z]/) == nil, "\(place): \(line)")
    }
  }

  @Test func no_library_knows_an_exit_status_of_the_command() throws {
    for (place, line) in try Self.libraryLines() {
      #expect(!line.contains("exitStatus"), "\(place): \(line)")
    }
  }
}
