import CProResKernels

/// Says of slices whether their components are valid code words, by the fastest kernels there are.
///
/// Two slices at a time, since the kernels read two components at a time. What they do not take is left
/// to others to judge.
struct SliceJudge: ~Copyable {
  struct Slice {
    let range: Range<Int>
    let macroblocks: Int
  }

  private struct Verdict {
    var start = -1
    var paddings: InlineArray<3, Int> = [-1, -1, -1]
  }

  private let read: (@convention(c) (UnsafeMutablePointer<prores_coded>?, Int) -> Void)?
  private let coded: UnsafeMutablePointer<prores_coded>
  private var verdicts: InlineArray<2, Verdict> = [Verdict(), Verdict()]
  /// The end of a frame, for kernels to read past it.
  private var copies: [UInt8] = []
  /// True once a code word had more than 31 bits: no picture needs one, and libavcodec takes none.
  private(set) var hasLongWords = false

  /// - Parameter isPlain: True to leave everything to others.
  init(isPlain: Bool) {
    read = isPlain ? nil : prores_decoder_kernels_best()?.pointee.read
    coded = .allocate(capacity: 6)
    coded.initialize(repeating: prores_coded(), count: 6)
  }

  deinit { coded.deallocate() }

  /// True where the slice at an offset was among the last ones.
  func has(_ start: Int) -> Bool { verdicts[0].start == start || verdicts[1].start == start }

  /// Zero bits after the code words of luma, Cb and Cr, or -1 where they are not valid; nil for a slice
  /// that was not looked at.
  func paddings(_ start: Int) -> InlineArray<3, Int>? {
    if verdicts[0].start == start { return verdicts[0].paddings }
    return verdicts[1].start == start ? verdicts[1].paddings : nil
  }

  /// Judges two slices that follow each other.
  mutating func judge(_ slices: InlineArray<2, Slice>, _ picture: PictureCheck, _ frame: RawSpan) {
    verdicts = [Verdict(), Verdict()]
    guard let read else { return }
    let parts = InlineArray<2, SliceParts?> { index in
      SliceParts(frame, slices[index].range, hasAlpha: picture.alpha != .none)
    }
    let (first, end) = (slices[0].range.lowerBound, slices[1].range.upperBound)
    if end + Int(PRORES_CODED_MARGIN) > frame.byteCount {
      copies = frame.extracting(first..<end).withUnsafeBytes { Array($0) }
      copies += [UInt8](repeating: 0, count: Int(PRORES_CODED_MARGIN))
      copies.withUnsafeBytes { run(read, slices, parts, picture, $0, from: first) }
    } else {
      frame.withUnsafeBytes { run(read, slices, parts, picture, $0, from: 0) }
    }
    var next = 0
    for component in 0..<3 {
      for index in 0..<2 where parts[index] != nil {
        verdicts[index].start = slices[index].range.lowerBound
        verdicts[index].paddings[component] = Int(coded[next].padding)
        if coded[next].longest > 31 { hasLongWords = true }
        next += 1
      }
    }
  }

  /// - Parameter offset: Where in the frame the bytes begin.
  private func run(
    _ read: @convention(c) (UnsafeMutablePointer<prores_coded>?, Int) -> Void,
    _ slices: InlineArray<2, Slice>, _ parts: InlineArray<2, SliceParts?>, _ picture: PictureCheck,
    _ bytes: UnsafeRawBufferPointer, from offset: Int
  ) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    var count = 0
    // Component by component, so that neighbors take about as long as each other.
    for component in 0..<3 {
      for index in 0..<2 {
        guard let parts = parts[index] else { continue }
        let range = parts.components[component]
        let isFull = component == 0 || picture.chroma == .yuv444
        coded[count] = prores_coded(
          bytes: start + (range.lowerBound - offset), size: range.count,
          blocks: Int32(slices[index].macroblocks * (isFull ? 4 : 2)), levels: nil, padding: -1,
          last: 0, longest: 0)
        count += 1
      }
    }
    read(coded, count)
  }

  /// Judges a slice's alpha; nil where it is not valid, or where others must say.
  func alpha(
    _ frame: RawSpan, _ range: Range<Int>, type: FrameHeader.AlphaChannelType, count: Int,
    most: Int
  ) -> ComponentDecoder.AlphaEnd? {
    guard read != nil, range.upperBound + Int(PRORES_CODED_MARGIN) <= frame.byteCount else {
      return nil
    }
    var end = 0
    let padding = frame.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        prores_read_alpha(
          $0.assumingMemoryBound(to: UInt8.self) + range.lowerBound, range.count,
          type == .bits16 ? 16 : 8, count, most, nil, &end)
      } ?? -1
    }
    guard padding >= 0 else { return nil }
    return ComponentDecoder.AlphaEnd(padding: Int(padding), hasRowsBelowPicture: end > count)
  }
}
