import MediaCore

extension String {
  /// The text with everything that a terminal would obey, or that would turn the order of letters
  /// round, as an escape: `\n`, `\u{1B}`.
  var visible: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += #"\n"#
      case "\r": text += #"\r"#
      case "\t": text += #"\t"#
      case _ where scalar.isHidden:
        text += #"\u{\#(String(scalar.value, radix: 16, uppercase: true))}"#
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
