/// The sections and settings of `~/.aws/credentials` and `~/.aws/config`.
struct SharedSettings: Sendable {
  private var sections: [String: [String: String]] = [:]

  /// Parses a file's text. Lines that are neither a section nor a setting are ignored, as in
  /// Amazon's tools.
  init(_ text: String) {
    var section: String?
    // The indentation of the section's last setting. Lines indented more belong to it.
    var indentation: Int?
    for line in text.split(whereSeparator: \.isNewline) {
      let spaces = line.prefix { $0.isWhitespace }.count
      let words = Self.trimmed(line)
      guard let first = words.first, first != "#", first != ";" else { continue }
      if first == "[", let end = words.firstIndex(of: "]") {
        section = Self.name(words[words.index(after: words.startIndex)..<end])
        indentation = nil
        continue
      }
      // Skips nested settings (`s3 =` and the lines below it).
      guard spaces <= indentation ?? spaces, let section, let equals = words.firstIndex(of: "=")
      else { continue }
      indentation = spaces
      let key = Self.trimmed(words[..<equals]).lowercased()
      let value = Self.trimmed(words[words.index(after: equals)...])
      sections[section, default: [:]][key] = String(value)
    }
  }

  /// A profile's settings; empty if the profile does not exist.
  func profile(_ name: String) -> [String: String] { sections[name] ?? [:] }

  func has(_ profile: String) -> Bool { sections[profile] != nil }

  /// `profile studio` in the configuration file is `studio` in the credentials file.
  private static func name(_ text: Substring) -> String {
    let words = trimmed(text)
    return String(words.hasPrefix("profile ") ? trimmed(words.dropFirst(8)) : words)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
