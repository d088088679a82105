import Foundation
import Testing

/// The command's words stay in the command: libraries are called by other programs, too.
struct CommandWordsTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  /// Lines of code of the libraries, without comments.
  private static func libraryLines() throws -> [(place: String, line: String)] {
    let files =
      FileManager.default.enumerator(atPath: sources.path)?
      .compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("recordctl/") }
      .flatMap { file in
        try String(contentsOf: sources.appending(path: file), encoding: .utf8)
          .split(separator: "\n").map { (file, String($0)) }
      }
      .filter { !$0.1.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
  }

  @Test func noLibraryNamesAVerbOrAnOptionOfTheCommand() throws {
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

  @Test func noLibraryKnowsAnExitStatusOfTheCommand() throws {
    for (place, line) in try Self.libraryLines() {
      #expect(!line.contains("exitStatus"), "\(place): \(line)")
    }
  }
}
