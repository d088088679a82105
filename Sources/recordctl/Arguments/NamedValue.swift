import ArgumentParser
import MediaCore

/// A value that is one of a few names on the command line.
protocol NamedValue: CaseIterable, RawRepresentable where RawValue == String {
  /// The name of such a value in errors: `album`, `interruption policy`.
  static var noun: String { get }
}

extension NamedValue {
  /// All names, in order.
  static var names: [String] { allCases.map(\.rawValue) }

  /// The names that a shell offers.
  static var completions: CompletionKind { .list(names) }

  /// Reads a name, in upper or lower case.
  ///
  /// - Throws: `ValidationError`, with the nearest name and all of them.
  static func argument(_ text: String) throws -> Self {
    guard let value = Self(rawValue: text.lowercased()) else {
      throw unknown(noun, text, names)
    }
    return value
  }
}

/// The error for a name that is not one of `names`.
func unknown(_ noun: String, _ text: String, _ names: [String]) -> ValidationError {
  ValidationError(
    "unknown \(noun) '\(text)'\(Suggestion.remark(on: text, among: names)); choose one of "
      + names.joined(separator: ", "))
}
