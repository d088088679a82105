import AssetReader
import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// Samples that encoders put before the audio, in containers with coarse time stamps.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct EncoderDelayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ name: String, rate: Int) throws -> String {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=\(rate):d=1 -f lavfi -i sine=440:r=48000:d=1 -c:v mpeg4 -bf 0 "
        + "-c:a libmp3lame \(folder.path(name))")
    return folder.path(name)
  }

  /// At a low rate, half a frame is longer than any encoder delay.
  @Test(arguments: [10, 25]) func an_encoder_delay_hidden_by_a_frame_clock_is_reported_not_guessed(
    rate: Int
  ) async throws {
    let input = try source("a.avi", rate: rate)
    let reader = try AssetReader(input)
    let video = try #require(reader.videoTrack)
    let audio = try #require(reader.audioTracks.first)
    #expect(
      EncoderDelay.correction(audio, from: .zero, to: .zero, unit: video.timeUnit) == .zero)
    let outcome = try await ExportRig(folder: folder).encode(input)
    let reported = outcome.notes.filter { $0.kind == .assumed && $0.subject == "audio" }
    #expect(reported.count == 1, "\(outcome.notes)")
    #expect(reported.first?.message.contains("(usually 1105 samples, 23 ms, for mp3)") == true)
    #expect(!outcome.notes.contains { $0.message.contains("before the first frame") })
  }

  @Test func a_millisecond_timestamp_is_corrected_to_a_matching_encoder_delay() throws {
    let reader = try AssetReader(try source("a.mkv", rate: 25))
    let video = try #require(reader.videoTrack)
    let audio = try #require(reader.audioTracks.first)
    let lead = MediaTime(value: 23, timescale: 1000)
    let correction = EncoderDelay.correction(
      audio, from: .zero, to: lead, unit: video.timeUnit)
    #expect(correction == MediaTime(value: 1105, timescale: 48_000) - lead)
    #expect(
      EncoderDelay.note(audio, unit: video.timeUnit, in: reader.containerName, of: "") == nil)
  }

  @Test func an_edit_list_gives_the_encoder_delay_despite_a_frame_clock()
    async throws
  {
    let input = folder.path("a.mp4")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i sine=440:r=48000:d=1 -c:v mpeg4 -bf 0 -c:a aac "
        + "-video_track_timescale 25 \(input)")
    let unit = try AssetReader(input).videoTrack?.timeUnit
    #expect(unit == MediaTime(value: 1, timescale: 25))
    let outcome = try await ExportRig(folder: folder).encode(input)
    #expect(!outcome.notes.contains { $0.kind == .assumed && $0.subject == "audio" })
  }
}
