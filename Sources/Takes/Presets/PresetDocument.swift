package import CaptureDevices
import MediaCore
import TOMLKit
import TOMLSyntax

/// The text of a preset, or of another configuration, as tables, and where in the text each key stands.
///
/// TOMLKit tells the place of a syntax error, but not that of a value; an error of the schema
/// needs it as well, so the lines are searched for the key.
package struct PresetDocument {
  /// The file's name as errors give it.
  let path: String
  let root: TOMLTable
  private let lines: [Substring]

  package init(text: String, path: String) throws(CaptureError) {
    guard !text.utf8.contains(0) else {
      throw CaptureError(.invalidPreset, "\(path): no text; it must be a TOML file")
    }
    self.path = path
    // As an editor of Windows ends a line, it is one character to `String`.
    self.lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    do throws(TOMLText.Fault) { root = try TOMLText.table(text) } catch {
      throw CaptureError(
        .invalidPreset, "\(path):\(error.line):\(error.column): \(error.message)".onOneLine)
    }
  }

  /// An error that names file, line, column and key.
  ///
  /// - Parameter line: Where to begin to look for the key.
  func error(at keyPath: [String], from line: Int = 1, _ message: String) -> CaptureError {
    let key = keyPath.joined(separator: ".")
    let place = place(of: keyPath, from: line).map { "\(path):\($0.line):\($0.column)" } ?? path
    return CaptureError(.invalidPreset, "\(place): \(key): \(message)".onOneLine)
  }

  /// Line and column, from 1, where a key is set. A table's own place is its header's, or that of what is set in
  /// it first.
  func place(of keyPath: [String], from first: Int = 1) -> (line: Int, column: Int)? {
    var header: [String] = []
    for (index, line) in lines.enumerated().dropFirst(first - 1) {
      let content = line.drop { $0 == " " || $0 == "\t" }
      let column = line.count - content.count + 1
      if content.hasPrefix("[") {
        header = Self.keys(content.drop { $0 == "[" }.prefix { $0 != "]" })
        if header.starts(with: keyPath) { return (index + 1, column) }
      } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
        // `a.b = 1` sets b in the table a; `a = { b = 1 }` has b on a's line.
        let path = header + Self.keys(content[..<equals])
        if path.starts(with: keyPath) || keyPath.starts(with: path) { return (index + 1, column) }
      }
    }
    return nil
  }

  /// The lines, from 1, of the headers `[[key]]` of an array of tables.
  func headerLines(of keyPath: [String]) -> [Int] {
    lines.enumerated().filter { _, line in
      let content = line.drop { $0 == " " || $0 == "\t" }
      return content.hasPrefix("[[")
        && Self.keys(content.drop { $0 == "[" }.prefix { $0 != "]" }) == keyPath
    }
    .map { $0.offset + 1 }
  }

  /// The parts of a dotted key, quotes taken off.
  private static func keys(_ text: Substring) -> [String] {
    var parts = [""]
    var quote: Character?
    for character in text {
      switch character {
      case "\"", "'":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "." where quote == nil: parts.append("")
      case " ", "\t": if quote != nil { parts[parts.count - 1].append(character) }
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

extension String {
  /// The same with a space for each control character: keys and values may hold line breaks.
  fileprivate var onOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
