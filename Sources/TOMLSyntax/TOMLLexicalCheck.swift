/// A look at the characters of a TOML file before the parser gets them.
///
/// TOMLKit's parser (toml++ 3.4) ends the program on a table header that begins with no key, and on
/// a closing bracket of the wrong kind: it asserts what it did not check. This check refuses both,
/// and characters that have no business outside strings and comments.
struct TOMLLexicalCheck {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1

  /// What is wrong with a text, and where; nil where the parser may have it.
  static func fault(
    in text: String
  ) -> (line: Int, column: Int, message: String)? {
    var check = TOMLLexicalCheck(scalars: Array(text.unicodeScalars))
    return check.run().map { (check.line, check.column, $0) }
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func advance() {
    if current == "\n" {
      line += 1
      column = 1
    } else {
      column += 1
    }
    index += 1
  }

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = current, isSkipped(scalar) { advance() }
  }

  private mutating func run() -> String? {
    if current == "\u{FEFF}" { index += 1 }
    var open: [Unicode.Scalar] = []
    var startsStatement = true
    while let scalar = current {
      switch scalar {
      case "\n":
        if open.isEmpty { startsStatement = true }
      case " ", "\t", "\r": break
      case "#":
        skip { $0 != "\n" }
        continue
      case "\"", "'":
        startsStatement = false
        skipString(quote: scalar)
        continue
      case "[" where startsStatement:
        startsStatement = false
        if let fault = skipHeader() { return fault }
        continue
      case "[", "{": open.append(scalar)
      case "]", "}":
        guard open.popLast() == (scalar == "]" ? "[" : "{") else {
          return "'\(scalar)' closes nothing"
        }
      default:
        guard scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F else {
          return "U+\(String(scalar.value, radix: 16, uppercase: true)) belongs in a string"
        }
        startsStatement = false
      }
      advance()
    }
    return nil
  }

  /// Passes over `[a."b"]` or `[[a]]`, from the bracket to the line's end.
  private mutating func skipHeader() -> String? {
    advance()
    if current == "[" { advance() }
    skip { $0 == " " || $0 == "\t" }
    if let first = current {
      guard first != "\n" else { return "the line ends before the name of a table" }
      let isBareKey =
        first.isASCII && (first.properties.isAlphabetic || ("0"..."9").contains(first))
      guard isBareKey || "_-\"']".unicodeScalars.contains(first) else {
        return "'\(first)' begins no table name"
      }
    }
    while let scalar = current, scalar != "\n", scalar != "#" {
      guard scalar.value >= 0x20 || scalar == "\t" || scalar == "\r" else {
        return "U+\(String(scalar.value, radix: 16, uppercase: true)) belongs in a string"
      }
      if scalar == "\"" || scalar == "'" { skipString(quote: scalar) } else { advance() }
    }
    return nil
  }

  /// Passes over a string; one that is not closed ends with its line, or, of three quotes, with
  /// the text, and the parser says what it thinks of it.
  private mutating func skipString(quote: Unicode.Scalar) {
    let isLong =
      index + 2 < scalars.count && scalars[index + 1] == quote && scalars[index + 2] == quote
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    while let scalar = current {
      if scalar == "\\" && quote == "\"" {
        advance()
        // A short string ends with its line, escape or not.
        if current == "\n" && !isLong { return }
        if current != nil { advance() }
      } else if scalar == "\n" && !isLong {
        return
      } else if scalar != quote {
        advance()
      } else if !isLong {
        advance()
        return
      } else if index + 2 < scalars.count, scalars[index + 1] == quote,
        scalars[index + 2] == quote
      {
        // Up to two quotes more may belong to the string itself.
        skip { $0 == quote }
        return
      } else {
        advance()
      }
    }
  }
}
