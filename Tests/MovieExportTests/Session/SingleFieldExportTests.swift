import AssetReader
import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// Conversions of interlaced HEVC.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct SingleFieldExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reported(_ input: String) async throws -> [String] {
    try await ExportRig(folder: folder).encode(input).notes.filter { $0.subject == "scan" }
      .map(\.message)
  }

  @Test func single_fields_become_frames_and_are_reported() async throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=0.2 -vf format=yuv420p,setfield=tff,separatefields -c:v libx265 "
        + "-preset ultrafast -x265-params log-level=none:interlace=tff \(folder.path("a.mp4"))")
    #expect(
      try await reported(folder.path("a.mp4")) == [
        "the source stores each field separately: two consecutive fields are combined into a frame"
      ])
    let movie = try Judges.probe(folder.path("whole.mov"), countingFrames: true).stream("video")
    #expect(movie.height == 96 && movie.nb_read_frames == "5" && movie.avg_frame_rate == "25/1")
    #expect(movie.field_order?.hasPrefix("t") == true)
  }

  @Test func interlaced_frames_without_a_field_order_are_reported() async throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=0.2 -pix_fmt yuv420p -c:v libx265 -preset ultrafast "
        + "-x265-params log-level=none \(folder.path("a.mp4"))")
    #expect(try await reported(folder.path("a.mp4")).isEmpty)
    var bytes = try folder.bytes("a.mp4")
    let code = Array("hvcC".utf8)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: code) }) + 4
    // In the profile: from progressive to interlaced.
    bytes[place + 6] = 0x40
    try folder.write(bytes, "a.mp4")
    let words = try await reported(folder.path("a.mp4"))
    #expect(
      words.count == 1 && words[0].hasPrefix("the source says that it is interlaced"), "\(words)")
  }
}
