/// Reads the bits of a scan: undoes the stuffing of zero bytes, and stops at markers.
struct EntropyBits {
  /// Where the next byte is taken from.
  private(set) var next: Int
  /// Bits that were read, from the top on.
  private(set) var bits: UInt64 = 0
  private var count = 0
  /// Zero bits that were made up after the data's end.
  private var borrowed = 0

  init(at start: Int) { next = start }

  /// True where more bits were used than there are in front of the marker or the end.
  var isOverdrawn: Bool { borrowed > count }

  /// Whole bytes that are left unused in front of the marker or of the end.
  var unusedBytes: Int { max(count - borrowed, 0) / 8 }

  /// Makes sure that there are 32 bits at least.
  @inline(__always)
  mutating func fill(_ bytes: Span<UInt8>) {
    if count < 32 { refill(bytes) }
  }

  private mutating func refill(_ bytes: Span<UInt8>) {
    while count <= 48 {
      var byte: UInt8 = 0
      if next < bytes.count, bytes[next] != 0xFF {
        byte = bytes[next]
        next += 1
      } else if next + 1 < bytes.count, bytes[next + 1] == 0 {
        byte = 0xFF
        next += 2
      } else {
        // The last bits may be looked beyond, not used.
        borrowed += 8
      }
      bits |= UInt64(byte) << UInt64(56 - count)
      count += 8
    }
  }

  /// Drops bits, no more than were filled.
  @inline(__always)
  mutating func drop(_ number: Int) {
    bits <<= UInt64(number)
    count -= number
  }

  /// A signed number of so many bits, 1 to 16 (F.2.2.1, EXTEND).
  @inline(__always)
  mutating func signed(_ size: Int) -> Int32 {
    let value = Int32(truncatingIfNeeded: bits >> UInt64(64 - size))
    drop(size)
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  }
}
