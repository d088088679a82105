import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Frames of every shape, judged by decoders that share no code with this project.
@Suite(.tags(.judges), .enabled(if: !OutsideDecoder.all.isEmpty, "needs FFmpeg, or prores-judge"))
struct OutsideDecoderTests {
  private func encode(
    _ picture: TestFrame, _ profile: ProResProfile, _ format: PixelFormat,
    fields: FieldOrder = .progressive, alpha: FrameHeader.AlphaChannelType = .none, index: Int = 2
  ) throws -> [UInt8] {
    try ProResEncoder(
      configuration: .init(
        profile: profile, width: picture.width, height: picture.height, fieldOrder: fields,
        alpha: alpha, threads: 1, rateMode: .constantQuality(index))
    ).encode(picture.buffer(format, fields: fields))
  }

  /// Every number of macroblocks at the end of a row, rows cut off anywhere, and odd heights.
  static let sizes = [
    (16, 16), (17, 17), (31, 34), (48, 31), (65, 35), (95, 47), (97, 49), (118, 48), (129, 63),
    (145, 66), (161, 18), (178, 37), (200, 50), (209, 96), (239, 19), (257, 81), (8192, 16),
    (16, 4320), (8177, 17),
  ]

  /// Each size with one field order, or with all three if TEST_ALL=1.
  static let shapes = sizes.indices.flatMap { index in
    FieldOrder.allCases.indices
      .filter { $0 == index % 3 || TestRun.isThorough }
      .map { (sizes[index], FieldOrder.allCases[$0]) }
  }

  @Test(arguments: shapes)
  func other_decoders_decode_every_frame_size(size: (Int, Int), fields: FieldOrder) throws {
    let profile: ProResProfile = size.0 % 5 == 0 ? .p4444 : .hq
    let picture = TestFrame(width: size.0, height: size.1, fullChroma: profile.is4444)
    let format: PixelFormat = profile.is4444 ? .yuv444p10 : .yuv422p10
    let frame = try encode(picture, profile, format, fields: fields)
    for decoder in OutsideDecoder.all {
      let planes = try #require(decoder.decode([frame]).first)
      let psnr = picture.psnr(decoder.judged(planes, profile))
      #expect(psnr > profile.leastPSNR(index: 2), "\(decoder.testDescription)")
    }
  }

  /// In a frame of 32n + 1 rows the top field has one more row of macroblocks than the bottom field
  /// (RDD 36, 6.2). FFmpeg assumes that both fields are equal, and refuses the frame; no format in
  /// use has such a height.
  @Test(arguments: [33, 65, 97], [FieldOrder.topFieldFirst, .bottomFieldFirst])
  func fields_with_different_macroblock_rows_follow_the_standard(height: Int, fields: FieldOrder)
    throws
  {
    let picture = TestFrame(width: 112, height: height, fullChroma: false)
    let frame = try encode(picture, .hq, .yuv422p10, fields: fields)
    let report = FrameChecker().check(frame)
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.sliceCount == 3 * (height / 32 * 2 + 1))
    for component in 0..<3 {
      let decoded = try ReferenceDecoder.decode(frame)
      #expect(picture.psnr(decoded, component: component) > ProResProfile.hq.leastPSNR(index: 2))
    }
    for decoder in OutsideDecoder.all {
      if decoder.isFFmpeg {
        #expect(throws: OutsideDecoder.Refusal.self) { try decoder.decode([frame]) }
      } else {
        let planes = try #require(decoder.decode([frame]).first)
        #expect(picture.psnr(planes) > ProResProfile.hq.leastPSNR(index: 2))
      }
    }
  }

  /// The other tests use the judges that exist; this one reports if the newer FFmpeg is missing.
  @Test(
    .tags(.network), .enabled(if: OutsideDecoder.newer != nil, "\(NewerFFmpeg.absence)"),
    arguments: ProResProfile.allCases)
  func a_newer_ffmpeg_decodes_every_profile(profile: ProResProfile) throws {
    let newer = try #require(OutsideDecoder.newer)
    let picture = TestFrame(width: 258, height: 70, fullChroma: profile.is4444)
    let format: PixelFormat = profile.is4444 ? .yuv444p10 : .yuv422p10
    for fields in FieldOrder.allCases {
      let frame = try encode(picture, profile, format, fields: fields)
      let planes = try #require(newer.decode([frame]).first)
      #expect(picture.psnr(planes) > profile.leastPSNR(index: 2), "\(fields)")
    }
  }

  @Test(.tags(.slow), .enabled(if: TestRun.isThorough, "TEST_ALL=1 encodes the largest frames"))
  func the_largest_frame_survives_a_round_trip() throws {
    let (width, height) = (8192, 4320)
    // Each row is a section of one long row, one sample further to the right each time.
    let long = (0..<width + height).map { (place: Int) -> UInt16 in
      UInt16(64 + place % 700 + place / 64 % 2 * 100)
    }
    var buffer = try MutablePixelBuffer(
      .init(format: .yuv422p10, width: width, height: height))
    let widths = [width, width / 2, width / 2]
    for (plane, columns) in widths.enumerated() {
      let bytesPerRow = buffer.bytesPerRow(plane: plane)
      long.withUnsafeBytes { row in
        buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          for y in 0..<height {
            UnsafeMutableRawBufferPointer(rebasing: bytes[(y * bytesPerRow)...]).copyMemory(
              from: UnsafeRawBufferPointer(rebasing: row[y * 2..<(y + columns) * 2]))
          }
        }
      }
    }
    let frame = try ProResEncoder(
      configuration: .init(
        profile: .hq, width: width, height: height, threads: 2, rateMode: .constantQuality(2))
    ).encode(buffer.finish())
    #expect(FrameChecker(decodesSlices: false).check(frame).findings.isEmpty)
    let decoder = try #require(OutsideDecoder.debian)
    let planes = try #require(decoder.decode([frame]).first)
    // The step is a prime number, so all columns and rows are covered.
    var sum: Int = 0
    var count: Int = 0
    for (plane, columns) in widths.enumerated() {
      for index in Swift.stride(from: 0, to: columns * height, by: 293) {
        let wanted = Int(long[index / columns + index % columns])
        let difference = wanted - Int(planes[plane][index])
        sum += difference * difference
        count += 1
      }
    }
    let psnr = 10 * (1023 * 1023 / max(Double(sum) / Double(count), 1e-6)).logarithm10
    #expect(psnr > ProResProfile.hq.leastPSNR(index: 2))
  }

  /// Twelve bits go in and come out: ten bits would give only 71 dB.
  @Test(arguments: [ProResProfile.p4444, .xq]) func twelve_bits_are_preserved(
    profile: ProResProfile
  ) throws {
    let (width, height) = (104, 48)
    var buffer = try MutablePixelBuffer(
      .init(format: .yuv444p12, width: width, height: height))
    var planes: OutsideDecoder.Planes = []
    for plane in 0..<3 {
      let codes = (0..<width * height).map {
        UInt16(800 + $0 % width * 19 + $0 / width * (plane + 1))
      }
      let stride = buffer.bytesPerRow(plane: plane)
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for (index, code) in codes.enumerated() {
          bytes.storeBytes(
            of: code.littleEndian, toByteOffset: index / width * stride + index % width * 2,
            as: UInt16.self)
        }
      }
      planes.append(codes)
    }
    let frame = try ProResEncoder(
      configuration: .init(
        profile: profile, width: width, height: height, threads: 1, rateMode: .constantQuality(1))
    ).encode(buffer.finish())
    for decoder in OutsideDecoder.all {
      let all = try #require(decoder.decode([frame], depth: 12).first)
      let found = decoder.judged(all, profile)
      var sum = 0
      for (wanted, code) in zip(planes.joined(), found.joined()) {
        let difference = Int(wanted) - Int(code)
        sum += difference * difference
      }
      let error = max(Double(sum) / Double(width * height * found.count), 1e-6)
      let psnr = 10 * (4095 * 4095 / error).logarithm10
      #expect(psnr > 72.5, "\(decoder.testDescription): \(psnr) dB")
    }
  }

  /// Alpha is lossless. Decoders differ in converting 8 and 16 bits to 12: RDD 36 (7.5.2) rounds;
  /// FFmpeg truncates 16 bits and repeats the upper bits of 8.
  @Test(
    arguments: [
      (FrameHeader.AlphaChannelType.bits8, PixelFormat.yuva444p8), (.bits16, .yuva444p16),
    ], [ProResProfile.p4444, .xq])
  func alpha_is_exact_in_each_decoders_rounding(
    alpha: (type: FrameHeader.AlphaChannelType, format: PixelFormat), profile: ProResProfile
  ) throws {
    for (width, height, fields) in [
      (150, 48, FieldOrder.progressive), (150, 41, .progressive), (150, 41, .topFieldFirst),
      (33, 70, .bottomFieldFirst),
    ] {
      let picture = TestFrame(width: width, height: height, fullChroma: true)
      let frame = try encode(picture, profile, alpha.format, fields: fields, alpha: alpha.type)
      for decoder in OutsideDecoder.all {
        // The independent decoder expects alpha of rows below the picture, contrary to RDD 36,
        // 7.5.3.
        let isWhole = height % (fields.isInterlaced ? 32 : 16) == 0
        guard decoder.isFFmpeg || isWhole else { continue }
        let planes = try #require(decoder.decode([frame], depth: 12).first)
        let wanted = picture.alpha.map { code -> UInt16 in
          let value = alpha.type == .bits8 ? Int(code) >> 8 : Int(code)
          let most = alpha.type == .bits8 ? 255 : 65535
          if !decoder.isFFmpeg { return UInt16((value * 4095 * 2 + most) / (most * 2)) }
          return UInt16(alpha.type == .bits8 ? value << 4 | value >> 4 : value >> 4)
        }
        #expect(planes[3] == wanted, "\(decoder.testDescription), \(width)x\(height)")
      }
    }
  }
}
