/// A command as a client sends it: a name with keys and values.
public struct DeckCommand: Sendable, Hashable {
  /// A syntactic fault of a command.
  public enum Fault: Sendable, Hashable {
    /// The text is not a command.
    case syntax
    /// The command has no such key.
    case parameter
    /// The command is unknown.
    case command
    /// A line longer than ``RequestParser/lineLimit``, or more keys than
    /// ``RequestParser/parameterLimit``.
    case tooLong

    /// The code of the reply.
    public var code: DeckCode {
      switch self {
      case .syntax, .tooLong: .syntaxError
      case .parameter: .unsupportedParameter
      case .command: .unsupported
      }
    }
  }

  public var name: String
  public var parameters: DeckFields

  /// A command.
  public init(_ name: String, _ parameters: DeckFields = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The value of a key.
  public subscript(key: String) -> String? { parameters[key] }

  /// Reads a command in one line: `record`, `record: name: scene 12`,
  /// `play: speed: 200 single clip: true`. Keys and values have spaces, so a value ends where another
  /// key of the command begins. A key counts once; repeated, it is part of a value. A name extends to
  /// the line's end.
  ///
  /// - Parameter line: Not empty, and with text after its first colon, if it has one.
  static func parse(_ line: Substring) -> Result<DeckCommand, Failure> {
    guard let colon = line.firstIndex(of: ":") else {
      let name = trimmed(line)
      guard keys[name] != nil else { return .failure(Failure(.command)) }
      return .success(DeckCommand(name))
    }
    let name = trimmed(line[..<colon])
    guard let known = keys[name] else { return .failure(Failure(.command)) }
    return parameters(in: line[line.index(after: colon)...], known).map { DeckCommand(name, $0) }
  }

  /// Reads a command in several lines.
  static func parse(_ name: String, lines: [Substring]) -> Result<DeckCommand, Failure> {
    guard let known = keys[name] else { return .failure(Failure(.command)) }
    var command = DeckCommand(name)
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { return .failure(Failure(.syntax)) }
      let key = trimmed(line[..<colon])
      guard known.contains(key) else { return .failure(Failure(.parameter)) }
      command.parameters[key] = trimmed(line[line.index(after: colon)...])
    }
    return .success(command)
  }

  /// A fault as an error, for `Result`.
  struct Failure: Error {
    let fault: Fault
    init(_ fault: Fault) { self.fault = fault }
  }

  private static func parameters(
    in text: Substring, _ known: [String]
  ) -> Result<DeckFields, Failure> {
    var found: DeckFields = [:]
    var open = known
    var rest = text.drop { $0 == " " }
    guard var (key, value) = leadingKey(of: rest, open) else {
      return .failure(Failure(rest.contains(":") ? .parameter : .syntax))
    }
    while true {
      open.removeAll { $0 == key }
      rest = value
      // A movie may be named "oil spill: one".
      guard key != "name", let next = nextKey(in: rest, open) else {
        found[key] = trimmed(rest)
        return .success(found)
      }
      found[key] = trimmed(rest[..<next.start])
      (key, value) = (next.key, next.value)
    }
  }

  /// The key that a text begins with, and what follows its colon.
  private static func leadingKey(
    of text: Substring, _ keys: [String]
  ) -> (key: String, value: Substring)? {
    for key in keys where text.hasPrefix(key) {
      let rest = text.dropFirst(key.count).drop { $0 == " " }
      if rest.first == ":" { return (key, rest.dropFirst()) }
    }
    return nil
  }

  /// The first key in a text, at its start or after a space. Of two at one place, `clip` and
  /// `clip id`, only one is followed by a colon.
  private static func nextKey(
    in text: Substring, _ keys: [String]
  ) -> (start: Substring.Index, key: String, value: Substring)? {
    guard !keys.isEmpty else { return nil }
    var place = text.startIndex
    while let space = text[place...].firstIndex(of: " ") {
      let start = text.index(after: space)
      if let (key, value) = leadingKey(of: text[start...], keys) { return (space, key, value) }
      place = start
    }
    return nil
  }

  static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
