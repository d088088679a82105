/// A reply or notification: a line, or a block of lines that ends with an empty one.
public struct DeckReply: Sendable, Hashable {
  /// A line of a block.
  public enum Line: Sendable, Hashable {
    /// A key, and its value.
    case field(String, String)
    /// A verbatim line of a help text.
    case text(String)
  }

  public var code: DeckCode
  /// The lines of the block; nil for a reply of a single line.
  public var lines: [Line]?

  /// A reply of a single line.
  public init(_ code: DeckCode) { self.code = code }

  /// A block.
  public init(_ code: DeckCode, _ lines: [Line]) {
    self.code = code
    self.lines = lines
  }

  /// A block of keys and values.
  public init(_ code: DeckCode, fields: DeckFields) {
    self.init(code, fields.pairs.map { .field($0.key, $0.value) })
  }

  /// The bytes of the whole block, for a single write: Sofie's parser loses lines that arrive in parts.
  public var bytes: [UInt8] {
    var text = "\(code.rawValue) \(code.text)"
    guard let lines else { return Array((text + "\r\n").utf8) }
    text += ":\r\n"
    for line in lines {
      switch line {
      case .field(let key, let value): text += "\(key): \(Self.safe(value))\r\n"
      case .text(let line): text += Self.printable(line) + "\r\n"
      }
    }
    return Array((text + "\r\n").utf8)
  }

  /// A value that no client misreads: an empty value, or one with `: ` in it, ends pyperdeck's
  /// connection, and a line end would end the line.
  static func safe(_ value: String) -> String {
    let text = printable(value).replacing(": ", with: "- ")
    return text.isEmpty ? "none" : text
  }

  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

/// Keys with their values, in the order in which they are sent.
public struct DeckFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A key with its value.
  public struct Pair: Sendable, Hashable {
    public var key: String
    public var value: String
  }

  public private(set) var pairs: [Pair]

  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(key: $0.0, value: $0.1) }
  }

  /// The value of a key. A new key comes last; nil removes a key.
  public subscript(key: String) -> String? {
    get { pairs.first { $0.key == key }?.value }
    set {
      let place = pairs.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): pairs[place].value = value
      case (let place?, nil): pairs.remove(at: place)
      case (nil, let value?): pairs.append(Pair(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The fields whose value differs from the one sent before.
  public func changes(since reported: DeckFields) -> DeckFields {
    var changes: DeckFields = [:]
    changes.pairs = pairs.filter { reported[$0.key] != $0.value }
    return changes
  }
}

extension DeckFields {
  /// The same fields after another one.
  func led(by key: String, _ value: String) -> DeckFields {
    var fields: DeckFields = [:]
    fields[key] = value
    for pair in pairs where pair.key != key { fields[pair.key] = pair.value }
    return fields
  }
}
