/// JSON that is written member by member. Strings are the program's own, and contain nothing to escape.
struct JSONLine {
  private(set) var bytes: [UInt8] = []
  /// False after a number that JSON cannot represent.
  private(set) var isWhole = true

  /// - Parameter size: Bytes that it is likely to have.
  init(size: Int = 2048) { bytes.reserveCapacity(size) }

  mutating func open() { bytes.append(UInt8(ascii: "{")) }

  mutating func close() { bytes.append(UInt8(ascii: "}")) }

  /// A key, whose value follows.
  mutating func add(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func add(_ key: StaticString, text: String) {
    add(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A number; a member that is left out for nil.
  mutating func add(_ key: StaticString, _ number: Int?) {
    guard let number else { return }
    add(key)
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func add(_ key: StaticString, _ number: Double?) {
    guard let number else { return }
    guard number.isFinite else { return isWhole = false }
    add(key)
    bytes.append(contentsOf: number.description.utf8)
    // As encoders have whole numbers.
    if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
  }

  mutating func add<Value>(
    _ key: StaticString, _ values: [Value], _ write: (Value, inout JSONLine) -> Void
  ) {
    add(key)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
