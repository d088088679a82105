import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// What holds for every size, pixel format, setting and content: drawn at random, but the same in
/// each run.
@Suite(.tags(.slow, .judges)) struct EncoderPropertyTests {
  /// One random case.
  struct Draw: Sendable, CustomTestStringConvertible {
    let profile: ProResProfile
    let width: Int
    let height: Int
    let fields: FieldOrder
    let content: TestFrame.Content
    /// The pixel format, and a planar one with the same samples.
    let format: PixelFormat
    let twin: PixelFormat
    let mode: ProResEncoder.RateMode
    let seed: UInt64

    var testDescription: String {
      "\(profile) \(width)x\(height) \(fields) \(content) \(format) \(mode) seed \(seed)"
    }

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      self.seed = seed
      profile = ProResProfile.allCases.randomElement(using: &random) ?? .hq
      width = .random(in: 16...300, using: &random)
      let rows = Int.random(in: 16...90, using: &random)
      fields = FieldOrder.allCases.randomElement(using: &random) ?? .progressive
      // FFmpeg refuses the two fields of 32n + 1 rows; another test covers them.
      height = fields.isInterlaced && rows % 32 == 1 ? rows + 1 : rows
      content = TestFrame.Content.allCases.randomElement(using: &random) ?? .natural
      (format, twin) =
        (profile.is4444 ? Self.fullChroma : Self.halfChroma).randomElement(using: &random)
        ?? (.yuv422p10, .yuv422p10)
      mode =
        switch Int.random(in: 0...2, using: &random) {
        case 0: .target
        case 1: .constantQuality(.random(in: 1...16, using: &random))
        default: .constantQuality(.random(in: 1...224, using: &random))
        }
    }

    private static let halfChroma: [(PixelFormat, PixelFormat)] = [
      (.v210, .yuv422p10), (.y210, .yuv422p10), (.p210, .yuv422p10), (.nv20, .yuv422p10),
      (.y212, .yuv422p12), (.y216, .yuv422p16), (.p216, .yuv422p16), (.uyvy, .yuv422p8),
      (.yuyv, .yuv422p8), (.nv16, .yuv422p8), (.yuv422p12, .yuv422p16),
    ]
    private static let fullChroma: [(PixelFormat, PixelFormat)] = [
      (.yuv444p8, .yuva444p8), (.yuv444p10, .yuv444p16), (.yuv444p12, .yuv444p16),
      (.yuva444p10, .yuv444p10), (.yuva444p12, .yuv444p12),
    ]
  }

  static let draws = (1...(TestRun.isThorough ? 150 : 10)).map { Draw(seed: $0) }

  @Test(arguments: draws) func encoded_bytes_depend_only_on_the_source_frame(draw: Draw) throws {
    let pictures = (0..<2).map {
      TestFrame(
        width: draw.width, height: draw.height, fullChroma: draw.profile.is4444,
        content: draw.content, seed: draw.seed + $0)
    }
    func frames(
      _ format: PixelFormat, threads: Int, kernels: KernelChoice? = nil
    ) throws -> [[UInt8]] {
      let encoder = try ProResEncoder(
        configuration: .init(
          profile: draw.profile, width: draw.width, height: draw.height, fieldOrder: draw.fields,
          threads: threads, rateMode: draw.mode, kernels: kernels))
      return try pictures.map { try encoder.encode($0.buffer(format, fields: draw.fields)) }
    }

    let wanted = try frames(draw.format, threads: 1)
    for (number, frame) in wanted.enumerated() {
      let report = FrameChecker(decodesSlices: false).check(frame)
      #expect(report.findings.isEmpty, "frame \(number): \(report.findings.prefix(3))")
    }
    #expect(try frames(draw.format, threads: 3) == wanted, "three threads")
    #expect(try frames(draw.twin, threads: 2) == wanted, "from \(draw.twin)")
    for choice in KernelChoice.available where choice != .reference {
      #expect(try frames(draw.format, threads: 1, kernels: choice) == wanted, "\(choice)")
    }

    // One judge in each test, or all of them in the thorough run.
    let turn = Int(draw.seed) % max(OutsideDecoder.all.count, 1)
    for (number, decoder) in OutsideDecoder.all.enumerated()
    where number == turn || TestRun.isThorough {
      let decoded = try decoder.decode(wanted)
      guard case .constantQuality(let index) = draw.mode else { continue }
      // Formats of 8 bits lose two bits, or up to three codes.
      let lost = draw.format.descriptor.bitDepth == 8
      for (picture, planes) in zip(pictures, decoded) {
        let psnr = picture.psnr(decoder.judged(planes, draw.profile))
        let least = draw.profile.leastPSNR(index: index)
        #expect(psnr > (lost ? min(least, 40) - 4 : least), "\(decoder.testDescription)")
      }
    }
  }
}
