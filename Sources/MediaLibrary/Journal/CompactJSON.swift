/// Writes values as JSON without a detour: a change block of a thousand files would wait longer for
/// Foundation's encoder than for the disk. Foundation's decoder reads it.
///
/// For structs, arrays and plain values; what asks for containers within its own is refused.
enum CompactJSON {
  /// The JSON of a value.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument`` for numbers that JSON has not, and what is
  ///   refused.
  static func bytes(_ value: some Encodable) throws(MediaLibraryError) -> [UInt8] {
    let output = JSONOutput()
    do { try output.write(value) } catch { output.isSound = false }
    guard output.isSound else {
      throw MediaLibraryError(
        .invalidArgument, "a change cannot be written down: it holds what JSON has not")
    }
    return output.bytes
  }

  /// The JSON of a value as text.
  ///
  /// - Throws: As ``bytes(_:)``.
  static func text(_ value: some Encodable) throws(MediaLibraryError) -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}

/// The text, and what is open in it.
private final class JSONOutput {
  var bytes: [UInt8] = []
  /// False once something came that cannot be written.
  var isSound = true
  private var closers: [UInt8] = []

  func open(_ opener: Character, _ closer: Character) {
    bytes.append(opener.asciiValue ?? 0)
    closers.append(closer.asciiValue ?? 0)
  }

  func write(_ value: some Encodable) throws {
    let depth = closers.count
    try value.encode(to: JSONValueEncoder(output: self))
    while closers.count > depth { bytes.append(closers.removeLast()) }
  }

  func add(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<32:
        bytes += "\\u00".utf8
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  func add(_ value: some BinaryInteger & LosslessStringConvertible) {
    bytes += value.description.utf8
  }

  func add(_ value: Double) {
    if !value.isFinite { isSound = false }
    bytes += value.description.utf8
  }

  func add(_ value: Bool) { bytes += (value ? "true" : "false").utf8 }

  func addNull() { bytes += "null".utf8 }

  func add(key: some CodingKey) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    add(key.stringValue)
    bytes.append(UInt8(ascii: ":"))
  }

  func separate() { bytes.append(UInt8(ascii: ",")) }

  /// An encoder for what is refused: what it writes is thrown away with all else.
  var refused: JSONValueEncoder {
    isSound = false
    return JSONValueEncoder(output: JSONOutput())
  }

  private static let digits = [UInt8]("0123456789abcdef".utf8)
}

private struct JSONValueEncoder: Encoder {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    output.open("{", "}")
    return KeyedEncodingContainer(JSONMembers(output: output))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    output.open("[", "]")
    return JSONElements(output: output)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONPlain(output: output) }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  private func member(_ key: Key) -> JSONOutput {
    output.add(key: key)
    return output
  }

  func encodeNil(forKey key: Key) { member(key).addNull() }
  func encode(_ value: Bool, forKey key: Key) { member(key).add(value) }
  func encode(_ value: String, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Double, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Float, forKey key: Key) { member(key).add(Double(value)) }
  func encode(_ value: Int, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Int8, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Int16, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Int32, forKey key: Key) { member(key).add(value) }
  func encode(_ value: Int64, forKey key: Key) { member(key).add(value) }
  func encode(_ value: UInt, forKey key: Key) { member(key).add(value) }
  func encode(_ value: UInt8, forKey key: Key) { member(key).add(value) }
  func encode(_ value: UInt16, forKey key: Key) { member(key).add(value) }
  func encode(_ value: UInt32, forKey key: Key) { member(key).add(value) }
  func encode(_ value: UInt64, forKey key: Key) { member(key).add(value) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).write(value) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { output.refused.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    output.refused.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { output.refused }
  func superEncoder(forKey key: Key) -> any Encoder { output.refused }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(output: JSONOutput) { self.output = output }

  private mutating func element() -> JSONOutput {
    if count > 0 { output.separate() }
    count += 1
    return output
  }

  mutating func encodeNil() { element().addNull() }
  mutating func encode(_ value: Bool) { element().add(value) }
  mutating func encode(_ value: String) { element().add(value) }
  mutating func encode(_ value: Double) { element().add(value) }
  mutating func encode(_ value: Float) { element().add(Double(value)) }
  mutating func encode(_ value: Int) { element().add(value) }
  mutating func encode(_ value: Int8) { element().add(value) }
  mutating func encode(_ value: Int16) { element().add(value) }
  mutating func encode(_ value: Int32) { element().add(value) }
  mutating func encode(_ value: Int64) { element().add(value) }
  mutating func encode(_ value: UInt) { element().add(value) }
  mutating func encode(_ value: UInt8) { element().add(value) }
  mutating func encode(_ value: UInt16) { element().add(value) }
  mutating func encode(_ value: UInt32) { element().add(value) }
  mutating func encode(_ value: UInt64) { element().add(value) }
  mutating func encode(_ value: some Encodable) throws { try element().write(value) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) -> KeyedEncodingContainer<Inner> { output.refused.container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    output.refused.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { output.refused }
}

private struct JSONPlain: SingleValueEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { output.addNull() }
  func encode(_ value: Bool) { output.add(value) }
  func encode(_ value: String) { output.add(value) }
  func encode(_ value: Double) { output.add(value) }
  func encode(_ value: Float) { output.add(Double(value)) }
  func encode(_ value: Int) { output.add(value) }
  func encode(_ value: Int8) { output.add(value) }
  func encode(_ value: Int16) { output.add(value) }
  func encode(_ value: Int32) { output.add(value) }
  func encode(_ value: Int64) { output.add(value) }
  func encode(_ value: UInt) { output.add(value) }
  func encode(_ value: UInt8) { output.add(value) }
  func encode(_ value: UInt16) { output.add(value) }
  func encode(_ value: UInt32) { output.add(value) }
  func encode(_ value: UInt64) { output.add(value) }
  func encode(_ value: some Encodable) throws { try output.write(value) }
}
