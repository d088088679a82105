import AssetWriter
import MediaCore
import ProRes
import TestSupport
import Testing

/// Every codec from every encoder, checked by decoders and against the standard.
@Suite struct CodecTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    var codec: VideoCodecType
    var encoder: EncoderChoice
    var testDescription: String { "\(codec.shortName) by \(encoder)" }

    static let all: [Case] = EncoderCapabilities.current.encoders.flatMap { encoder in
      VideoCodecType.allProRes.map { Case(codec: $0, encoder: encoder) }
    }
  }

  @Test(.tags(.judges), arguments: Case.all)
  func movies_decode_strictly_to_the_appended_frames(_ item: Case) async throws {
    let path = folder.path("a.mov")
    let source: PixelFormat = item.codec.is4444 ? .yuv444p10 : .yuv422p10
    let frames = try (0..<4).map { try TestMedia.frame($0, format: source, noise: 12) }
    let settings = Recording.settings(item.codec, rate: .fps23_976, encoder: item.encoder)
    let report = try await Recording.write(frames, to: path, settings: settings)

    #expect(try Judges.strictDecode(path) == "")
    let track = try Judges.probe(path).stream("video")
    #expect(track.codec_tag_string == item.codec.rawValue)
    #expect(track.pix_fmt == (item.codec.is4444 ? "yuv444p12le" : "yuv422p10le"))
    let decoded = try Judges.decode(path, pixelFormat: "\(source)le")
    let psnr = Judges.psnr(decoded, frames.flatMap(TestMedia.samples))
    #expect(psnr > (item.codec == .proRes422Proxy ? 36 : 40))
    #expect(report.video.first?.encoder == "\(item.encoder)".replacing(":", with: " "))

    let checker = FrameChecker()
    let expected = FrameExpectation(
      width: 128, height: 96, codec: item.codec, fieldOrder: .progressive, color: .bt709,
      frameRate: .fps23_976)
    for bytes in try Judges.packetBytes(path) {
      let judged = checker.check(bytes, expecting: expected)
      #expect(judged.findings.filter { $0.severity == .error } == [])
      #expect(judged.header?.frameRate == .fps23_976)
      #expect(judged.header?.aspectRatio == .squarePixels)
      #expect(judged.header?.encoderIdentifier != "apl0")
      #expect(judged.header?.bitstreamVersion == (item.codec.is4444 ? 1 : 0))
    }
  }

  @Test(.tags(.judges), arguments: EncoderCapabilities.current.encoders)
  func codec_4444_carries_the_sources_alpha(_ encoder: EncoderChoice) async throws {
    let path = folder.path("a.mov")
    let frames = try (0..<2).map { try TestMedia.frame($0, format: .yuva444p10) }
    try await Recording.write(
      frames, to: path, settings: Recording.settings(.proRes4444, encoder: encoder))
    #expect(try Judges.strictDecode(path) == "")
    #expect(try Judges.probe(path).stream("video").pix_fmt == "yuva444p12le")
    let decoded = try Judges.decode(path, pixelFormat: "yuva444p10le")
    let plane = 128 * 96
    for (number, frame) in frames.enumerated() {
      let expected = TestMedia.samples(frame)[(3 * plane)...]
      let got = decoded[((number * 4 + 3) * plane)..<((number + 1) * 4 * plane)]
      #expect(zip(expected, got).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    }
  }

  @Test(
    .tags(.judges),
    arguments: EncoderCapabilities.current.encoders.filter { $0 != .libavcodec(.proresAW) },
    [PixelFormat.yuva444p8, .yuva444p10, .yuva444p12, .yuva444p16])
  func alpha_of_8_bits_stays_8_and_deeper_alpha_gets_16(
    _ encoder: EncoderChoice, _ format: PixelFormat
  ) async throws {
    let path = folder.path("a.mov")
    let depth = format.descriptor.bitDepth
    var memory = try MutablePixelBuffer(
      PixelBuffer.Description(format: format, width: 128, height: 96))
    for plane in 0..<4 {
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let size = depth == 8 ? 1 : 2
        for index in 0..<bytes.count / size {
          let code = UInt16(index % 128 << (depth - 7)).littleEndian
          withUnsafeBytes(of: code) { code in
            for part in 0..<size { bytes[index * size + part] = code[part] }
          }
        }
      }
    }
    try await Recording.write(
      [memory.finish()], to: path, settings: Recording.settings(.proRes4444, encoder: encoder))
    #expect(try Judges.strictDecode(path) == "")
    let header = try #require(FrameChecker().check(Judges.packetBytes(path)[0]).header)
    #expect(header.alpha == (depth == 8 ? .bits8 : .bits16))
  }

  @Test func rate_control_keeps_frames_within_the_target_size() async throws {
    for codec in VideoCodecType.allProRes.prefix(4) {
      let path = folder.path("\(codec.shortName).mov")
      var settings = VideoOutputSettings(
        codec: codec, width: 640, height: 368, frameRate: .fps25,
        encoder: .libavcodec(.proresKS))
      settings.name = "noise"
      let frames = try (0..<3).map {
        try TestMedia.frame($0, width: 640, height: 368, noise: 60)
      }
      let report = try await Recording.write(frames, to: path, settings: settings)
      let track = try #require(report.video.first)
      #expect(track.framesOverTarget == 0)
      let mean = Double(track.bytes) / Double(track.framesWritten)
      // Noise needs more than any target rate, so the whole target is used.
      #expect(mean / Double(track.targetFrameBytes) > 0.85)
    }
  }

  @Test(
    .tags(.judges), arguments: EncoderCapabilities.current.encoders,
    [FieldOrder.topFieldFirst, .bottomFieldFirst])
  func fields_are_coded_and_declared_in_the_sources_order(
    _ encoder: EncoderChoice, _ order: FieldOrder
  ) async throws {
    let path = folder.path("a.mov")
    let frames = try (0..<3).map { try TestMedia.frame($0, fieldOrder: order) }
    try await Recording.write(
      frames, to: path, settings: Recording.settings(.proRes422HQ, encoder: encoder))
    #expect(try Judges.strictDecode(path) == "")
    // `fiel` names the field stored first, then the field displayed first; the frames repeat the
    // order.
    let declared = try #require(Judges.probe(path).stream("video").field_order)
    #expect(declared.first == (order == .topFieldFirst ? "t" : "b"))
    for frame in try Judges.frames(path) {
      #expect(frame.interlaced_frame == 1)
      #expect(frame.top_field_first == (order == .topFieldFirst ? 1 : 0))
    }
    for bytes in try Judges.packetBytes(path) {
      let judged = FrameChecker().check(bytes, expecting: FrameExpectation(fieldOrder: order))
      #expect(judged.findings.filter { $0.severity == .error } == [])
    }
    // Every line is in its place: a decoder that swapped fields would be far below this.
    let decoded = try Judges.decode(path, pixelFormat: "yuv422p10le")
    #expect(Judges.psnr(decoded, frames.flatMap(TestMedia.samples)) > 42)
  }

  @Test(.tags(.judges)) func color_is_in_the_stream_the_container_and_decoded_frames() async throws
  {
    let path = folder.path("a.mov")
    let frames = try (0..<2).map { try TestMedia.frame($0, color: .bt2100HLG) }
    try await Recording.write(frames, to: path, settings: Recording.settings())
    let track = try Judges.probe(path).stream("video")
    #expect(track.color_primaries == "bt2020")
    #expect(track.color_transfer == "arib-std-b67")
    #expect(track.color_space == "bt2020nc")
    for frame in try Judges.frames(path) {
      #expect(frame.color_primaries == "bt2020")
      #expect(frame.color_transfer == "arib-std-b67")
      #expect(frame.color_space == "bt2020nc")
    }
  }

  @Test(.tags(.judges), arguments: [PixelFormat.uyvy, .v210, .p210])
  func frames_in_device_layouts_are_preserved(_ format: PixelFormat) async throws {
    let path = folder.path("a.mov")
    var memory = try MutablePixelBuffer(
      PixelBuffer.Description(format: format, width: 128, height: 96))
    for plane in 0..<memory.planeCount {
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        if format == .v210 {
          for index in 0..<bytes.count / 4 {
            let code = UInt32(400 + index / 16 % 200)
            let word = code | code << 10 | code << 20
            bytes.storeBytes(of: word, toByteOffset: index * 4, as: UInt32.self)
          }
        } else {
          for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: 100 + index / 64) }
        }
      }
    }
    let frame = memory.finish()
    let planar = try FrameUnpacker(from: frame.details, to: .yuv422p10).unpacked(frame)
    try await Recording.write([frame], to: path, settings: Recording.settings(.proRes422HQ))
    let decoded = try Judges.decode(path, pixelFormat: "yuv422p10le")
    #expect(Judges.psnr(decoded, TestMedia.samples(planar)) > 38)
  }

  @Test(.tags(.judges), arguments: [ChromaSiting.topLeft, .center])
  func chroma_of_420_is_read_at_its_siting(siting: ChromaSiting) async throws {
    var memory = try MutablePixelBuffer(
      PixelBuffer.Description(format: .yuv420p8, width: 128, height: 96, chromaSiting: siting))
    for plane in 0..<memory.planeCount {
      let step = memory.bytesPerRow(plane: plane)
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for index in bytes.indices {
          bytes[index] = plane == 0 ? 120 : UInt8(80 + index % step + 30 * (index / step % 2))
        }
      }
    }
    let frame = memory.finish()
    let unpacked = try FrameUnpacker(from: frame.details, to: .yuv422p10).unpacked(frame)
    let (path, other) = (folder.path("a.mov"), folder.path("b.mov"))
    let settings = Recording.settings(.proRes422HQ)
    try await Recording.write([frame], to: path, settings: settings)
    try await Recording.write([unpacked], to: other, settings: settings)
    #expect(try Judges.packetBytes(path) == Judges.packetBytes(other))
  }

  @Test(.tags(.judges)) func non_square_pixels_are_declared() async throws {
    let path = folder.path("a.mov")
    let ratio = PixelAspectRatio(64, 45)
    let frames = try [
      TestMedia.frame(0, width: 720, height: 576, color: .bt601PAL, pixelAspectRatio: ratio)
    ]
    try await Recording.write(
      frames, to: path,
      settings: VideoOutputSettings(
        codec: .proRes422, width: 720, height: 576, frameRate: .fps25,
        encoder: .libavcodec(.proresKS)))
    #expect(try Judges.probe(path).stream("video").sample_aspect_ratio == "64:45")
    let header = try #require(FrameChecker().check(Judges.packetBytes(path)[0]).header)
    #expect(header.aspectRatio == .sixteenByNine)
  }
}
