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

  @Test(arguments: ProResProfile.allCases) func headerReadsBackAsWritten(
    profile: ProResProfile
  ) throws {
    let header = Self.header(profile)
    let bytes = header.serialised()
    #expect(bytes.count == header.encodedSize)
    #expect(try FrameHeader(parsing: bytes.span.bytes) == header)
  }

  @Test func chromaMatrixIsSentOnlyWhereItDiffers() {
    #expect(Self.header(.proxy).encodedSize == 156)
    #expect(Self.header(.hq).encodedSize == 92)
    #expect(Self.header(.xq).encodedSize == 156)
  }

  @Test func versionIsOneForFullChromaAndForAlphaOnly() {
    #expect(Self.header(.hq).bitstreamVersion == 0)
    #expect(Self.header(.p4444).bitstreamVersion == 1)
  }

  @Test(
    arguments: [
      (FrameRate.fps23_976, 1), (.fps24, 2), (.fps25, 3), (.fps29_97, 4), (.fps30, 5), (.fps50, 6),
      (.fps59_94, 7), (.fps60, 8), (.fps48, 0),
    ] as [(FrameRate, UInt8)])
  func frameRateCodesAreTheStandards(rate: FrameRate, code: UInt8) {
    #expect(FrameHeader.code(for: rate) == code)
  }

  @Test func otherBytesAreRefused() {
    #expect(throws: ProResError.self) { try FrameHeader(parsing: [UInt8]().span.bytes) }
    #expect(throws: ProResError.self) {
      try FrameHeader(parsing: [UInt8](repeating: 0, count: 200).span.bytes)
    }
    var bytes = Self.header(.hq).serialised()
    bytes.removeLast()
    #expect(throws: ProResError.self) { try FrameHeader(parsing: bytes.span.bytes) }
  }
}
