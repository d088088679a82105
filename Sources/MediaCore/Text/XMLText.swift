/// Text in XML and HTML.
package enum XMLText {
  /// Text as content or as an attribute's value. Tabs and line breaks are numbers, which readers leave alone;
  /// other characters that XML 1.0 cannot hold become `?`.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let entity = entity(scalar) {
        result += entity
        continue
      }
      switch scalar {
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
  /// The entity for a character that means something in markup; nil for all others.
  package static func entity(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }
}
