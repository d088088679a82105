import MediaCore

/// Reads the content of an atom in memory, never beyond its end.
struct AtomReader {
  /// The atom's type, for messages and to tell atoms apart.
  let type: FourCharCode
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var position: Int

  /// A reader of everything in `bytes`: atoms one after another.
  init(_ bytes: [UInt8], type: FourCharCode) {
    self.init(type: type, bytes: bytes, start: 0, position: 0, end: bytes.count)
  }

  private init(type: FourCharCode, bytes: [UInt8], start: Int, position: Int, end: Int) {
    self.type = type
    self.bytes = bytes
    self.start = start
    self.position = position
    self.end = end
  }

  /// Bytes that are left.
  var remaining: Int { end - position }

  /// The whole atom, its header included.
  var atomBytes: [UInt8] { Array(bytes[start..<end]) }

  private mutating func take(_ count: Int) throws(QuickTimeError) -> Int {
    guard count >= 0, count <= remaining else {
      throw QuickTimeError(.damaged, "atom '\(type)' is cut short: the movie is damaged")
    }
    defer { position += count }
    return position
  }

  private mutating func number(_ width: Int) throws(QuickTimeError) -> UInt64 {
    let from = try take(width)
    var value: UInt64 = 0
    for index in from..<(from + width) { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  mutating func skip(_ count: Int) throws(QuickTimeError) { _ = try take(count) }
  mutating func uint8() throws(QuickTimeError) -> UInt8 { UInt8(try number(1)) }
  mutating func uint16() throws(QuickTimeError) -> UInt16 { UInt16(try number(2)) }
  mutating func uint32() throws(QuickTimeError) -> UInt32 { UInt32(try number(4)) }
  mutating func uint64() throws(QuickTimeError) -> UInt64 { try number(8) }
  mutating func int32() throws(QuickTimeError) -> Int32 { Int32(bitPattern: try uint32()) }
  mutating func int64() throws(QuickTimeError) -> Int64 { Int64(bitPattern: try uint64()) }
  mutating func code() throws(QuickTimeError) -> FourCharCode {
    FourCharCode(rawValue: try uint32())
  }

  /// A number of 32 bits, or of 64 in an atom of version 1.
  mutating func unsigned(wide: Bool) throws(QuickTimeError) -> UInt64 {
    wide ? try uint64() : UInt64(try uint32())
  }

  /// The version and the flags that a full atom begins with.
  mutating func versionAndFlags() throws(QuickTimeError) -> (version: UInt8, flags: UInt32) {
    let both = try uint32()
    return (UInt8(both >> 24), both & 0xFF_FFFF)
  }

  /// The next `count` bytes.
  mutating func raw(_ count: Int) throws(QuickTimeError) -> [UInt8] {
    let from = try take(count)
    return Array(bytes[from..<(from + count)])
  }

  /// A length byte and text.
  mutating func pascalString() throws(QuickTimeError) -> String {
    String(decoding: try raw(Int(try uint8())), as: UTF8.self)
  }

  /// A table of `count` numbers of 32 bits. The count is checked against the remaining bytes before
  /// memory is allocated.
  mutating func table(_ count: UInt32) throws(QuickTimeError) -> [UInt32] {
    guard Int(count) <= remaining / 4 else {
      throw QuickTimeError(
        .damaged, "atom '\(type)' promises \(count) entries and is cut short: the movie is damaged")
    }
    var from = try take(Int(count) * 4)
    return [UInt32](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      for index in 0..<Int(count) {
        buffer[index] =
          UInt32(bytes[from]) << 24 | UInt32(bytes[from + 1]) << 16
          | UInt32(bytes[from + 2]) << 8 | UInt32(bytes[from + 3])
        from += 4
      }
      filled = Int(count)
    }
  }

  /// The next atom within this one; nil at the end, or where fewer than eight bytes are left (user
  /// data end with four zeros).
  mutating func next() throws(QuickTimeError) -> AtomReader? {
    guard remaining >= 8 else { return nil }
    let first = position
    var size = UInt64(try uint32())
    let type = try code()
    if size == 1 { size = try uint64() } else if size == 0 { size = UInt64(end - first) }
    guard size >= UInt64(position - first), size <= UInt64(end - first) else {
      throw QuickTimeError(
        .damaged, "atom '\(type)' in '\(self.type)' claims \(size) bytes: the movie is damaged")
    }
    let child = AtomReader(
      type: type, bytes: bytes, start: first, position: position, end: first + Int(size))
    position = first + Int(size)
    return child
  }

  /// The first atom of a type within this one.
  func first(_ wanted: FourCharCode) throws(QuickTimeError) -> AtomReader? {
    var copy = self
    while let child = try copy.next() {
      if child.type == wanted { return child }
    }
    return nil
  }
}
