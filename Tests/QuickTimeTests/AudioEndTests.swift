import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// Audio that is removed before its movie is finished.
@Suite struct AudioEndTests {
  /// A take of thirty frames in fragments of a quarter of a second, with its audio ended early.
  private func end(
    after count: Int64, checksums: Bool = false
  ) throws -> (left: Int64, summary: MovieSummary, file: TraceFile) {
    var take = Take(frameCount: 30)
    take.configuration.takesChecksums = checksums
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let left = try writer.endAudio(of: ids[1], after: count)
    return (left, try writer.finish(), file)
  }

  private let whole = Int64(Take.audioFrames(upTo: 30))

  @Test(arguments: [48_000, 40_000, 10_001, 1])
  func audio_ends_with_the_requested_sample(count: Int64) throws {
    let (left, summary, file) = try end(after: count)
    #expect(left == whole - count)
    let index = try MovieIndex(file)
    let audio = try #require(index.audioTracks.first)
    #expect(Int64(audio.samples.count) == count)
    #expect(audio.duration == MediaTime(value: count, timescale: 48_000))
    #expect(index.videoTrack?.samples.count == 30)
    #expect(summary.tracks.map(\.sampleCount).contains(Int(count)))
    #expect(Take(frameCount: 30).faults(in: file.content, index).isEmpty)
  }

  @Test func an_end_after_all_audio_changes_nothing() throws {
    for count in [whole, whole + 1, .max] {
      let (left, _, file) = try end(after: count)
      #expect(left == 0)
      #expect(try MovieIndex(file).audioTracks.first.map { Int64($0.samples.count) } == whole)
    }
  }

  @Test func audio_with_checksums_is_trimmed_by_an_edit() throws {
    let (left, summary, file) = try end(after: 10_001, checksums: true)
    #expect(left == 0)
    let audio = try #require(try MovieIndex(file).audioTracks.first)
    #expect(Int64(audio.samples.count) == whole)
    #expect(audio.duration == MediaTime(value: 10_001, timescale: 48_000))
    let runs = try #require(summary.checksums?.tracks.first { !$0.runs.isEmpty }?.runs)
    #expect(runs.reduce(0) { $0 + Int64($1.sampleCount) } == whole)
  }

  @Test func removed_pending_audio_is_in_no_checksum() throws {
    let (left, summary, file) = try end(after: whole - 100, checksums: true)
    #expect(left == 100)
    #expect(try MovieIndex(file).audioTracks.first.map { Int64($0.samples.count) } == whole - 100)
    let runs = try #require(summary.checksums?.tracks.first { !$0.runs.isEmpty }?.runs)
    #expect(runs.reduce(0) { $0 + Int64($1.sampleCount) } == whole - 100)
  }

  @Test func ending_audio_at_zero_keeps_its_samples() throws {
    var take = Take()
    take.timecode = nil
    let file = TraceFile()
    let writer = try MovieWriter(file: file)
    let id = try writer.addAudioTrack(try #require(take.audio))
    try writer.start()
    try writer.appendAudio(pcm(frames: 100, from: 0, channels: 2, bytes: 3), frames: 100, to: id)
    #expect(try writer.endAudio(of: id, after: 0) == 0)
    _ = try writer.finish()
    #expect(try MovieIndex(file).audioTracks.first?.duration == .zero)
  }

  @Test func only_audio_being_written_can_be_ended() throws {
    let (writer, ids) = try Take().begin(TraceFile())
    #expect(throws: QuickTimeError.self) { try writer.endAudio(of: ids[0], after: 1) }
    #expect(throws: QuickTimeError.self) { try writer.endAudio(of: ids[1], after: -1) }
    writer.cancel()
    #expect(throws: QuickTimeError.self) { try writer.endAudio(of: ids[1], after: 1) }
  }
}
