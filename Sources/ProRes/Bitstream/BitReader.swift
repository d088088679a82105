/// Reads bits, most significant first, from a stretch of bytes; past its end they are zeros.
///
/// The bytes are handed to each call, so that the reader itself is a plain value.
struct BitReader {
  /// The next bit, counted from the start of the bytes.
  private(set) var position: Int
  /// The bit after the last one.
  let end: Int

  init(bytes: Range<Int>) {
    position = bytes.lowerBound * 8
    end = bytes.upperBound * 8
  }

  var remaining: Int { end - position }
  /// True once more was read than there is.
  var isExhausted: Bool { position > end }

  /// The next 32 bits without taking them.
  func peek(_ bytes: RawSpan) -> UInt32 {
    let last = end / 8
    var index = position / 8
    if index + 8 <= last {
      let word = UInt64(
        bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      return UInt32(truncatingIfNeeded: word >> UInt64(32 - position % 8))
    }
    var word: UInt64 = 0
    for _ in 0..<5 {
      word = word << 8 | UInt64(index < last ? bytes.u8(index) : 0)
      index += 1
    }
    return UInt32(truncatingIfNeeded: word >> UInt64(8 - position % 8))
  }

  mutating func read(_ count: Int, _ bytes: RawSpan) -> Int {
    guard count > 0 else { return 0 }
    let value = peek(bytes) >> UInt32(32 - count)
    position += count
    return Int(value)
  }

  /// True where no 1 bit is left: the component's data has ended (RDD 36, 7.1.1).
  func onlyZerosRemain(_ bytes: RawSpan) -> Bool {
    if remaining <= 0 { return true }
    var probe = self
    while probe.remaining > 0 {
      if probe.peek(bytes) != 0 { return false }
      probe.position += 32
    }
    return true
  }

  /// One code word; nil where it is longer than any the standard's values can need.
  mutating func read(_ book: Codebook, _ bytes: RawSpan) -> Int? {
    let zeros = peek(bytes).leadingZeroBitCount
    if zeros < book.riceQuotients {
      position += zeros + 1
      return zeros << book.riceOrder | read(book.riceOrder, bytes)
    }
    let length = zeros * 2 - book.riceQuotients + book.expOrder + 1
    guard zeros < 20, length <= 32 else { return nil }
    let value = read(length, bytes)
    return value - (1 << book.expOrder) + (book.riceQuotients << book.riceOrder)
  }
}
