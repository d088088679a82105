/// Entropy decoding of one component of one slice (RDD 36, 7.1).
enum ComponentDecoder {
  /// Why a component's bytes are no code words of the standard.
  enum Failure: String, Error {
    case codeTooLong = "a code word is longer than any value needs"
    case endsInsideCode = "the data ends inside a code word"
    case coefficientOutsideSlice = "a run leads past the slice's last coefficient"
    case valueTooLarge = "a coefficient is larger than a picture can have"
  }

  /// No coefficient of a 12-bit picture is larger, whatever the weights.
  private static let largestLevel = 1 << 16

  /// Decodes quantised coefficients.
  ///
  /// - Parameters:
  ///   - coefficients: Receives `blocks * 64` values, block by block in raster order; must be zero.
  ///   - scan: Raster positions in the order of coding.
  /// - Returns: Zero bits between the last code word and the end of the bytes.
  static func decode(
    _ bytes: RawSpan, _ range: Range<Int>, blocks: Int, scan: [UInt8],
    into coefficients: inout [Int32]
  ) throws(Failure) -> Int {
    var reader = BitReader(bytes: range)
    try decodeDC(&reader, bytes, blocks: blocks, into: &coefficients)
    try decodeAC(&reader, bytes, blocks: blocks, scan: scan, into: &coefficients)
    return reader.remaining
  }

  private static func decodeDC(
    _ reader: inout BitReader, _ bytes: RawSpan, blocks: Int, into coefficients: inout [Int32]
  ) throws(Failure) {
    let first = try code(.firstDC, &reader, bytes)
    var value = first & 1 == 0 ? first >> 1 : -((first + 1) >> 1)
    coefficients[0] = Int32(truncatingIfNeeded: value)
    var magnitude = Codebook.initialDCDifference
    var negative = false
    for block in 1..<blocks {
      let code = try code(.dc(previousMagnitude: magnitude), &reader, bytes)
      magnitude = (code + 1) >> 1
      // The code's low bit says whether the sign turned against the difference before.
      if code == 0 { negative = false } else if code & 1 == 1 { negative.toggle() }
      value += negative ? -magnitude : magnitude
      guard abs(value) <= largestLevel else { throw .valueTooLarge }
      coefficients[block * 64] = Int32(value)
    }
  }

  private static func decodeAC(
    _ reader: inout BitReader, _ bytes: RawSpan, blocks: Int, scan: [UInt8],
    into coefficients: inout [Int32]
  ) throws(Failure) {
    var position = blocks - 1
    var run = Codebook.initialRun
    var level = Codebook.initialLevel
    while !reader.onlyZerosRemain(bytes) {
      run = try code(.run(previous: run), &reader, bytes)
      level = try code(.level(previousMagnitude: level), &reader, bytes) + 1
      let negative = reader.read(1, bytes) == 1
      guard !reader.isExhausted else { throw .endsInsideCode }
      position += run + 1
      guard position < blocks * 64 else { throw .coefficientOutsideSlice }
      guard level <= largestLevel else { throw .valueTooLarge }
      let target = position % blocks * 64 + Int(scan[position / blocks])
      coefficients[target] = Int32(negative ? -level : level)
    }
  }

  private static func code(
    _ book: Codebook, _ reader: inout BitReader, _ bytes: RawSpan
  ) throws(Failure) -> Int {
    guard let value = reader.read(book, bytes) else {
      throw reader.remaining < 32 ? .endsInsideCode : .codeTooLong
    }
    guard !reader.isExhausted else { throw .endsInsideCode }
    return value
  }

  /// What a slice's alpha is followed by.
  struct AlphaEnd {
    /// Zero bits between the last code word and the end of the bytes.
    let padding: Int
    /// True where rows below the picture are coded as well.
    let hasRowsBelowPicture: Bool
  }

  /// Decodes a slice's alpha: samples row by row over the slice's width (RDD 36, 7.1.2).
  ///
  /// The standard leaves out rows below the picture (7.5.3); libavcodec's encoder does not.
  ///
  /// - Parameters:
  ///   - count: Samples of the slice's rows within the picture.
  ///   - most: Samples of all sixteen rows.
  static func decodeAlpha(
    _ bytes: RawSpan, _ range: Range<Int>, type: FrameHeader.AlphaChannelType, count: Int,
    most: Int, into samples: inout [UInt16]
  ) throws(Failure) -> AlphaEnd {
    let depth = type == .bits16 ? 16 : 8
    let mask = 1 << depth - 1
    var reader = BitReader(bytes: range)
    var value = mask
    var index = 0
    while index < count || (index < most && !reader.onlyZerosRemain(bytes)) {
      if reader.read(1, bytes) == 1 {
        value = (value + reader.read(depth, bytes)) & mask
      } else {
        let code = reader.read(depth == 16 ? 7 : 4, bytes)
        let magnitude = (code >> 1) + 1
        value = (value + (code & 1 == 1 ? -magnitude : magnitude)) & mask
      }
      var run = 0
      if reader.read(1, bytes) == 0 {
        run = reader.read(4, bytes)
        if run == 0 { run = reader.read(11, bytes) }
      }
      guard !reader.isExhausted else { throw .endsInsideCode }
      guard index + run < most else { throw .coefficientOutsideSlice }
      for _ in 0...run {
        samples[index] = UInt16(value)
        index += 1
      }
    }
    return AlphaEnd(padding: reader.remaining, hasRowsBelowPicture: index > count)
  }
}
