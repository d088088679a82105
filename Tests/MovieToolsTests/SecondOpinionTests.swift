import Foundation
import MediaCore
import ProRes
import QuickTime
import TestSupport
import Testing

@testable import MovieTools

/// What `verify` lets libavcodec decode after this project's decoder, and that it misses nothing.
@Suite struct SecondOpinionTests {
  private static let size = VideoDimensions(width: 96, height: 48)

  /// Frames of a moving image.
  private static func frames(_ count: Int, alpha: Bool = false) throws -> [[UInt8]] {
    let encoder = try ProResEncoder(
      configuration: .init(
        profile: alpha ? .p4444 : .hq, width: size.width, height: size.height, frameRate: .fps25,
        color: .bt709, alpha: alpha ? .bits16 : .none, threads: 1, rateMode: .constantQuality(6)))
    let format: PixelFormat = alpha ? .yuva444p16 : .yuv422p10
    let target = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoder.maximumFrameSize, alignment: 64)
    defer { target.deallocate() }
    return try (0..<count).map { number in
      var frame = try MutablePixelBuffer(
        .init(format: format, width: size.width, height: size.height))
      for plane in 0..<frame.planeCount {
        frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          for index in 0..<bytes.count / 2 {
            let code = 300 + (index * 7 + number * 13) % 400
            bytes.storeBytes(
              of: UInt16(alpha ? code << 6 : code), toByteOffset: 2 * index, as: UInt16.self)
          }
        }
      }
      let size = try encoder.encode(frame.finish(), into: target)
      return [UInt8](target[..<size])
    }
  }

  private static func movie(
    _ frames: [[UInt8]], codec: VideoCodecType, edits: [MovieEdit] = [], at path: String
  ) throws {
    let writer = try MovieWriter(
      file: PosixMovieFile(path: path, mode: .create), configuration: .init())
    let track = try writer.addVideoTrack(
      VideoTrackDescription(codec: codec, dimensions: size, frameRate: .fps25, color: .bt709))
    try writer.start()
    for frame in frames {
      try frame.withUnsafeBytes { try writer.appendVideo($0, to: track, duration: 1000) }
    }
    try writer.setEdits(edits, for: track)
    _ = try writer.finish()
  }

  @Test func libavcodec_decodes_one_in_32_frames_of_a_valid_movie() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    try Self.movie(try Self.frames(70), codec: .proRes422HQ, at: path)
    var verifier = MovieVerifier(path: path)
    let report = try verifier.run()
    #expect(report.isValid, "\(report.findings)")
    #expect(report.framesDecoded == 70)
    // Frames 0, 32 and 64, and the last one.
    #expect(report.framesDecodedByLibavcodec == 4)
    verifier.decodesTwice = true
    let twice = try verifier.run()
    #expect(twice.framesDecoded == 70 && twice.framesDecodedByLibavcodec == 70)
    #expect(twice.findings == report.findings)
  }

  @Test func edit_lists_do_not_change_which_frames_are_decoded() throws {
    let folder = try TemporaryFolder()
    let frames = try Self.frames(70)
    func part(_ start: Int64, _ frames: Int64) -> MovieEdit {
      MovieEdit(mediaTime: start * 1000, duration: MediaTime(value: frames, timescale: 25))
    }
    // One part, parts shown twice, and parts in another order.
    for (place, edits) in [
      [part(10, 20)], [part(0, 70), part(5, 10)], [part(40, 30), part(0, 40)],
    ].enumerated() {
      let path = folder.path("\(place).mov")
      try Self.movie(frames, codec: .proRes422HQ, edits: edits, at: path)
      let report = try MovieVerifier(path: path).run()
      #expect(report.isValid && report.framesDecoded == 70, "\(report.findings)")
      #expect(report.framesDecodedByLibavcodec == 4)
      let tells = report.findings.contains { $0.message.contains("shows 0.8 s of 2.8 s") }
      #expect(tells == (place == 0))
    }
  }

  @Test func frames_with_findings_are_decoded_by_both_decoders() throws {
    let folder = try TemporaryFolder()
    var frames = try Self.frames(40)
    // A reserved bit: decoders read the frame anyway.
    frames[7][26] = 1
    try Self.movie(frames, codec: .proRes422HQ, at: folder.path("a.mov"))
    let report = try MovieVerifier(path: folder.path("a.mov")).run()
    #expect(report.isValid && report.framesDecoded == 40)
    #expect(report.framesDecodedByLibavcodec == 4)
    #expect(report.findings.contains { $0.frame == 7 })
  }

  /// Findings in a form that can be compared. Messages of libavcodec's threads about a frame's
  /// slices come in any order.
  private static func facts(_ report: VerificationReport) -> [String] {
    report.findings.map { finding in
      let words = finding.message.split(separator: " ").map { $0.filter { $0 != ";" } }.sorted()
      return "\(finding.severity) \(finding.check) \(finding.frame ?? -1) \(finding.count) \(words)"
    }
  }

  /// The findings are the same whether libavcodec decodes every frame or only some: whenever it
  /// complains, this project's decoder does too.
  @Test(.tags(.slow), arguments: [false, true])
  func sampled_verification_finds_the_same_damage_as_a_full_one(alpha: Bool) throws {
    let folder = try TemporaryFolder()
    let intact = try Self.frames(6, alpha: alpha)
    var random = SeededGenerator(seed: alpha ? 2 : 1)
    var complaints = 0
    for round in 0..<(TestRun.isThorough ? 24 : 10) {
      var frames = intact
      // Neither the first nor the last frame, which libavcodec decodes anyway.
      let frame = 1 + round % 4
      for _ in 0...round % 3 {
        let place = Int.random(in: 8..<frames[frame].count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: frames[frame][place] = .random(in: 0...255, using: &random)
        case 1: frames[frame][place] ^= UInt8(1 << Int.random(in: 0...7, using: &random))
        default:
          for index in place..<min(place + 6, frames[frame].count) { frames[frame][index] = 0 }
        }
      }
      let path = folder.path("\(round).mov")
      try Self.movie(frames, codec: alpha ? .proRes4444 : .proRes422HQ, at: path)
      var verifier = MovieVerifier(path: path)
      let report = try verifier.run()
      verifier.decodesTwice = true
      let twice = try verifier.run()
      #expect(Self.facts(report) == Self.facts(twice), "round \(round)")
      #expect(report.framesDecoded == twice.framesDecoded)
      complaints += twice.findings.count { $0.check == .decode }
    }
    #expect(complaints > 0)
  }
}
