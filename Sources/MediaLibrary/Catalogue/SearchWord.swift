import Foundation
import GRDB

/// A search word that matches any case and both Unicode normalizations: SQLite only knows the cases
/// of ASCII, and names arrive composed, or decomposed after passing through a Mac.
struct SearchWord {
  /// The word as given, composed.
  private let text: String
  /// The word, case-folded for comparison.
  let folded: String

  init(_ word: Substring) {
    text = word.precomposedStringWithCanonicalMapping
    folded = Self.folded(text)
  }

  /// True if SQLite's own comparison suffices.
  var isASCII: Bool { folded.utf8.allSatisfy { $0 < 128 } }

  /// True if the word is exactly one trigram, so that the index alone decides.
  var isRun: Bool { text.utf8.count == 3 && text.utf8.allSatisfy { $0 < 128 } }

  /// The word's trigrams, quoted for the index. Only ASCII ones: both normalizations share them.
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

  /// The pattern for SQLite's `LIKE`.
  var pattern: String {
    "%"
      + folded.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
      .replacing("_", with: "\\_") + "%"
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().precomposedStringWithCanonicalMapping
  }

  /// `holdsWord(text, word)`: true if the text contains a folded word that is not all ASCII.
  static let function = DatabaseFunction("holdsWord", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let word = String.fromDatabaseValue(values[1])
    else { return nil }
    // Most texts are all ASCII.
    guard text.utf8.contains(where: { $0 > 127 }) else { return false }
    return Array(folded(text).utf8).contains(Array(word.utf8))
  }
}
