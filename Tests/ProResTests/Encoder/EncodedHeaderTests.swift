import MediaCore
import Testing

@testable import ProRes

/// The bytes of an encoded frame's headers, field by field, at the offsets in RDD 36 (5.1, 5.2).
@Suite struct EncodedHeaderTests {
  /// The settings of a frame, and the bytes that follow from them.
  struct Case: Sendable {
    var profile = ProResProfile.hq
    var fields = FieldOrder.progressive
    var alpha = FrameHeader.AlphaChannelType.none
    var aspect = FrameHeader.AspectRatio.unspecified
    var rate: FrameRate?
    var color = ColorDescription.bt709
    /// Offsets in the frame, and the bytes there.
    var bytes: [(offset: Int, bytes: [UInt8])] = []
  }

  static let cases: [Case] = [
    // bitstream_version, chroma_format and interlace_mode, aspect and rate, color, alpha
    Case(rate: .fps25, bytes: [(10, [0, 0]), (20, [0x80, 0x03, 1, 1, 1, 0, 0])]),
    Case(
      profile: .proxy, fields: .topFieldFirst, aspect: .fourByThree, rate: .fps29_97,
      color: .bt601PAL,
      bytes: [(10, [0, 0]), (20, [0x84, 0x24, 5, 1, 6, 0, 0])]),
    Case(
      profile: .lt, fields: .bottomFieldFirst, aspect: .sixteenByNine, rate: .fps59_94,
      bytes: [(10, [0, 0]), (20, [0x88, 0x37, 1, 1, 1, 0, 0])]),
    Case(
      profile: .standard, aspect: .squarePixels, rate: .fps23_976, color: .bt2100PQ,
      bytes: [(10, [0, 0]), (20, [0x80, 0x11, 9, 16, 9, 0, 0])]),
    Case(
      profile: .p4444, rate: .fps24, color: .bt2100HLG,
      bytes: [(10, [0, 1]), (20, [0xC0, 0x02, 9, 18, 9, 0, 0])]),
    Case(
      profile: .p4444, alpha: .bits8, rate: .fps60,
      bytes: [(10, [0, 1]), (20, [0xC0, 0x08, 1, 1, 1, 1, 0])]),
    Case(
      profile: .xq, fields: .topFieldFirst, alpha: .bits16, rate: .fps48,
      bytes: [(10, [0, 1]), (20, [0xC4, 0x00, 1, 1, 1, 2, 0])]),
  ]

  @Test(arguments: cases.indices) func header_fields_follow_the_standard(number: Int) throws {
    let it = Self.cases[number]
    let (width, height) = (0x0123, 0x0045)
    let encoder = try ProResEncoder(
      configuration: .init(
        profile: it.profile, width: width, height: height, frameRate: it.rate,
        fieldOrder: it.fields, color: it.color, aspectRatio: it.aspect, alpha: it.alpha,
        threads: 1, rateMode: .constantQuality(8), encoderIdentifier: "test"))
    let format: PixelFormat = it.profile.is4444 ? .yuva444p10 : .yuv422p10
    let picture = TestFrame(width: width, height: height, fullChroma: it.profile.is4444)
    let frame = try encoder.encode(picture.buffer(format, fields: it.fields))

    // frame_size, frame_identifier; a multiple of 16, filled with zeros.
    #expect(be32(frame, 0) == frame.count && frame.count % 16 == 0)
    #expect(Array(frame[4..<8]) == Array("icpf".utf8))
    // encoder_identifier, horizontal_size, vertical_size.
    #expect(Array(frame[12..<16]) == Array("test".utf8))
    #expect(Array(frame[16..<20]) == [0x01, 0x23, 0x00, 0x45])
    for (offset, bytes) in it.bytes {
      #expect(Array(frame[offset..<offset + bytes.count]) == bytes, "at byte \(offset)")
    }

    // Both matrices, even if they are equal.
    #expect(frame[27] == 3)
    #expect(Array(frame[28..<92]) == it.profile.lumaMatrix.weights)
    #expect(Array(frame[92..<156]) == it.profile.chromaMatrix.weights)
    let headerSize = 148
    #expect(Int(frame[8]) << 8 | Int(frame[9]) == headerSize)

    try checkPictures(frame, it, start: headerSize + 8)
  }

  /// If a header cannot have one of H.273's codes, it gets an equivalent code or "unspecified" (RDD
  /// 36, tables 5 to 7).
  @Test func frame_colors_are_written_in_the_headers_codes() throws {
    let color = ColorDescription(primaries: .bt709, transferFunction: .sRGB, matrix: .bt470bg)
    let encoder = try ProResEncoder(
      configuration: .init(
        profile: .standard, width: 64, height: 64, frameRate: .fps25, threads: 1,
        rateMode: .constantQuality(8)))
    let picture = try MutablePixelBuffer(
      .init(format: .yuv422p10, width: 64, height: 64, color: color)
    ).finish()
    let frame = try encoder.encode(picture)
    let expected = color.frameHeaderColor
    #expect(expected != color)
    #expect(
      Array(frame[22..<25]) == [
        expected.primaries.rawValue, expected.transferFunction.rawValue, expected.matrix.rawValue,
      ])
  }

  /// Picture headers, slice tables and slice headers, up to the frame's stuffing.
  private func checkPictures(_ frame: [UInt8], _ it: Case, start: Int) throws {
    var offset = start
    // 19 columns of macroblocks: slices of 8, 8, 2 and 1. 69 rows are 5 rows of macroblocks; fields
    // of 35 and 34 rows have 3 each.
    for rows in it.fields.isInterlaced ? [3, 3] : [5] {
      // picture_header_size (5 bits) and 3 reserved bits; picture_size; deprecated_number_of_slices;
      // 2 reserved bits, log2_desired_slice_size_in_mb (2 bits), 4 reserved bits.
      #expect(frame[offset] == 8 << 3)
      let size = be32(frame, offset + 1)
      #expect(Int(frame[offset + 5]) << 8 | Int(frame[offset + 6]) == rows * 4)
      #expect(frame[offset + 7] == 3 << 4)
      var slice = offset + 8 + rows * 4 * 2
      for index in 0..<rows * 4 {
        let entry = offset + 8 + index * 2
        #expect(frame[slice] == (it.alpha == .none ? 6 : 8) << 3)
        #expect(frame[slice + 1] == 8)
        slice += Int(frame[entry]) << 8 | Int(frame[entry + 1])
      }
      #expect(slice == offset + size)
      offset += size
    }
    #expect(frame.count - offset < 16)
    #expect(frame[offset...].allSatisfy { $0 == 0 })
  }

  private func be32(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
