import Foundation

/// Parses the text of a predicate.
struct FetchPredicateParser {
  private var tokens: [Token]
  private var place = 0
  private var arguments: [Any]
  private let text: String
  private var depth = 0

  private enum Token: Equatable {
    case word(String)
    case quoted(String)
    case number(Double)
    case symbol(String)
    /// `%` and the letters after it.
    case placeholder(String)
  }

  init(_ text: String, arguments: [Any]) {
    self.text = text
    self.arguments = arguments
    tokens = []
  }

  /// Parses the text.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with what is wrong.
  mutating func parse() throws(AVError) -> FetchPredicate {
    tokens = try Self.split(text)
    let predicate = try either()
    guard place == tokens.count else { throw error("there is text after its end") }
    guard arguments.isEmpty else { throw error("it has more arguments than placeholders") }
    return predicate
  }

  // MARK: Grammar

  private mutating func either() throws(AVError) -> FetchPredicate {
    depth += 1
    defer { depth -= 1 }
    guard depth < 64 else { throw error("it is nested too deeply") }
    var parts = [try both()]
    while take(word: "OR") || take(symbol: "||") { parts.append(try both()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func both() throws(AVError) -> FetchPredicate {
    var parts = [try single()]
    while take(word: "AND") || take(symbol: "&&") { parts.append(try single()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func single() throws(AVError) -> FetchPredicate {
    if take(word: "NOT") || take(symbol: "!") {
      depth += 1
      defer { depth -= 1 }
      guard depth < 64 else { throw error("it is nested too deeply") }
      return .not(try single())
    }
    if take(word: "TRUEPREDICATE") { return .always(true) }
    if take(word: "FALSEPREDICATE") { return .always(false) }
    let start = place
    let kept = arguments
    if take(symbol: "(") {
      if let inner = try? either(), take(symbol: ")"), !isAtRelation { return inner }
      (place, arguments) = (start, kept)
    }
    let left = try operand()
    let relation = try relation()
    return .compare(left, relation, try operand())
  }

  private var isAtRelation: Bool {
    guard place < tokens.count else { return false }
    switch tokens[place] {
    case .symbol(let symbol): return Self.relation(symbol) != nil || symbol == "&"
    case .word(let word): return Self.relation(word.uppercased()) != nil
    default: return false
    }
  }

  private static func relation(_ text: String) -> FetchPredicate.Relation? {
    switch text {
    case "=": .equal
    case "<>": .unequal
    case "=<": .lessOrEqual
    case "=>": .greaterOrEqual
    default: FetchPredicate.Relation(rawValue: text)
    }
  }

  private mutating func relation() throws(AVError) -> FetchPredicate.Relation {
    guard place < tokens.count else { throw error("a comparison is missing at its end") }
    defer { place += 1 }
    switch tokens[place] {
    case .symbol(let text), .word(let text):
      if let relation = Self.relation(text.uppercased()) { return relation }
    default: break
    }
    throw error("a comparison is expected")
  }

  private mutating func operand() throws(AVError) -> FetchPredicate.Operand {
    let first: FetchPredicate.Operand
    if take(symbol: "(") {
      first = try operand()
      guard take(symbol: ")") else { throw error("a parenthesis is not closed") }
    } else if take(symbol: "{") {
      first = .value(try list())
    } else {
      first = try plainOperand()
    }
    guard take(symbol: "&") else { return first }
    guard case .value(let mask?) = try plainOperand(), let number = FetchPredicate.number(mask),
      let bits = Int(exactly: number)
    else { throw error("an integer is expected after &") }
    return .masked(first, bits)
  }

  private mutating func list() throws(AVError) -> [Any] {
    var values: [Any] = []
    while !take(symbol: "}") {
      guard case .value(let value?) = try plainOperand() else {
        throw error("a list may contain only values")
      }
      values.append(value)
      _ = take(symbol: ",")
    }
    return values
  }

  private mutating func plainOperand() throws(AVError) -> FetchPredicate.Operand {
    guard place < tokens.count else { throw error("a value is missing at its end") }
    defer { place += 1 }
    switch tokens[place] {
    case .number(let number): return .value(number)
    case .quoted(let text): return .value(text)
    case .word(let word): return Self.constant(word) ?? .key(word)
    case .placeholder(let kind):
      guard !arguments.isEmpty else { throw error("%\(kind) has no argument") }
      let argument = arguments.removeFirst()
      guard kind == "K" else { return .value(argument is NSNull ? nil : argument) }
      guard let key = argument as? String else { throw error("the argument of %K must be a key") }
      return .key(key)
    case .symbol(let symbol): throw error("'\(symbol)' is not expected")
    }
  }

  private static func constant(_ word: String) -> FetchPredicate.Operand? {
    switch word.uppercased() {
    case "YES", "TRUE": .value(true)
    case "NO", "FALSE": .value(false)
    case "NIL", "NULL": .value(nil)
    default: nil
    }
  }

  // MARK: Tokens

  private mutating func take(symbol: String) -> Bool {
    guard place < tokens.count, tokens[place] == .symbol(symbol) else { return false }
    place += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard place < tokens.count, case .word(let found) = tokens[place], found.uppercased() == word
    else { return false }
    place += 1
    return true
  }

  private func error(_ reason: String) -> AVError { Self.error(text, reason) }

  private static func error(_ text: String, _ reason: String) -> AVError {
    AVError(.unsupportedOutputSettings, "the predicate '\(text)' cannot be read: \(reason)")
  }

  private static func split(_ text: String) throws(AVError) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        let body = rest.dropFirst().prefix { $0 != first }
        guard body.endIndex < rest.endIndex else { throw error(text, "a quotation is not closed") }
        tokens.append(.quoted(String(body)))
        rest = rest[rest.index(after: body.endIndex)...]
      } else if first == "%" {
        let kind = rest.dropFirst().first == "@" ? "@" : rest.dropFirst().prefix { $0.isLetter }
        guard !kind.isEmpty else { throw error(text, "% is followed by nothing") }
        tokens.append(.placeholder(String(kind)))
        rest = rest.dropFirst(1 + kind.count)
      } else if first.isNumber || (first == "-" && rest.dropFirst().first?.isNumber == true) {
        let digits = rest.prefix(1) + rest.dropFirst().prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { throw error(text, "invalid number '\(digits)'") }
        tokens.append(.number(number))
        rest = rest.dropFirst(digits.count)
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        tokens.append(.word(String(word)))
        rest = rest.dropFirst(word.count)
      } else {
        let two = String(rest.prefix(2))
        let pairs = ["==", "!=", "<=", ">=", "=<", "=>", "<>", "&&", "||"]
        let symbol = pairs.contains(two) ? two : String(first)
        tokens.append(.symbol(symbol))
        rest = rest.dropFirst(symbol.count)
      }
    }
    return tokens
  }
}
