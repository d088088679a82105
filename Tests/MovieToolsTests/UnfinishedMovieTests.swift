import MediaCore
import MovieTools
import QuickTime
import TestSupport
import Testing

/// Reports about an unfinished take.
@Suite struct UnfinishedMovieTests {
  @Test func a_short_timecode_track_is_reported_as_shorter() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    var configuration = MovieWriter.Configuration()
    configuration.fragmentInterval = 0.2
    let writer = try MovieWriter(
      file: try PosixMovieFile(path: path, mode: .create), configuration: configuration)
    let video = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: .proRes422, dimensions: VideoDimensions(width: 160, height: 96), frameRate: .fps25))
    _ = try writer.addTimecodeTrack(
      TimecodeTrackDescription(start: try #require(Timecode("01:00:00:00", frameRate: .fps25))),
      for: video)
    try writer.start()
    let frame = [UInt8](repeating: 1, count: 512)
    for _ in 0..<20 {
      try frame.withUnsafeBytes { try writer.appendVideo($0, to: video) }
    }
    let findings = try MovieVerifier(path: path).run().findings
    let reported = findings.filter { $0.check == .timecode }.map(\.message)
    #expect(reported.contains { $0.hasSuffix("shorter than the video") }, "\(findings)")
    #expect(!reported.contains { $0.contains("longer") || $0.contains(" -") }, "\(reported)")
    writer.cancel()
  }
}
