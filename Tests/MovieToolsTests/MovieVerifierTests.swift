import AssetReader
import Foundation
import MediaCore
import MovieTools
import QuickTime
import TestSupport
import Testing

/// Movies that show only part of their content, and movies of several video tracks.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct MovieVerifierTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of 50 frames at 25 fps.
  private func make(_ name: String, _ arguments: String) throws -> String {
    let path = folder.path(name)
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2"]
        + arguments.split(separator: " ").map(String.init) + [path])
    return path
  }

  private static let proRes = "-c:v prores_ks -profile:v 2 -pix_fmt yuv422p10le"

  /// Sets the only entry of the first edit list: its start in the track's timescale, its duration
  /// in the movie's.
  private func trim(_ path: String, from start: UInt32, lasting duration: UInt32) throws {
    var movie = try Data(contentsOf: URL(filePath: path))
    let list = try #require(movie.range(of: Data("elst".utf8)))
    for (place, value) in [(8, duration), (12, start)] {
      let at = list.upperBound + place
      movie.replaceSubrange(
        at..<at + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
    }
    try movie.write(to: URL(filePath: path))
  }

  private func verify(_ path: String, twice: Bool = false) throws -> VerificationReport {
    var verifier = MovieVerifier(path: path)
    verifier.decodesTwice = twice
    return try verifier.run()
  }

  private func notes(_ report: VerificationReport) -> [String] {
    report.findings.filter { $0.severity == .note }.map(\.message)
  }

  @Test func frames_hidden_by_an_edit_list_are_decoded_too() throws {
    let path = try make("a.mov", Self.proRes)
    let timescale = try #require(try MovieIndex(path: path).videoTrack?.timescale)
    // 20 frames from the tenth on.
    try trim(path, from: UInt32(timescale) * 10 / 25, lasting: 800)
    #expect(try Judges.frameHashes(path).count == 20)
    for twice in [false, true] {
      let report = try verify(path, twice: twice)
      #expect(report.isValid, "\(report.findings)")
      #expect(report.framesDecoded == 50)
      #expect(notes(report).contains { $0.contains("the edit list shows 0.8 s of 2 s") })
    }
  }

  @Test func damage_hidden_by_an_edit_list_is_found_at_its_frame() throws {
    let path = try make("a.mov", Self.proRes)
    let index = try MovieIndex(path: path)
    let track = try #require(index.videoTrack)
    try trim(path, from: UInt32(track.timescale) * 10 / 25, lasting: 800)
    let sample = try #require(track.samples[45])
    var bytes = try Data(contentsOf: URL(filePath: path))
    // The size of the frame's header.
    bytes[Int(sample.offset) + 9] ^= 0xFF
    try bytes.write(to: URL(filePath: path))
    let report = try verify(path)
    #expect(!report.isValid)
    let errors = report.findings.filter { $0.severity == .error }
    #expect(errors.allSatisfy { $0.frame == 45 || $0.frame == nil })
    #expect(report.findings.contains { $0.check == .decode && $0.frame == 45 })
  }

  /// A cut without decoding begins before the first frame shown if frames refer to others.
  @Test(arguments: ["libx264 -bf 2", "libx265 -x265-params log-level=none:keyint=25:min-keyint=25"])
  func a_cut_of_inter_coded_frames_is_valid(codec: String) throws {
    let whole = try make("whole.mov", "-c:v \(codec) -g 25 -pix_fmt yuv420p")
    let path = folder.path("cut.mov")
    try Judges.ffmpeg(["-ss", "1.5", "-i", whole, "-c", "copy", path])
    let report = try verify(path)
    #expect(report.isValid, "\(report.findings)")
    #expect(notes(report).contains { $0.contains("the edit list shows 0.") })
    #expect(try verify(whole).isValid)
  }

  @Test func only_the_first_video_track_is_compared_with_the_index() throws {
    let path = folder.path("a.mov")
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1.6", "-f", "lavfi", "-i"]
        + ["smptebars=s=160x90:r=25:d=0.8", "-map", "0", "-map", "1", "-c:v", "prores_ks"]
        + ["-profile:v", "2", "-pix_fmt", "yuv422p10le", "-color_primaries:v:1", "bt2020", path])
    #expect(try MovieIndex(path: path).tracks.count { $0.mediaType == .video } == 2)
    for twice in [false, true] {
      let report = try verify(path, twice: twice)
      #expect(report.isValid, "\(report.findings)")
      #expect(report.framesDecoded == 40)
      #expect(notes(report).contains { $0.contains("of 2 video tracks only track 1") })
    }
  }
}
