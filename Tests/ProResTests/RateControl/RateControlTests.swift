import MediaCore
import Testing

@testable import ProRes

/// Frame sizes and remaining quality if the content changes without warning.
@Suite struct RateControlTests {
  private static let width = 320
  private static let height = 288

  private func encoder(
    _ profile: ProResProfile, _ mode: ProResEncoder.RateMode = .target
  ) throws -> ProResEncoder {
    try ProResEncoder(
      configuration: .init(
        profile: profile, width: Self.width, height: Self.height, frameRate: .fps25,
        color: .bt709, threads: 2, rateMode: mode))
  }

  private func picture(_ content: TestFrame.Content, seed: UInt64 = 1) -> TestFrame {
    TestFrame(
      width: Self.width, height: Self.height, fullChroma: false, content: content, seed: seed)
  }

  /// Black with lines of white strokes, shifted by whole rows.
  private func text(shift: Int) -> TestFrame {
    var picture = picture(.flat)
    for index in picture.planes[0].indices {
      let (x, y) = (index % Self.width, index / Self.width + shift)
      let isStroke = y % 96 < 24 && (x * 7 ^ y * 3) % 11 < 4
      picture.planes[0][index] = isStroke ? 940 : 64
    }
    return picture
  }

  private func faded(_ picture: TestFrame, to part: Int, of parts: Int) -> TestFrame {
    var picture = picture
    for plane in 0..<3 {
      let black = plane == 0 ? 64 : 512
      for index in picture.planes[plane].indices {
        let distance = Int(picture.planes[plane][index]) - black
        picture.planes[plane][index] = UInt16(black + distance * part / parts)
      }
    }
    return picture
  }

  private static let surprises = RateControlTests().makeSurprises()

  /// A flash, cuts, slides, a fade, and the worst possible samples.
  private func makeSurprises() -> [TestFrame] {
    let natural = picture(.natural)
    var flash = natural
    for index in flash.planes[0].indices { flash.planes[0][index] = 940 }
    return [natural, natural, flash, natural, picture(.noise), natural]
      + [text(shift: 0), text(shift: 0), text(shift: 4), text(shift: 48)]
      + (0...4).map { faded(picture(.noise, seed: 3), to: $0, of: 4) }
      + [picture(.extremes), picture(.flat), picture(.extremes), picture(.noise, seed: 4)]
  }

  @Test(arguments: [ProResProfile.proxy, .lt, .standard, .hq])
  func unexpected_frames_stay_within_the_target(profile: ProResProfile) throws {
    let encoder = try encoder(profile)
    let target = try #require(encoder.targetFrameSize)
    for (index, picture) in Self.surprises.enumerated() {
      let frame = try encoder.encode(picture.buffer(.yuv422p10))
      #expect(frame.count <= target, "picture \(index)")
      let findings = FrameChecker().check(frame).findings
      #expect(findings.isEmpty, "picture \(index): \(findings.prefix(2))")
    }
  }

  @Test(arguments: [ProResProfile.proxy, .lt, .standard, .hq])
  func a_demanding_first_frame_uses_the_rate(profile: ProResProfile) throws {
    let encoder = try encoder(profile)
    let target = try #require(encoder.targetFrameSize)
    let size = try encoder.encode(picture(.noise).buffer(.yuv422p10)).count
    #expect(Double(size) > 0.85 * Double(target), "\(size) of \(target)")
  }

  @Test func the_frame_after_a_cut_uses_the_rate() throws {
    let encoder = try encoder(.hq)
    let target = try #require(encoder.targetFrameSize)
    _ = try encoder.encode(picture(.flat).buffer(.yuv422p10))
    let size = try encoder.encode(picture(.noise).buffer(.yuv422p10)).count
    #expect(Double(size) > 0.85 * Double(target), "\(size) of \(target)")
  }

  @Test func new_content_is_as_good_as_repeated_content() throws {
    let encoder = try encoder(.hq)
    _ = try encoder.encode(picture(.flat).buffer(.yuv422p10))
    let text = text(shift: 0)
    let quality = try (0..<2).map { _ in
      let frame = try encoder.encode(text.buffer(.yuv422p10))
      return try text.psnr(ReferenceDecoder.decode(frame), component: 0)
    }
    #expect(quality[0] > min(quality[1] - 3, 60), "\(quality)")
  }

  /// Text that scrolls into flat slices, in frames without a byte to spare.
  @Test func no_slice_is_starved_of_bytes() throws {
    for bytes in [14000, 18000] {
      let encoder = try encoder(.standard, .frameBytes(bytes))
      for shift in stride(from: 0, to: 24, by: 4) {
        let frame = try encoder.encode(text(shift: shift).buffer(.yuv422p10))
        // An unforeseen change is corrected in the next frame.
        guard shift > 4 else { continue }
        let coarsest = try #require(quantizationIndices(frame).max())
        #expect(coarsest < 192, "\(bytes) bytes, row \(shift)")
      }
    }
  }

  @Test(arguments: [1, 4000, 9000]) func the_smallest_frame_sizes_are_respected(bytes: Int) throws {
    for profile in [ProResProfile.proxy, .hq] {
      let encoder = try encoder(profile, .frameBytes(bytes))
      let target = try #require(encoder.targetFrameSize)
      for content in [TestFrame.Content.flat, .noise, .extremes, .noise] {
        let frame = try encoder.encode(picture(content).buffer(.yuv422p10))
        #expect(frame.count <= target)
        #expect(FrameChecker().check(frame).findings.isEmpty)
      }
    }
  }

  /// A slow ramp in steps of one code: nearly all of its levels are 1.
  @Test func slices_with_few_levels_are_better_than_index_two() throws {
    var ramp = picture(.flat)
    for index in ramp.planes[0].indices {
      let (x, y) = (index % Self.width, index / Self.width)
      ramp.planes[0][index] = UInt16(70 + (x * 3 + y * 2 + (x * 31 + y * 17) % 23) / 32)
    }
    let (finest, second) = (
      try encoder(.hq, .constantQuality(1)).encode(ramp.buffer(.yuv422p10)),
      try encoder(.hq, .constantQuality(2)).encode(ramp.buffer(.yuv422p10))
    )
    try #require(finest.count > 2 * second.count)
    let bytes = (finest.count + 2 * second.count) / 3
    let encoder = try encoder(.hq, .frameBytes(bytes))
    let frames = try (0..<3).map { _ in try encoder.encode(ramp.buffer(.yuv422p10)) }
    for frame in frames {
      #expect(frame.count <= bytes && frame.count > bytes * 3 / 4, "\(frame.count) of \(bytes)")
      #expect(FrameChecker().check(frame).findings.isEmpty)
    }
    let quality = try [frames[2], second].map {
      try ramp.psnr(ReferenceDecoder.decode($0), component: 0)
    }
    #expect(quality[0] > quality[1] + 0.5, "\(quality)")
  }

  @Test func constant_quality_does_not_depend_on_earlier_frames() throws {
    let encoder = try encoder(.standard, .constantQuality(4))
    let first = try encoder.encode(picture(.natural).buffer(.yuv422p10))
    _ = try encoder.encode(picture(.noise).buffer(.yuv422p10))
    #expect(try encoder.encode(picture(.natural).buffer(.yuv422p10)) == first)
  }
}
