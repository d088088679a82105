import MediaCore
import Testing

@testable import ProRes

@Suite struct FrameHeaderTests {
  static func header(_ profile: ProResProfile) -> FrameHeader {
    FrameHeader(
      width: 1920, height: 1080, chromaFormat: profile.chromaFormat,
      interlaceMode: .topFieldFirst, aspectRatio: .sixteenByNine, frameRate: .fps29_97,
      color: .bt2100HLG, alpha: profile.is4444 ? .bits16 : .none,
      lumaMatrix: profile.lumaMatrix, chromaMatrix: profile.chromaMatrix, encoderIdentifier: "test")
  }

  @Test(arguments: ProResProfile.allCases) func header_reads_back_as_written(
    profile: ProResProfile
  ) throws {
    let header = Self.header(profile)
    let bytes = header.serialized()
    #expect(bytes.count == header.encodedSize)
    #expect(try FrameHeader(parsing: bytes.span.bytes) == header)
  }

  @Test(arguments: ProResProfile.allCases) func both_matrices_are_written_as_by_apples_encoder(
    profile: ProResProfile
  ) {
    let header = Self.header(profile)
    #expect(header.encodedSize == 156)
    #expect(header.serialized()[8...9].elementsEqual([0, 148]))
    #expect(header.chromaMatrix == profile.chromaMatrix)
  }

  @Test func header_colors_use_only_codes_the_standard_defines() throws {
    let defined: (Set<UInt8>, Set<UInt8>, Set<UInt8>) = (
      [1, 2, 5, 6, 9, 11, 12], [1, 2, 16, 18], [1, 2, 6, 9]
    )
    for primaries in ColorDescription.Primaries.allCases {
      for transfer in ColorDescription.TransferFunction.allCases {
        for matrix in ColorDescription.Matrix.allCases {
          let color = ColorDescription(
            primaries: primaries, transferFunction: transfer, matrix: matrix)
          let coded = color.frameHeaderColor
          #expect(defined.0.contains(coded.primaries.rawValue))
          #expect(defined.1.contains(coded.transferFunction.rawValue))
          #expect(defined.2.contains(coded.matrix.rawValue))
        }
      }
    }
    var ntsc = ColorDescription.smpte170M
    ntsc.transferFunction = .smpte170M
    #expect(ntsc.frameHeaderColor == .smpte170M)
    var pal = ColorDescription.bt601PAL
    pal.transferFunction = .gamma28
    pal.matrix = .bt470bg
    #expect(pal.frameHeaderColor == .bt601PAL)
  }

  @Test func the_checker_accepts_an_equivalent_color() throws {
    var color = ColorDescription.bt709
    color.transferFunction = .sRGB
    let header = FrameHeader(
      width: 64, height: 64, chromaFormat: .yuv422, interlaceMode: .progressive, color: color,
      encoderIdentifier: "test")
    #expect(header.transferFunction == 2)
    var check = FrameCheck(decodesSlices: false)
    check.check(header, against: FrameExpectation(color: color))
    #expect(check.findings.isEmpty)
    check.check(header, against: FrameExpectation(color: .bt2100PQ))
    #expect(check.findings.map(\.code) == [.unexpectedColor, .unexpectedColor, .unexpectedColor])
  }

  @Test func version_is_one_for_full_chroma_and_for_alpha_only() {
    #expect(Self.header(.hq).bitstreamVersion == 0)
    #expect(Self.header(.p4444).bitstreamVersion == 1)
  }

  @Test(
    arguments: [
      (FrameRate.fps23_976, 1), (.fps24, 2), (.fps25, 3), (.fps29_97, 4), (.fps30, 5), (.fps50, 6),
      (.fps59_94, 7), (.fps60, 8), (.fps48, 0),
    ] as [(FrameRate, UInt8)])
  func frame_rate_codes_match_the_standard(rate: FrameRate, code: UInt8) {
    #expect(FrameHeader.code(for: rate) == code)
  }

  @Test func bytes_that_are_not_a_header_are_refused() {
    #expect(throws: ProResError.self) { try FrameHeader(parsing: [UInt8]().span.bytes) }
    #expect(throws: ProResError.self) {
      try FrameHeader(parsing: [UInt8](repeating: 0, count: 200).span.bytes)
    }
    var bytes = Self.header(.hq).serialized()
    bytes.removeLast()
    #expect(throws: ProResError.self) { try FrameHeader(parsing: bytes.span.bytes) }
  }
}
