/// One line of text for a terminal, parts of it in color.
struct StatusText: Sendable, Equatable {
  /// How a part looks.
  enum Style: Sendable {
    case plain
    /// Something is wrong.
    case alarm
  }

  /// A part of the line.
  struct Part: Sendable, Equatable {
    var text: String
    var style = Style.plain
  }

  private(set) var parts: [Part]

  /// A line of parts. What a terminal would obey in them becomes visible.
  init(_ parts: [Part]) {
    self.parts = parts.map { Part(text: $0.text.visible, style: $0.style) }
  }

  /// A line without color.
  init(_ text: String) { self.init([Part(text: text)]) }

  /// The words alone.
  var plain: String { parts.map(\.text).joined() }

  /// Columns that the line takes in a terminal.
  var columns: Int { parts.reduce(0) { $0 + $1.text.columns } }

  /// The line's beginning, so much of it as fits.
  func prefix(columns limit: Int) -> StatusText {
    var left = max(limit, 0)
    var kept = self
    kept.parts = parts.map { part in
      var part = part
      part.text = part.text.prefix(columns: left)
      left -= part.text.columns
      return part
    }
    return kept
  }

  /// The line for a terminal.
  func rendered(inColor: Bool) -> String {
    guard inColor else { return plain }
    return parts.map { $0.style == .alarm ? "\u{1B}[1;31m\($0.text)\u{1B}[0m" : $0.text }.joined()
  }
}

extension String {
  /// Columns of a terminal: two for a character of East Asian scripts and for an emoji.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As many characters as fit.
  func prefix(columns limit: Int) -> String {
    var left = limit
    return String(
      prefix { character in
        left -= character.columns
        return left >= 0
      })
  }
}

extension Character {
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
