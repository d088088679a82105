import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetWriter

/// Times and limits at the ends of their ranges: an append refuses them, and the movie continues.
@Suite struct ExtremeTimeTests {
  let folder: TemporaryFolder
  private static let values: [Int64] = [
    .min, .min + 1, -(1 << 53), -1, 0, 1, 1 << 53, .max - 1, .max,
  ]
  private static let scales: [Int32] = [1, 25, 48_000, 1_000_000_000, .max]

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [60, 0, Double.nan, 1e300, .infinity])
  func extreme_sample_times_do_not_crash(maximumGap: Double) async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.maximumGap = maximumGap
    let (video, audio) = try Recording.begin(writer)
    let frame = try TestMedia.frame(0)
    let sample = try TestMedia.audio(from: 0, count: 480)
    _ = try? video.appendImmediately(TestMedia.video(0))
    for scale in Self.scales {
      for value in Self.values where value.magnitude > 1 << 52 || value < 0 {
        let time = MediaTime(value: value, timescale: scale)
        _ = try? video.appendImmediately(SampleBuffer(.video(frame), presentationTimeStamp: time))
        var late = sample
        late.presentationTimeStamp = time
        _ = try? audio.appendImmediately(late)
      }
    }
    #expect(writer.status == .writing)
    #expect(writer.report.video.first?.refusals.isEmpty == false)
    // A gap without limit is filled as requested, but only until a cancellation.
    writer.cancelWriting()
    #expect(writer.status == .cancelled)
  }

  @Test func extreme_hold_times_are_ignored() async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let input = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    let video = try writer.inputReceiver(for: input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await video.append(TestMedia.video(0))
    for value in Self.values where value > 1 << 53 || value < 0 {
      try video.holdLastFrame(until: MediaTime(value: value, timescale: 1))
    }
    #expect(try await writer.finishWriting().video.first?.framesWritten == 1)
  }

  @Test(arguments: [Int64(1) << 53, .max])
  func a_session_with_an_extreme_end_keeps_all_audio(seconds: Int64) async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let audio = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await audio.append(TestMedia.audio(from: 0, count: 480))
    try writer.endSession(atSourceTime: MediaTime(value: seconds, timescale: 1))
    let account = try #require(try await writer.finishWriting().audio.first)
    #expect(account.samplesWritten == 480 && account.samplesTrimmed == 0)
  }

  @Test func the_last_representable_creation_time_is_formatted() {
    let last: Int64 = 67_768_036_191_676_799
    #expect(CompressedMovieHeader.text(last) == "2147485547-12-31T23:59:59.000000Z")
    #expect(CompressedMovieHeader.text(last + 1) == "" && CompressedMovieHeader.text(.max) == "")
    #expect(CompressedMovieHeader.text(0) == "1970-01-01T00:00:00.000000Z")
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func extreme_segment_limits_are_accepted(limit: Int) async throws {
    var rig = try SegmentRig()
    rig.frames = 6
    rig.requests = [3]
    rig.policy.maximumFrameCount = limit
    let (report, error) = try await rig.record("take.mov")
    #expect(error == nil)
    #expect(report.segments.count == (limit == .max ? 2 : 6))
    #expect(report.segments.reduce(0) { $0 + $1.frameCount } == 6)
  }
}
