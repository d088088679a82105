import FoundationEssentials
import MediaCore

/// Values as JSON.
enum JSONText {
  /// A value as UTF-8, in one line, keys sorted; `null` if it holds a number that JSON lacks.
  static func bytes(_ value: some Encodable) -> [UInt8] {
    (try? encode(value)) ?? Array("null".utf8)
  }

  /// A value as UTF-8 for a file, in one line, keys sorted.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed`` if it holds a number that JSON lacks.
  static func contents(_ value: some Encodable) throws(ServiceError) -> [UInt8] {
    do { return try encode(value) } catch {
      throw ServiceError(.runtimeFolderFailed, "JSON cannot express it: \(error)")
    }
  }

  private static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  static func string(_ value: some Encodable) -> String {
    String(decoding: bytes(value), as: UTF8.self)
  }

  /// The decoded value of a text; nil if it is not valid.
  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
