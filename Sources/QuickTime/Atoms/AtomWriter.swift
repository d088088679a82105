import MediaCore

/// Builds atoms: big-endian numbers between a size, patched when the atom is complete, and a type.
struct AtomWriter {
  /// What was written so far.
  private(set) var bytes: [UInt8] = []

  /// Forgets the content and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func replace(with content: [UInt8]) { bytes = content }

  /// Makes room, so that a long table grows once.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  mutating func uint8(_ value: UInt8) { bytes.append(value) }

  mutating func uint16(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  mutating func uint32(_ value: UInt32) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func uint64(_ value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func int16(_ value: Int16) { uint16(UInt16(bitPattern: value)) }
  mutating func int32(_ value: Int32) { uint32(UInt32(bitPattern: value)) }
  mutating func int64(_ value: Int64) { uint64(UInt64(bitPattern: value)) }
  mutating func float64(_ value: Double) { uint64(value.bitPattern) }
  mutating func code(_ value: FourCharCode) { uint32(value.rawValue) }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  mutating func raw(_ content: some Collection<UInt8>) { bytes.append(contentsOf: content) }

  /// A length byte and that many bytes of UTF-8, cut between characters at 255 bytes.
  mutating func pascalString(_ text: String) {
    let content = Self.utf8(text, limit: 255)
    uint8(UInt8(content.count))
    raw(content)
  }

  /// A length byte and text, padded with zeros to `width` bytes in all.
  mutating func pascalString(_ text: String, paddedTo width: Int) {
    let content = Self.utf8(text, limit: min(width - 1, 255))
    uint8(UInt8(content.count))
    raw(content)
    zeros(width - 1 - content.count)
  }

  /// The bytes of `text`, cut between characters to at most `limit` bytes.
  static func utf8(_ text: String, limit: Int) -> [UInt8] {
    var content: [UInt8] = []
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      guard content.count + next.count <= limit else { break }
      content += next
    }
    return content
  }

  /// An atom with the content that `body` writes.
  mutating func atom(_ type: FourCharCode, _ body: (inout AtomWriter) -> Void) {
    let start = bytes.count
    uint32(0)
    code(type)
    body(&self)
    patch(uint32: UInt32(clamping: bytes.count - start), at: start)
  }

  /// An atom that begins with a version and 24 bits of flags.
  mutating func fullAtom(
    _ type: FourCharCode, version: UInt8 = 0, flags: UInt32 = 0,
    _ body: (inout AtomWriter) -> Void
  ) {
    atom(type) { atom in
      atom.uint32(UInt32(version) << 24 | flags & 0xFF_FFFF)
      body(&atom)
    }
  }

  /// Four bytes written before.
  func uint32(at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Replaces four bytes written before.
  mutating func patch(uint32 value: UInt32, at index: Int) {
    for byte in 0..<4 {
      bytes[index + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * byte))
    }
  }
}
