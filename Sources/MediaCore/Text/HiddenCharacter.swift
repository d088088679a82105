/// An invisible character that a name must not have, because a terminal, a list or a browser would act on it.
package struct HiddenCharacter: Sendable, Hashable, CustomStringConvertible {
  package let scalar: Unicode.Scalar

  /// - Returns: nil for a character that may be in a name.
  package init?(_ scalar: Unicode.Scalar) {
    guard scalar.isHidden else { return nil }
    self.scalar = scalar
  }

  /// What it is, for people: `the control character U+0007`.
  package var description: String {
    switch scalar.properties.generalCategory {
    case .control: "the control character \(scalar.codePoint)"
    case .format: "\(scalar.codePoint), which reverses the order of letters"
    default: "the line break \(scalar.codePoint)"
    }
  }
}

extension Unicode.Scalar {
  /// The scalar as Unicode writes it, with at least four digits: `U+0007`.
  package var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }

  /// True for control characters, line and paragraph separators, and characters that change the direction of text.
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
