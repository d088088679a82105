/// A character that a name must not have: nobody sees it, and a terminal, a list or a browser obeys it.
package struct HiddenCharacter: Sendable, Hashable, CustomStringConvertible {
  package let scalar: Unicode.Scalar

  /// - Returns: nil for a character that may be in a name.
  package init?(_ scalar: Unicode.Scalar) {
    guard scalar.isHidden else { return nil }
    self.scalar = scalar
  }

  /// What it is, for people: `the control character U+0007`.
  package var description: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    return switch scalar.properties.generalCategory {
    case .control: "the control character \(code)"
    case .format: "\(code), which turns the order of letters round"
    default: "the line break \(code)"
    }
  }
}

extension Unicode.Scalar {
  /// True for control characters, breaks of lines and paragraphs, and what turns the order of letters round.
  package var isHidden: Bool {
    if isASCII { return value < 32 || value == 127 }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: properties.isBidiControl
    default: false
    }
  }
}

extension String {
  /// The first character that a name must not have; nil for none.
  package var firstHiddenCharacter: HiddenCharacter? {
    unicodeScalars.lazy.compactMap(HiddenCharacter.init).first
  }
}
