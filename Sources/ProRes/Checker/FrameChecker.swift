/// Judges the bytes of one frame against RDD 36.
///
/// Headers, reserved bits, sizes and sums are checked, and each slice is entropy-decoded to see
/// that its code words parse and end where the slice says. Any bytes may be given: they are read
/// within bounds only.
public struct FrameChecker: Sendable {
  /// What a check found.
  public struct Report: Sendable {
    /// The header, where the bytes have one.
    public let header: FrameHeader?
    /// What is wrong or unusual, in the order of the bytes; at most ``FrameChecker/findingLimit``.
    public let findings: [FrameFinding]
    /// The least and the greatest quantization index of the frame's slices.
    public let quantizationIndices: ClosedRange<Int>?
    /// Slices whose headers were read.
    public let sliceCount: Int
    /// True where something is as the standard allows, but no encoder writes it and libavcodec takes it for
    /// damage: a code word of more than 31 bits, a slice header that is longer than its fields.
    public let isUnusual: Bool

    /// True where nothing is against the standard.
    public var isValid: Bool { !findings.contains { $0.severity == .error } }
  }

  /// Findings after which a check ends: a broken frame is broken in every slice.
  public static let findingLimit = 100

  /// False to check headers and sizes only, which takes a thousandth of the time.
  public var decodesSlices: Bool

  /// A checker.
  public init(decodesSlices: Bool = true) { self.decodesSlices = decodesSlices }

  /// Checks a frame, all of its bytes and no more.
  public func check(_ frame: RawSpan, expecting expected: FrameExpectation? = nil) -> Report {
    var check = FrameCheck(decodesSlices: decodesSlices)
    check.run(frame, expecting: expected)
    return Report(
      header: check.header, findings: check.findings,
      quantizationIndices: check.quantizationIndices, sliceCount: check.sliceCount,
      isUnusual: check.hasLongHeaders || check.judge.hasLongWords)
  }

  /// Checks a frame, all of its bytes and no more.
  public func check(
    _ frame: UnsafeRawBufferPointer, expecting expected: FrameExpectation? = nil
  ) -> Report {
    check(frame.bytes, expecting: expected)
  }

  /// Checks a frame, all of its bytes and no more.
  public func check(_ frame: [UInt8], expecting expected: FrameExpectation? = nil) -> Report {
    check(frame.span.bytes, expecting: expected)
  }
}
