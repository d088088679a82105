/// Reads bits, most significant first, from a stretch of bytes; past its end they are zeros.
///
/// The bytes are copied to whole words with zeros after them. A read is then two loads and a shift
/// wherever it falls, and where the code words end is known before the first one is read. Words
/// and `UInt`s throughout: checking a frame in an unoptimized build takes no generic call per bit.
struct BitReader: ~Copyable {
  /// The next bit, counted from the start of the bytes.
  var position = 0
  /// The bit after the last one.
  private(set) var end = 0
  /// The bit after the last 1; only zeros follow.
  private(set) var endOfOnes = 0

  private(set) var words: UnsafeMutablePointer<UInt>
  private var capacity: Int
  /// Words that hold bits. Two words of zeros follow them.
  private(set) var count = 0

  /// A reader of no bits.
  init() {
    // A component of a slice rarely has more than 4 KB, never more than 64 KB.
    capacity = 512
    words = .allocate(capacity: capacity)
    words.initialize(repeating: 0, count: capacity)
  }

  deinit { words.deallocate() }

  /// Begins to read some of the bytes.
  mutating func open(_ bytes: RawSpan, _ range: Range<Int>) {
    count = (range.count + 7) / 8
    if count + 2 > capacity {
      words.deallocate()
      capacity = count + 2
      words = .allocate(capacity: capacity)
      words.initialize(repeating: 0, count: capacity)
    }
    position = 0
    end = range.count * 8
    words[max(count - 1, 0)] = 0
    words[count] = 0
    words[count + 1] = 0
    bytes.extracting(range).withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: words, count: source.count).copyMemory(from: source)
    }
    var used = 0
    var index = 0
    while index < count {
      words[index] = UInt(bigEndian: words[index])
      index += 1
      if words[index - 1] != 0 { used = index }
    }
    endOfOnes = used == 0 ? 0 : used * 64 - words[used - 1].trailingZeroBitCount
  }

  var remaining: Int { end - position }
  /// True once more was read than there is.
  var isExhausted: Bool { position > end }
  /// True where no 1 bit is left: the component's data has ended (RDD 36, 7.1.1).
  var onlyZerosRemain: Bool { position >= endOfOnes }

  /// Sixty-four bits of `words` from one of the `count` words' bits on, or zeros.
  static func window(_ words: UnsafePointer<UInt>, _ count: Int, at position: Int) -> UInt {
    guard position &>> 6 <= count else { return 0 }
    // A shift takes the low six bits of its amount.
    return words[position &>> 6] &<< UInt(bitPattern: position)
      | (words[position &>> 6 &+ 1] &>> 1) &>> UInt(bitPattern: ~position)
  }

  /// At most 63 bits.
  mutating func read(_ bits: Int) -> Int {
    let window = Self.window(words, count, at: position)
    position &+= bits
    return Int(bitPattern: (window &>> 1) &>> UInt(bitPattern: 63 &- bits))
  }

  /// One code word; nil where it is longer than any the standard's values can need.
  mutating func read(_ codes: CodeTable, book: Int) -> Int? {
    let window = Self.window(words, count, at: position)
    let entry = codes.entries[book &<< 5 | CodeTable.zeros(window)]
    let length = entry & 255
    guard length > 0 else { return nil }
    position &+= length
    return Int(bitPattern: window &>> UInt(bitPattern: 64 &- length)) &+ entry &>> 8
  }
}
