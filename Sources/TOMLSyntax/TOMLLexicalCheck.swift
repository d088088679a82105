/// Checks the characters of a TOML file before it is parsed.
///
/// TOMLKit's parser (toml++ 3.4) crashes on a table header that does not begin with a key, and on a
/// mismatched closing bracket, because it asserts what it did not check. This check refuses both,
/// and characters not allowed outside of strings and comments.
struct TOMLLexicalCheck {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1

  /// The fault of a text, and its place; nil if it can be parsed.
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
          return "'\(scalar)' has no matching opening bracket"
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

  /// Skips `[a."b"]` or `[[a]]`, from the bracket to the end of the line.
  private mutating func skipHeader() -> String? {
    advance()
    if current == "[" { advance() }
    skip { $0 == " " || $0 == "\t" }
    if let first = current {
      guard first != "\n" else { return "the line ends before the name of a table" }
      let isBareKey =
        first.isASCII && (first.properties.isAlphabetic || ("0"..."9").contains(first))
      guard isBareKey || "_-\"']".unicodeScalars.contains(first) else {
        return "'\(first)' cannot begin a table name"
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

  /// Skips a string. An unterminated string ends with its line or, if it has triple quotes, with
  /// the text; the parser then reports the error.
  private mutating func skipString(quote: Unicode.Scalar) {
    let isLong =
      index + 2 < scalars.count && scalars[index + 1] == quote && scalars[index + 2] == quote
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    while let scalar = current {
      if scalar == "\\" && quote == "\"" {
        advance()
        // A single-line string ends with its line, even after an escape.
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
        // Up to two more quotes may belong to the string.
        skip { $0 == quote }
        return
      } else {
        advance()
      }
    }
  }
}
