import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Frames made to break an encoder: nothing overflows, and no frame exceeds its limit.
@Suite struct HostilePictureTests {
  private static let size = (width: 200, height: 104)

  private func configuration(
    _ profile: ProResProfile, _ mode: ProResEncoder.RateMode = .target,
    fields: FieldOrder = .progressive, alpha: FrameHeader.AlphaChannelType = .none
  ) -> ProResEncoder.Configuration {
    .init(
      profile: profile, width: Self.size.width, height: Self.size.height, fieldOrder: fields,
      alpha: alpha, threads: 1, rateMode: mode)
  }

  private func picture(
    _ content: TestFrame.Content, _ profile: ProResProfile, seed: UInt64 = 1
  ) -> TestFrame {
    TestFrame(
      width: Self.size.width, height: Self.size.height, fullChroma: profile.is4444,
      content: content, seed: seed)
  }

  private func format(_ profile: ProResProfile) -> PixelFormat {
    profile.is4444 ? .yuv444p10 : .yuv422p10
  }

  /// Scenes with one content for each frame: steady ones, flashes, and a cut at every frame.
  static let scenes: [(name: String, contents: [TestFrame.Content])] =
    TestFrame.Content.allCases.map { ("\($0)", [$0, $0, $0]) } + [
      ("flashes", [.minimum, .maximum, .minimum, .noise, .maximum, .extremes]),
      ("cuts", [.natural, .noise, .flat, .extremes, .overshoot, .natural, .minimum, .noise]),
    ]

  @Test(.tags(.judges), arguments: scenes, [ProResProfile.proxy, .hq, .xq])
  func hostile_frames_stay_within_their_target_and_decode(
    scene: (name: String, contents: [TestFrame.Content]), profile: ProResProfile
  ) throws {
    let fields: FieldOrder = scene.contents.count % 2 == 0 ? .topFieldFirst : .progressive
    let encoder = try ProResEncoder(configuration: configuration(profile, fields: fields))
    let target = try #require(encoder.targetFrameSize)
    let frames = try scene.contents.enumerated().map { number, content in
      try encoder.encode(
        picture(content, profile, seed: UInt64(number)).buffer(format(profile), fields: fields))
    }
    for (number, frame) in frames.enumerated() {
      #expect(frame.count <= target, "frame \(number)")
      let report = FrameChecker(decodesSlices: false).check(frame)
      #expect(report.findings.isEmpty, "frame \(number): \(report.findings.prefix(3))")
    }
    for decoder in OutsideDecoder.all.prefix(1) {
      #expect(try decoder.decode(frames).count == frames.count)
    }
  }

  /// The largest possible levels: no slice exceeds its 16-bit size, and the frame survives.
  @Test(
    .tags(.slow, .judges), arguments: TestFrame.Content.allCases,
    ProResProfile.allCases.filter { TestRun.isThorough || [.lt, .hq, .xq].contains($0) })
  func finest_quantization_does_not_overflow(
    content: TestFrame.Content, profile: ProResProfile
  ) throws {
    let encoder = try ProResEncoder(configuration: configuration(profile, .constantQuality(1)))
    let picture = picture(content, profile)
    let frame = try encoder.encode(picture.buffer(format(profile)))
    #expect(FrameChecker(decodesSlices: false).check(frame).findings.isEmpty)
    for decoder in OutsideDecoder.all.prefix(1) {
      let planes = try #require(decoder.decode([frame]).first)
      #expect(picture.psnr(planes) > profile.leastPSNR(index: 1))
    }
  }

  /// Words with bits set above their depth count as the greatest code, not as noise.
  @Test func samples_above_the_bit_depth_count_as_the_maximum_code() throws {
    for (format, profile) in [
      (PixelFormat.yuv422p10, ProResProfile.hq), (.yuv422p12, .hq), (.yuv444p12, .xq),
    ] {
      let encoder = try ProResEncoder(configuration: configuration(profile, .constantQuality(4)))
      let frames = try [1 << format.descriptor.bitDepth - 1, 0xFFFF].map { word in
        var buffer = try MutablePixelBuffer(
          .init(format: format, width: Self.size.width, height: Self.size.height))
        for plane in 0..<buffer.planeCount {
          buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
            bytes.withMemoryRebound(to: UInt16.self) {
              $0.initialize(repeating: UInt16(word).littleEndian)
            }
          }
        }
        return try encoder.encode(buffer.finish())
      }
      #expect(frames[0] == frames[1])
    }
  }

  /// Alpha is lossless, so noise in it is not limited by the target; the frame's maximum size has
  /// room for it.
  @Test(arguments: [FrameHeader.AlphaChannelType.bits8, .bits16])
  func noisy_alpha_fits_the_maximum_frame_size(type: FrameHeader.AlphaChannelType) throws {
    var picture = picture(.noise, .xq)
    var random = SeededGenerator(seed: 5)
    for index in picture.alpha.indices {
      picture.alpha[index] = .random(in: 0...65535, using: &random)
    }
    let encoder = try ProResEncoder(configuration: configuration(.xq, alpha: type))
    let frame = try encoder.encode(picture.buffer(type == .bits8 ? .yuva444p8 : .yuva444p16))
    #expect(frame.count <= encoder.maximumFrameSize)
    let decoded = try ReferenceDecoder.decode(frame)
    #expect(decoded.alpha == (type == .bits8 ? picture.alpha.map { $0 >> 8 } : picture.alpha))
  }
}
