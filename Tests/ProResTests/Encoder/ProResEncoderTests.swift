import MediaCore
import TestSupport
import Testing

@testable import ProRes

@Suite struct ProResEncoderTests {
  private func configuration(
    _ profile: ProResProfile, _ width: Int, _ height: Int,
    mode: ProResEncoder.RateMode = .constantQuality(2), fields: FieldOrder = .progressive,
    threads: Int = 1, kernels: KernelChoice? = nil, alpha: FrameHeader.AlphaChannelType = .none
  ) -> ProResEncoder.Configuration {
    .init(
      profile: profile, width: width, height: height, frameRate: .fps25, fieldOrder: fields,
      color: .bt709, alpha: alpha, threads: threads, rateMode: mode, kernels: kernels)
  }

  private func expectValid(_ frame: [UInt8], _ expected: FrameExpectation? = nil) {
    let report = FrameChecker().check(frame, expecting: expected)
    #expect(report.findings.isEmpty, "\(report.findings.prefix(3))")
  }

  @Test(arguments: ProResProfile.allCases, [(16, 16), (33, 17), (130, 50), (240, 18)])
  func frames_survive_a_round_trip_in_every_profile_and_size(
    profile: ProResProfile, size: (Int, Int)
  ) throws {
    let picture = TestFrame(width: size.0, height: size.1, fullChroma: profile.is4444)
    let encoder = try ProResEncoder(configuration: configuration(profile, size.0, size.1))
    let frame = try encoder.encode(picture.buffer(profile.is4444 ? .yuv444p10 : .yuv422p10))
    expectValid(
      frame,
      .init(
        width: size.0, height: size.1, codec: profile.codec, fieldOrder: .progressive,
        color: .bt709, frameRate: .fps25))
    let decoded = try ReferenceDecoder.decode(frame)
    for component in 0..<3 {
      #expect(picture.psnr(decoded, component: component) > (profile == .proxy ? 38 : 46))
    }
  }

  @Test(arguments: [FieldOrder.topFieldFirst, .bottomFieldFirst], [(64, 64), (48, 50), (160, 35)])
  func fields_survive_a_round_trip_in_their_rows(order: FieldOrder, size: (Int, Int)) throws {
    var picture = TestFrame(width: size.0, height: size.1, fullChroma: false)
    // One field is much darker than the other, so swapped fields would be noticed.
    for index in picture.planes[0].indices where index / size.0 % 2 == 1 {
      picture.planes[0][index] = picture.planes[0][index] / 4 + 64
    }
    let encoder = try ProResEncoder(
      configuration: configuration(.hq, size.0, size.1, fields: order))
    let frame = try encoder.encode(picture.buffer(.yuv422p10, fields: order))
    expectValid(frame, .init(fieldOrder: order))
    #expect(picture.psnr(try ReferenceDecoder.decode(frame), component: 0) > 50)
  }

  @Test(arguments: [FieldOrder.topFieldFirst, .bottomFieldFirst], [PixelFormat.nv12, .yuv420p8])
  func fields_of_4_2_0_have_the_same_chroma_as_when_unpacked(
    order: FieldOrder, format: PixelFormat
  ) throws {
    // An odd number of chroma rows: the bottom field has one fewer.
    var memory = try MutablePixelBuffer(
      .init(format: format, width: 64, height: 50, fieldOrder: order))
    var random = SeededGenerator(seed: 12)
    for plane in 0..<memory.planeCount {
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for index in bytes.indices { bytes[index] = .random(in: 16...235, using: &random) }
      }
    }
    let source = memory.finish()
    let encoder = try ProResEncoder(
      configuration: configuration(.hq, 64, 50, mode: .constantQuality(1), fields: order))
    let decoded = try ReferenceDecoder.decode(try encoder.encode(source))
    let unpacked = try FrameUnpacker(from: source.details, to: .yuv422p10).unpacked(source)
    var wanted = TestFrame(width: 64, height: 50, fullChroma: false)
    for plane in 0..<3 {
      wanted.planes[plane] = unpacked.withUnsafeBytes(ofPlane: plane) { bytes in
        let (width, stride) = (plane == 0 ? 64 : 32, unpacked.bytesPerRow(plane: plane))
        return (0..<width * 50).map {
          bytes.load(fromByteOffset: $0 / width * stride + $0 % width * 2, as: UInt16.self)
        }
      }
      #expect(wanted.psnr(decoded, component: plane) > 50, "plane \(plane)")
    }
  }

  @Test(arguments: [
    PixelFormat.v210, .y210, .y212, .y216, .p210, .p216, .nv20, .uyvy, .yuyv, .nv16, .yuv422p8,
    .yuv422p12, .yuv422p16,
  ]) func every_capture_layout_encodes_to_the_same_frame(format: PixelFormat) throws {
    let picture = TestFrame(width: 182, height: 40, fullChroma: false)
    let encoder = try ProResEncoder(configuration: configuration(.hq, 182, 40))
    let frame = try encoder.encode(picture.buffer(format))
    if format.descriptor.bitDepth > 8 {
      #expect(try frame == encoder.encode(picture.buffer(.yuv422p10)))
    } else {
      #expect(try frame == encoder.encode(picture.buffer(.yuv422p8)))
      #expect(picture.psnr(try ReferenceDecoder.decode(frame), component: 0) > 44)
    }
  }

  @Test(arguments: KernelChoice.available) func bytes_do_not_depend_on_kernels(
    choice: KernelChoice
  ) throws {
    for (profile, format) in [(ProResProfile.proxy, PixelFormat.v210), (.xq, .yuv444p12)] {
      let picture = TestFrame(width: 248, height: 32, fullChroma: profile.is4444)
      let buffer = try picture.buffer(format)
      let frames = try [KernelChoice.reference, choice].map {
        try ProResEncoder(
          configuration: configuration(profile, 248, 32, mode: .target, kernels: $0)
        ).encode(buffer)
      }
      #expect(frames[0] == frames[1])
    }
  }

  @Test func bytes_do_not_depend_on_threads() throws {
    let buffers = try (0..<3).map {
      try TestFrame(width: 272, height: 128, fullChroma: false, seed: UInt64($0))
        .buffer(.yuv422p10)
    }
    let movies = try [1, 2, 3, 7].map { threads in
      let encoder = try ProResEncoder(
        configuration: configuration(.standard, 272, 128, mode: .target, threads: threads))
      return try buffers.map { try encoder.encode($0) }
    }
    for movie in movies.dropFirst() { #expect(movie == movies[0]) }
  }

  @Test(arguments: [FrameHeader.AlphaChannelType.bits8, .bits16])
  func alpha_is_lossless(type: FrameHeader.AlphaChannelType) throws {
    let picture = TestFrame(width: 150, height: 40, fullChroma: true)
    let encoder = try ProResEncoder(configuration: configuration(.p4444, 150, 40, alpha: type))
    let frame = try encoder.encode(
      picture.buffer(type == .bits8 ? .yuva444p8 : .yuva444p16))
    expectValid(frame)
    let decoded = try ReferenceDecoder.decode(frame)
    #expect(decoded.alpha == (type == .bits8 ? picture.alpha.map { $0 >> 8 } : picture.alpha))
  }

  @Test(arguments: [TestFrame.Content.noise, .extremes, .natural, .flat], ProResProfile.allCases)
  func no_frame_exceeds_its_target(content: TestFrame.Content, profile: ProResProfile) throws {
    let encoder = try ProResEncoder(configuration: configuration(profile, 224, 160, mode: .target))
    let target = try #require(encoder.targetFrameSize)
    var sizes: [Int] = []
    for seed in 0..<2 {
      let picture = TestFrame(
        width: 224, height: 160, fullChroma: profile.is4444, content: content, seed: UInt64(seed))
      let frame = try encoder.encode(picture.buffer(profile.is4444 ? .yuv444p10 : .yuv422p10))
      expectValid(frame)
      #expect(frame.count <= target)
      sizes.append(frame.count)
    }
    if content == .noise {
      #expect(sizes.allSatisfy { Double($0) > Double(target) * 0.93 }, "\(sizes) of \(target)")
    }
  }

  @Test func cuts_stay_within_the_target() throws {
    let encoder = try ProResEncoder(configuration: configuration(.hq, 224, 160, mode: .target))
    let target = try #require(encoder.targetFrameSize)
    for round in 0..<6 {
      let content: TestFrame.Content = round % 2 == 0 ? .flat : .noise
      let picture = TestFrame(width: 224, height: 160, fullChroma: false, content: content)
      let frame = try encoder.encode(picture.buffer(.yuv422p10))
      expectValid(frame)
      #expect(frame.count <= target)
    }
  }

  @Test func flat_frames_are_small() throws {
    let encoder = try ProResEncoder(configuration: configuration(.hq, 224, 160, mode: .target))
    let flat = TestFrame(width: 224, height: 160, fullChroma: false, content: .flat)
    let target = try #require(encoder.targetFrameSize)
    #expect(try encoder.encode(flat.buffer(.yuv422p10)).count < target / 8)
  }

  @Test func unsupported_settings_and_frames_are_refused() throws {
    #expect(throws: ProResError.self) {
      try ProResEncoder(configuration: configuration(.hq, 8, 64))
    }
    #expect(throws: ProResError.self) {
      try ProResEncoder(configuration: configuration(.hq, 64, 64, alpha: .bits16))
    }
    for bytes in [1 << 30 + 1, Int.max] {
      #expect(throws: ProResError.self) {
        try ProResEncoder(configuration: configuration(.hq, 64, 64, mode: .frameBytes(bytes)))
      }
    }
    let encoder = try ProResEncoder(configuration: configuration(.hq, 64, 64))
    let wrong = TestFrame(width: 64, height: 48, fullChroma: false)
    #expect(throws: ProResError.self) { try encoder.encode(wrong.buffer(.yuv422p10)) }
    let chroma = TestFrame(width: 64, height: 64, fullChroma: true)
    #expect(throws: ProResError.self) { try encoder.encode(chroma.buffer(.yuv444p10)) }
    let small = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
    defer { small.deallocate() }
    let right = try TestFrame(width: 64, height: 64, fullChroma: false).buffer(.yuv422p10)
    #expect(throws: ProResError.self) { try encoder.encode(right, into: small) }
  }
}
