import MediaCore

/// One run of ``FrameChecker``: what it has found so far.
struct FrameCheck: ~Copyable {
  let decodesSlices: Bool
  private(set) var header: FrameHeader?
  private(set) var findings: [FrameFinding] = []
  private(set) var quantizationIndices: ClosedRange<Int>?
  private(set) var sliceCount = 0
  /// True once a slice header was longer than its fields.
  var hasLongHeaders = false
  var reader = BitReader()
  var judge: SliceJudge

  /// - Parameter isPlain: True to read code words in plain Swift, which is the judge of the kernels.
  init(decodesSlices: Bool, isPlain: Bool = false) {
    self.decodesSlices = decodesSlices
    judge = SliceJudge(isPlain: isPlain)
  }

  var isFull: Bool { findings.count >= FrameChecker.findingLimit }

  mutating func report(
    _ code: FrameFinding.Code, _ message: String, severity: FrameFinding.Severity = .error,
    picture: Int? = nil, slice: Int? = nil
  ) {
    guard !isFull else { return }
    findings.append(
      FrameFinding(
        code: code, severity: severity, picture: picture, slice: slice, message: message))
  }

  mutating func noteSlice(quantizationIndex index: Int) {
    sliceCount += 1
    let range = quantizationIndices ?? index...index
    quantizationIndices = min(range.lowerBound, index)...max(range.upperBound, index)
  }

  mutating func run(_ frame: RawSpan, expecting expected: FrameExpectation?) {
    let header: FrameHeader
    do {
      header = try FrameHeader(parsing: frame)
    } catch {
      report(.notAFrame, error.message)
      return
    }
    self.header = header
    if Int(header.frameSize) != frame.byteCount {
      report(.frameSize, "frame_size is \(header.frameSize), the frame has \(frame.byteCount)")
    }
    checkHeader(header)
    if let expected { check(header, against: expected) }
    checkPictures(frame, header)
  }

  private mutating func checkPictures(_ frame: RawSpan, _ header: FrameHeader) {
    guard let chroma = header.chromaFormat, let mode = header.interlaceMode,
      let alpha = header.alpha, header.width > 0, header.height > 0
    else { return }
    var offset = header.declaredHeaderSize + 8
    let heights = PictureLayout.pictureHeights(frameHeight: header.height, mode: mode)
    for (index, height) in heights.enumerated() {
      let picture = PictureCheck(
        index: index, width: header.width, height: height, chroma: chroma, alpha: alpha)
      guard let size = check(picture, frame, at: offset) else { return }
      offset += size
    }
    checkStuffing(frame, from: offset)
  }

  private mutating func checkStuffing(_ frame: RawSpan, from start: Int) {
    for offset in start..<frame.byteCount where frame.u8(offset) != 0 {
      report(.stuffing, "byte \(offset), after the last picture, is not 0")
      return
    }
  }
}
