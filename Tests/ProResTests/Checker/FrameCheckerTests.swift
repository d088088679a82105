import MediaCore
import TestSupport
import Testing

@testable import ProRes

@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct FrameCheckerTests {
  static func mended(_ frame: [UInt8], _ profile: ProResProfile) throws -> [UInt8] {
    var frame = frame
    let repair = HeaderRepair(
      encoderIdentifier: "test", aspectRatio: .squarePixels, frameRate: .fps25, color: .bt709,
      profile: profile)
    try frame.withUnsafeMutableBytes { try repair.mend($0) }
    return frame
  }

  @Test(arguments: [
    (ProResProfile.proxy, "352x288", "yuv422p10le"), (.lt, "350x270", "yuv422p10le"),
    (.standard, "16x16", "yuv422p10le"), (.hq, "720x96", "yuv422p10le"),
    (.p4444, "200x120", "yuv444p10le"),
  ]) func repaired_libavcodec_frames_pass_the_checker(
    profile: ProResProfile, size: String, format: String
  ) throws {
    let number = ProResProfile.allCases.firstIndex(of: profile) ?? 0
    let frame = try Judges.frame(
      encoder: "prores_ks", size: size, format: format, options: ["-profile:v", "\(number)"])
    let report = FrameChecker().check(try Self.mended(frame, profile))
    #expect(report.isValid, "\(report.findings)")
    #expect(report.header?.frameRate == .fps25)
  }

  @Test(arguments: ["1", "0"]) func both_field_orders_are_read_as_two_pictures(top: String) throws {
    let frame = try Judges.frame(
      encoder: "prores_ks", size: "128x96",
      options: ["-flags", "+ildct", "-vf", "setfield=\(top == "1" ? "tff" : "bff")"])
    let report = FrameChecker().check(try Self.mended(frame, .hq))
    #expect(report.isValid, "\(report.findings)")
    #expect(report.header?.fieldOrder == (top == "1" ? .topFieldFirst : .bottomFieldFirst))
    #expect(report.sliceCount == 6)
  }

  @Test func errors_of_old_encoders_are_found() throws {
    var frame = try Self.mended(
      Judges.frame(
        encoder: "prores_ks", size: "64x64", format: "yuv444p10le", options: ["-profile:v", "4"]),
      .p4444)
    #expect(FrameChecker().check(frame).isValid)
    // As FFmpeg 5.1 writes but FFmpeg 7 no longer does: version 0 for 4:4:4, and a reserved bit.
    frame[11] = 0
    frame[20] |= 1
    let codes = Set(FrameChecker().check(frame).findings.map(\.code))
    #expect(codes.isSuperset(of: [.bitstreamVersion, .reservedBits]))
  }

  @Test func alpha_rows_below_the_picture_are_only_unusual() throws {
    let frame = try Self.mended(
      Judges.frame(
        encoder: "prores_ks", size: "96x40", format: "yuva444p10le",
        options: ["-profile:v", "4", "-alpha_bits", "16"]), .p4444)
    let report = FrameChecker().check(frame)
    #expect(report.isValid, "\(report.findings)")
    #expect(report.findings.filter { $0.code == .alphaRows }.count == 1)
  }

  @Test func the_frame_is_compared_with_its_container() throws {
    let frame = try Self.mended(Judges.frame(encoder: "prores_ks", size: "64x48"), .standard)
    let right = FrameExpectation(
      width: 64, height: 48, codec: .proRes422, fieldOrder: .progressive, color: .bt709,
      frameRate: .fps25)
    #expect(FrameChecker().check(frame, expecting: right).isValid)
    let wrong = FrameExpectation(
      width: 65, height: 47, codec: .proRes4444, fieldOrder: .topFieldFirst, color: .bt2100PQ,
      frameRate: .fps24)
    let findings = FrameChecker().check(frame, expecting: wrong).findings
    #expect(findings.filter { $0.code == .unexpectedValue }.count == 5)
    #expect(findings.filter { $0.code == .unexpectedColor }.count == 3)
  }

  @Test func each_broken_field_is_named() throws {
    let good = try Self.mended(Judges.frame(encoder: "prores_ks", size: "320x64"), .standard)
    let picture = try FrameHeader(parsing: good.span.bytes).encodedSize
    // 20 macroblocks a row: slices of 8, 8 and 4, in four rows.
    let firstSlice = picture + 8 + 12 * 2
    func codes(_ offset: Int, _ value: UInt8) -> Set<FrameFinding.Code> {
      var frame = good
      frame[offset] = value
      // FFmpeg 5.1 repeats the same matrix in every frame.
      return Set(FrameChecker().check(frame).findings.map(\.code))
    }
    #expect(codes(3, good[3] ^ 1) == [.frameSize])
    #expect(codes(4, 0) == [.notAFrame])
    #expect(codes(11, 7) == [.bitstreamVersion])
    #expect(codes(20, good[20] | 1) == [.reservedBits])
    #expect(codes(21, 0x4F).contains(.reservedValue))
    #expect(codes(26, 1) == [.reservedBits])
    #expect(codes(28, 1).contains(.matrixWeight))
    #expect(codes(picture, good[picture] | 1).contains(.reservedBits))
    #expect(codes(picture + 6, 13) == [.sliceCount])
    #expect(codes(firstSlice, good[firstSlice] | 2).contains(.reservedBits))
    #expect(codes(firstSlice + 1, 0) == [.quantizationIndex])
    #expect(codes(firstSlice + 1, 225) == [.quantizationIndex])
    #expect(codes(firstSlice + 2, 0xFF).contains(.sliceHeader))
    let padded = FrameChecker().check(good + [0]).findings.filter { $0.severity == .error }
    #expect(padded.map(\.code) == [.frameSize])
    let longer = FrameChecker().check(good + [1]).findings.map(\.code)
    #expect(longer.contains(.stuffing))
  }

  @Test(.tags(.slow)) func the_checker_survives_random_bytes() throws {
    let good = try Self.mended(
      Judges.frame(
        encoder: "prores_ks", size: "96x64", format: "yuva444p10le",
        options: ["-profile:v", "4", "-alpha_bits", "16"]), .p4444)
    var random = SeededGenerator(seed: 17)
    var reports = 0
    for round in 0..<(TestRun.isThorough ? 300 : 100) {
      var frame = good
      for _ in 0...(round % 9) {
        frame[Int.random(in: 0..<frame.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if round % 5 == 0 { frame.removeLast(.random(in: 0...frame.count, using: &random)) }
      if FrameChecker().check(frame).isValid == false { reports += 1 }
    }
    // Most random damage violates the standard; some only changes a coefficient.
    #expect(reports > (TestRun.isThorough ? 100 : 33))
  }
}
