/// A note while it is typed: terminals send UTF-8, byte by byte.
struct TypedNote: Sendable, Hashable {
  private var bytes: [UInt8] = []
  /// Bytes that the last character lacks.
  private var missing = 0

  /// Characters that are taken at most.
  static let limit = 200

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes a byte of a character; control characters are left out.
  mutating func add(_ byte: UInt8) {
    switch byte {
    case 0..<0x20, 0x7F: break
    case 0x80..<0xC0:
      guard missing > 0 else { return }
      missing -= 1
      bytes.append(byte)
    default:
      missing = 0
      guard text.count < Self.limit else { return }
      missing = byte < 0x80 ? 0 : (~byte).leadingZeroBitCount - 1
      bytes.append(byte)
    }
  }

  mutating func removeLast() {
    bytes = Array(text.dropLast().utf8)
    missing = 0
  }
}
