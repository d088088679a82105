import MediaCore

/// The text of a JSON value, written piece by piece: for a change block of a thousand files,
/// Foundation's encoder would take longer than the disk. Foundation's decoder reads it.
struct JSONText: Sendable {
  private(set) var bytes: [UInt8] = []
  /// False once a number was added that JSON cannot represent.
  private var isSound = true

  private init() {}

  /// The JSON of an object.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument`` for numbers that JSON cannot represent.
  static func bytes(_ object: some JSONObject) throws(MediaLibraryError) -> [UInt8] {
    var text = JSONText()
    text.bytes.reserveCapacity(1024)
    text.append(object)
    guard text.isSound else {
      throw MediaLibraryError(
        .invalidArgument, "a change cannot be written: JSON cannot express a number in it")
    }
    return text.bytes
  }

  // MARK: Members of an object

  /// Adds a member. A nil value is left out, as the decoder expects.
  mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    begin(key)
    append(value)
  }

  mutating func add(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    begin(key)
    append(value)
  }

  mutating func add(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    begin(key)
    if !value.isFinite { isSound = false }
    bytes.append(contentsOf: value.description.utf8)
  }

  mutating func add(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    begin(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func add(_ key: StaticString, _ value: (some JSONObject)?) {
    guard let value else { return }
    begin(key)
    append(value)
  }

  mutating func add(_ key: StaticString, _ values: [some JSONObject]) {
    begin(key)
    list(values) { $0.append($1) }
  }

  mutating func add(_ key: StaticString, _ values: [String]) {
    begin(key)
    list(values) { $0.append($1) }
  }

  // MARK: Values

  private mutating func append(_ object: some JSONObject) {
    bytes.append(UInt8(ascii: "{"))
    object.write(to: &self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func list<Value>(
    _ values: [Value], _ append: (inout JSONText, Value) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(&self, value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ key: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { characters in
      if characters.contains(where: Self.isEscaped) {
        for character in characters { append(escaped: character) }
      } else {
        bytes.append(contentsOf: characters)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(escaped byte: UInt8) {
    guard Self.isEscaped(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    guard byte < 32 else { return bytes.append(byte) }
    bytes.append(contentsOf: byte < 16 ? "u000".utf8 : "u00".utf8)
    bytes.append(contentsOf: String(byte, radix: 16).utf8)
  }

  /// Writes digits without an intermediate string: most numbers are times in nanoseconds.
  private mutating func append(_ number: some FixedWidthInteger) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(digit))
      rest = quotient
    } while rest != 0
    bytes[start...].reverse()
  }
}

/// Can be written as a JSON object, under the names that its decoder expects.
protocol JSONObject {
  func write(to json: inout JSONText)
}
