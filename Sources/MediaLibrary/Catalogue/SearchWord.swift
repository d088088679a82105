import Foundation
import GRDB

/// A word that a search looks for, in any case and in either spelling of its letters: SQLite itself knows
/// only ASCII's cases, and names come composed, or as after a way over a Mac.
struct SearchWord {
  /// The word as it was given, its letters composed.
  private let text: String
  /// The word as texts are compared with it.
  let folded: String

  init(_ word: Substring) {
    text = word.precomposedStringWithCanonicalMapping
    folded = Self.folded(text)
  }

  /// True where SQLite's own comparison is as good.
  var isASCII: Bool { folded.utf8.allSatisfy { $0 < 128 } }

  /// True for one run of the index, which says all about it.
  var isRun: Bool { text.utf8.count == 3 && text.utf8.allSatisfy { $0 < 128 } }

  /// The runs of three characters, in the index's quotes: those of ASCII, which both spellings have.
  var runs: [String] {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= 3 else { return [] }
    return (0...(scalars.count - 3)).compactMap { start in
      let run = scalars[start..<(start + 3)]
      guard run.allSatisfy(\.isASCII) else { return nil }
      let text = String(String.UnicodeScalarView(run))
      return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
  }

  /// The pattern for SQLite's own comparison.
  var pattern: String {
    "%"
      + folded.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
      .replacing("_", with: "\\_") + "%"
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().precomposedStringWithCanonicalMapping
  }

  /// `holdsWord(text, word)`: true where a text holds a folded word that is not of ASCII alone.
  static let function = DatabaseFunction("holdsWord", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let word = String.fromDatabaseValue(values[1])
    else { return nil }
    // Most texts have no other letters.
    guard text.utf8.contains(where: { $0 > 127 }) else { return false }
    return Array(folded(text).utf8).contains(Array(word.utf8))
  }
}
