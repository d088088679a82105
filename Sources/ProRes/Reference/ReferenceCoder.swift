/// Entropy coding of a component (RDD 36, 7.1.1).
enum ReferenceCoder {
  static func code(
    dc: UnsafeBufferPointer<Int16>, symbols: UnsafeBufferPointer<UInt32>,
    into bytes: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var writer = BitWriter(bytes)
    codeDC(dc, &writer)
    var run = Codebook.initialRun
    var magnitude = Codebook.initialLevel
    var position = dc.count - 1
    for symbol in symbols {
      let runBook = Codebook.run(previous: run)
      let levelBook = Codebook.level(previousMagnitude: magnitude)
      run = Int(symbol >> 16) - position - 1
      magnitude = Int(symbol & 0x7FFF)
      position = Int(symbol >> 16)
      writer.append(runBook.code(run))
      writer.append(levelBook.code(magnitude - 1))
      writer.append((symbol >> 15 & 1, 1))
    }
    return writer.finish()
  }

  private static func codeDC(_ dc: UnsafeBufferPointer<Int16>, _ writer: inout BitWriter) {
    var previous = 0
    var magnitude = Codebook.initialDCDifference
    var wasNegative = false
    for (index, level) in dc.enumerated() {
      let difference = Int(level) - previous
      // A sign is coded relative to that of the difference before.
      let relative = wasNegative ? -difference : difference
      let value = relative < 0 ? -relative * 2 - 1 : relative * 2
      let book = index == 0 ? .firstDC : Codebook.dc(previousMagnitude: magnitude)
      writer.append(book.code(value))
      if index > 0 {
        magnitude = abs(difference)
        wasNegative = difference < 0
      }
      previous = Int(level)
    }
  }
}

/// Writes bits, most significant first.
struct BitWriter {
  private let bytes: UnsafeMutablePointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

  mutating func append(_ word: (bits: UInt32, length: Int)) {
    for shift in stride(from: word.length - 1, through: 0, by: -1) {
      let bit = shift < 32 ? UInt8(truncatingIfNeeded: word.bits >> UInt32(shift)) & 1 : 0
      if position % 8 == 0 { bytes[position / 8] = 0 }
      bytes[position / 8] |= bit << UInt8(7 - position % 8)
      position += 1
    }
  }

  /// Bytes written; the rest of the last one is zero.
  func finish() -> Int { (position + 7) / 8 }
}
