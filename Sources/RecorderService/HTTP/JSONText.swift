import FoundationEssentials

/// Values as JSON.
enum JSONText {
  /// A value as UTF-8, in one line, keys sorted; `null` for a number that JSON lacks.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
  }

  static func string(_ value: some Encodable) -> String {
    String(decoding: bytes(value), as: UTF8.self)
  }

  /// The decoded value of a text; nil if it is not valid.
  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
