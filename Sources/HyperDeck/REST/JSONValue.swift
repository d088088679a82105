import FoundationEssentials

/// A JSON value of a deck's resources.
public enum JSONValue: Sendable, Hashable, Codable {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The maximum number of bytes of JSON that are read.
  static let sizeLimit = 65_536

  /// Reads JSON; nil for anything else, and for more than 65,536 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit,
      let value = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    else { return nil }
    self = value
  }

  /// Reads a value of any kind.
  ///
  /// - Throws: `DecodingError` for a number that Swift cannot represent.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .int(number)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let values = try? value.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The value as JSON in one line, keys in alphabetical order.
  public var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a number that JSON cannot express fails.
    guard let data = try? encoder.encode(self) else { return Array("null".utf8) }
    return Array(data)
  }

  /// The value of a key of an object.
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var isObject: Bool { if case .object = self { true } else { false } }

  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}
