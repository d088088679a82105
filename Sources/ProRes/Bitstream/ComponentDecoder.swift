/// Entropy decoding of one component of one slice (RDD 36, 7.1).
enum ComponentDecoder {
  /// Why a component's bytes are not valid code words.
  enum Failure: String, Error {
    case codeTooLong = "a code word is longer than any value needs"
    case endsInsideCode = "the data ends inside a code word"
    case coefficientOutsideSlice = "a run leads past the slice's last coefficient"
    case valueTooLarge = "a coefficient is larger than a picture can have"
  }

  /// No coefficient of a 12-bit picture is larger, whatever the weights.
  private static let largestLevel = 1 << 16

  /// Decodes quantized coefficients.
  ///
  /// - Parameters:
  ///   - reader: At the start of the component's bytes.
  ///   - scan: Raster positions in the order of coding, 64 of them.
  ///   - coefficients: Receives `blocks * 64` values, block by block in raster order; must be zero.
  ///     Nil where only the code words are judged.
  /// - Returns: Zero bits between the last code word and the end of the bytes.
  static func decode(
    _ reader: inout BitReader, blocks: Int, scan: [UInt8] = ScanOrder.progressive,
    into coefficients: UnsafeMutablePointer<Int32>? = nil
  ) throws(Failure) -> Int {
    try decodeDC(&reader, blocks: blocks, into: coefficients)
    try decodeAC(&reader, blocks: blocks, scan: scan, into: coefficients)
    return reader.remaining
  }

  private static func decodeDC(
    _ reader: inout BitReader, blocks: Int, into coefficients: UnsafeMutablePointer<Int32>?
  ) throws(Failure) {
    let first = try code(.firstDC, book: 0, &reader)
    var value = first & 1 == 0 ? first >> 1 : -((first + 1) >> 1)
    guard value <= largestLevel, value >= -largestLevel else { throw .valueTooLarge }
    coefficients?[0] = Int32(value)
    let codes = CodeTable.dc
    var magnitude = Codebook.initialDCDifference
    var negative = false
    var block = 1
    while block < blocks {
      let code = try code(codes, book: magnitude < 3 ? magnitude : 3, &reader)
      magnitude = (code + 1) &>> 1
      // The code's low bit says whether the sign turned against the difference before.
      if code == 0 { negative = false } else if code & 1 == 1 { negative = !negative }
      value += negative ? -magnitude : magnitude
      guard value <= largestLevel, value >= -largestLevel else { throw .valueTooLarge }
      coefficients?[block * 64] = Int32(value)
      block += 1
    }
  }

  /// Nearly all of a frame is read here, so the loop has no calls and uses only plain integers: in an
  /// unoptimized build each call costs as much as a code word.
  private static func decodeAC(
    _ reader: inout BitReader, blocks: Int, scan: [UInt8],
    into coefficients: UnsafeMutablePointer<Int32>?
  ) throws(Failure) {
    let runs = CodeTable.runs.entries
    let levels = CodeTable.levels.entries
    let words = UnsafePointer(reader.words)
    let count = reader.count
    let bitEnd = reader.end
    let endOfOnes = reader.endOfOnes
    var bit = reader.position
    let end = blocks &<< 6
    var position = blocks &- 1
    var run = Codebook.initialRun
    var magnitude = Codebook.initialLevel
    while bit < endOfOnes {
      // As BitReader's, which reads code words so as well.
      var window =
        words[bit &>> 6] &<< UInt(bitPattern: bit)
        | (words[bit &>> 6 &+ 1] &>> 1) &>> UInt(bitPattern: ~bit)
      let runEntry = runs[(run < 15 ? run : 15) &<< 5 | (window | 1 &<< 32).leadingZeroBitCount]
      let runLength = runEntry & 255
      guard runLength > 0 else { throw bitEnd &- bit < 32 ? .endsInsideCode : .codeTooLong }
      run = Int(bitPattern: window &>> UInt(bitPattern: 64 &- runLength)) &+ runEntry &>> 8
      bit &+= runLength
      // What is left of the window holds the longest code word and a sign.
      window =
        runLength < 32
        ? window &<< UInt(bitPattern: runLength) : BitReader.window(words, count, at: bit)
      let levelEntry = levels[
        (magnitude < 9 ? magnitude : 9) &<< 5 | (window | 1 &<< 32).leadingZeroBitCount]
      let levelLength = levelEntry & 255
      guard levelLength > 0 else { throw bitEnd &- bit < 32 ? .endsInsideCode : .codeTooLong }
      magnitude =
        Int(bitPattern: window &>> UInt(bitPattern: 64 &- levelLength)) &+ levelEntry &>> 8 &+ 1
      bit &+= levelLength &+ 1
      guard bit <= bitEnd else { throw .endsInsideCode }
      position &+= run &+ 1
      guard position < end else { throw .coefficientOutsideSlice }
      guard magnitude <= largestLevel else { throw .valueTooLarge }
      if let coefficients {
        let target = position % blocks * 64 + Int(scan[position / blocks])
        let isNegative = (window &<< UInt(bitPattern: levelLength)) &>> 63 == 1
        coefficients[target] = Int32(isNegative ? -magnitude : magnitude)
      }
    }
    reader.position = bit
  }

  private static func code(
    _ codes: CodeTable, book: Int, _ reader: inout BitReader
  ) throws(Failure) -> Int {
    guard let value = reader.read(codes, book: book) else {
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
  ///   - reader: At the start of the alpha's bytes.
  ///   - count: Samples of the slice's rows within the picture.
  ///   - most: Samples of all sixteen rows.
  ///   - samples: Receives up to `most` values; nil where only the code words are judged.
  static func decodeAlpha(
    _ reader: inout BitReader, type: FrameHeader.AlphaChannelType, count: Int, most: Int,
    into samples: UnsafeMutablePointer<UInt16>? = nil
  ) throws(Failure) -> AlphaEnd {
    let depth = type == .bits16 ? 16 : 8
    let mask = 1 << depth - 1
    var value = mask
    var index = 0
    while index < count || (index < most && !reader.onlyZerosRemain) {
      if reader.read(1) == 1 {
        value = (value + reader.read(depth)) & mask
      } else {
        let code = reader.read(depth == 16 ? 7 : 4)
        let magnitude = (code >> 1) + 1
        value = (value + (code & 1 == 1 ? -magnitude : magnitude)) & mask
      }
      var run = 0
      if reader.read(1) == 0 {
        run = reader.read(4)
        if run == 0 { run = reader.read(11) }
      }
      guard !reader.isExhausted else { throw .endsInsideCode }
      guard index + run < most else { throw .coefficientOutsideSlice }
      samples?.advanced(by: index).update(repeating: UInt16(value), count: run + 1)
      index += run + 1
    }
    return AlphaEnd(padding: reader.remaining, hasRowsBelowPicture: index > count)
  }
}
