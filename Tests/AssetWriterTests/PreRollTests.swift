import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetWriter

/// Movies that begin before the recording was started.
@Suite struct PreRollTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Rig {
    let writer: AssetWriter
    let videoReceiver: AssetWriterInput.SampleBufferReceiver
    let audio: AssetWriterInput.SampleBufferReceiver

    /// Frames with a frame's worth of audio each; the audio is late by a microphone's buffer.
    func feed(_ frames: Range<Int>, except missing: Set<Int> = [], audioDelay: Int = 0) async throws
    {
      for number in frames {
        if !missing.contains(number) {
          try await videoReceiver.append(
            TestMedia.video(number, frame: TestMedia.frame(number, noise: 40)))
        }
        let heard = number - audioDelay
        if heard >= 0 { try await audio.append(TestMedia.audio(from: heard * 1920, count: 1920)) }
      }
    }
  }

  private func rig(_ preRoll: PreRoll, policy: SegmentPolicy = SegmentPolicy()) throws -> Rig {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.segments = policy
    let video = AssetWriterInput(
      outputSettings: VideoOutputSettings(
        codec: .proRes422, width: 128, height: 96, frameRate: .fps25, encoder: .native))
    let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24))
    video.expectsMediaDataInRealTime = true
    audio.expectsMediaDataInRealTime = true
    let rig = Rig(
      writer: writer, videoReceiver: try writer.inputReceiver(for: video),
      audio: try writer.inputReceiver(for: audio))
    try writer.startPreRoll(preRoll)
    try writer.startSession(atSourceTime: .zero)
    return rig
  }

  /// Checks the first sample, and the frames' numbers by comparing their bytes with a movie of all
  /// frames.
  ///
  /// - Parameter absent: Frames that were never encoded.
  private func judge(
    _ frames: Range<Int>, at start: Int, of total: Int, without absent: Range<Int> = 0..<0
  ) async throws {
    let path = folder.path("a.mov")
    #expect(try Judges.strictDecode(path) == "")
    let all = try await Recording.write(
      (0..<total).filter { !absent.contains($0) }.map { try TestMedia.frame($0, noise: 40) },
      to: folder.path("all.mov"), settings: Recording.settings(.proRes422, encoder: .native))
    #expect(all.video.first?.framesWritten == total - absent.count)
    let bytes = try Judges.packetBytes(folder.path("all.mov"))
    #expect(
      try Judges.packetBytes(path)
        == Array(bytes.dropFirst(frames.lowerBound - absent.count).prefix(frames.count)))
    let audio = try Judges.decodeAudio(path)
    #expect(audio.count == frames.count * 1920 * 2)
    #expect(audio.first == Int32(truncatingIfNeeded: (start * 1920 * 16) << 8))
    #expect(
      audio.last == Int32(truncatingIfNeeded: (frames.upperBound * 1920 - 1) * 16 + 1) << 8)
  }

  @Test(.tags(.judges)) func a_movie_begins_earlier_by_exactly_the_pre_roll() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 10, timescale: 25)))
    try await rig.feed(0..<40)
    #expect(folder.contents == [])
    let first = try rig.writer.endPreRoll { held, frame in
      #expect(held == 10 && frame == 30)
      return Timecode("10:00:00:00", frameRate: .fps25)
    }
    #expect(first == 30)
    try await rig.feed(40..<50)
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 20)
    #expect(report.video.first?.framesAppended == 20)
    #expect(report.video.first?.framesTrimmed == 0)
    #expect(report.audio.first?.samplesWritten == 38_400)
    #expect(report.segments.map(\.firstFrame) == [0])
    try await judge(30..<50, at: 30, of: 50)
    #expect(
      try Judges.probe(folder.path("a.mov")).stream("video").tags?["timecode"] == "10:00:00:00")
  }

  @Test func a_shorter_past_than_requested_is_written_completely() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 10, timescale: 1)))
    try await rig.feed(0..<7)
    try rig.writer.endPreRoll()
    try await rig.feed(7..<12)
    try await rig.writer.finishWriting()
    try await judge(0..<12, at: 0, of: 12)
  }

  /// The file takes a while to be created, as on a disk that must spin up first.
  @Test func the_pre_roll_is_kept_while_the_file_is_created() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 5, timescale: 25)))
    try await rig.feed(0..<20)
    let file = try rig.writer.makePreRollFile()
    try await rig.feed(20..<80)
    #expect(try rig.writer.endPreRoll(into: file, at: 20) == 15)
    try await rig.feed(80..<90)
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 75)
    #expect(report.audio.first?.samplesWritten == 144_000)
    try await judge(15..<90, at: 15, of: 90)
  }

  @Test func a_take_that_ends_before_its_file_exists_has_only_its_frames() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 5, timescale: 25)))
    try await rig.feed(0..<20)
    let file = try rig.writer.makePreRollFile()
    try await rig.feed(20..<60)
    #expect(try rig.writer.endPreRoll(into: file, at: 20, end: 25) == 15)
    try rig.writer.endSession(atSourceTime: FrameRate.fps25.time(ofFrame: 25))
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 10)
    try await judge(15..<25, at: 15, of: 25)
  }

  @Test func abandoning_the_file_leaves_no_file_and_keeps_the_pre_roll() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 5, timescale: 25)))
    try await rig.feed(0..<20)
    try rig.writer.makePreRollFile().abandon()
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.mov")))
    try await rig.feed(20..<40)
    try await eventually("the pre-roll is short again") {
      rig.writer.preRollProgress.duration <= MediaTime(value: 7, timescale: 25)
    }
    try rig.writer.endPreRoll()
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 5)
  }

  /// A gap of an hour is not kept as silence.
  @Test func audio_after_a_discarded_pre_roll_is_kept_completely() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 10, timescale: 25), byteLimit: 3 << 20))
    try await rig.feed(0..<20)
    rig.writer.forgetPreRoll(before: 90_000)
    try await rig.feed(90_000..<90_010)
    #expect(rig.writer.preRollProgress.duration == MediaTime(value: 10, timescale: 25))
    #expect(try rig.writer.endPreRoll() == 90_000)
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 10)
    #expect(report.audio.first?.samplesWritten == 19_200)
    #expect(report.audio.first?.samplesOfSilence == 0)
  }

  /// The source was gone: frames before that are not part of the pre-roll of later ones.
  @Test(.tags(.judges), arguments: [false, true])
  func a_discarded_pre_roll_is_not_written(isTakeBegunFirst: Bool) async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 10, timescale: 25)))
    try await rig.feed(0..<20)
    rig.writer.forgetPreRoll(before: 22)
    #expect(rig.writer.preRollProgress == .init())
    if isTakeBegunFirst {
      let first = try rig.writer.endPreRoll { _, _ in
        Issue.record("a timecode was requested before the first frame arrived")
        return nil
      }
      #expect(first == 22)
      try await rig.feed(22..<30)
    } else {
      try await rig.feed(22..<26)
      #expect(try rig.writer.endPreRoll() == 22)
      try await rig.feed(26..<30)
    }
    let report = try await rig.writer.finishWriting()
    #expect(report.video.first?.framesWritten == 8)
    #expect(report.video.first?.framesRepeated == 0)
    #expect(report.segments.map(\.firstFrame) == [0])
    try await judge(22..<30, at: 22, of: 30, without: 20..<22)
  }

  @Test(.tags(.judges)) func late_audio_is_trimmed_to_the_first_frame_to_the_sample() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 5, timescale: 25)))
    try await rig.feed(0..<20, audioDelay: 9)
    try rig.writer.endPreRoll()
    try await rig.feed(20..<39, audioDelay: 9)
    try rig.writer.endSession(atSourceTime: FrameRate.fps25.time(ofFrame: 30))
    try await rig.writer.finishWriting()
    let audio = try Judges.decodeAudio(folder.path("a.mov"))
    #expect(audio.first == Int32(truncatingIfNeeded: (15 * 1920 * 16) << 8))
    #expect(try Judges.strictDecode(folder.path("a.mov")) == "")
  }

  @Test(.tags(.judges)) func a_movie_that_begins_in_a_gap_repeats_the_frame_before() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 5, timescale: 25)))
    try await rig.feed(0..<20, except: [15, 16])
    try rig.writer.endPreRoll()
    try await rig.feed(20..<22)
    let report = try await rig.writer.finishWriting()
    // Slots 15 to 21: frame 14 twice, then five frames of their own.
    #expect(report.video.first?.framesWritten == 7)
    #expect(try Judges.packets(folder.path("a.mov"), stream: "v:0").count == 7)
    let bytes = try Judges.packetBytes(folder.path("a.mov"))
    #expect(bytes[0] == bytes[1] && bytes[1] != bytes[2])
  }

  @Test func pre_roll_memory_stays_within_its_limit() async throws {
    let limit: Int64 = 3 << 20
    let rig = try rig(PreRoll(duration: MediaTime(value: 3600, timescale: 1), byteLimit: limit))
    var most: Int64 = 0
    for start in stride(from: 0, to: 300, by: 10) {
      try await rig.feed(start..<start + 10)
      most = max(most, rig.writer.preRollProgress.byteCount)
    }
    #expect(most <= limit)
    #expect(most > limit / 2)
    try rig.writer.endPreRoll()
    let report = try await rig.writer.finishWriting()
    let written = try #require(report.video.first?.framesWritten)
    #expect((10..<200).contains(written))
    #expect(report.audio.first?.samplesWritten == Int64(written * 1920))
  }

  @Test func segments_count_from_the_first_frame_of_the_pre_roll() async throws {
    var policy = SegmentPolicy()
    policy.maximumFrameCount = 8
    let rig = try rig(PreRoll(duration: MediaTime(value: 10, timescale: 25)), policy: policy)
    try await rig.feed(0..<33)
    try rig.writer.endPreRoll()
    try await rig.feed(33..<40)
    let report = try await rig.writer.finishWriting()
    #expect(report.segments.map(\.frameCount) == [8, 8, 1])
    #expect(report.segments.map(\.firstFrame) == [0, 8, 16])
  }

  @Test(.tags(.judges)) func ending_a_pre_roll_refuses_a_taken_name_and_accepts_another()
    async throws
  {
    try Data("mine".utf8).write(to: URL(filePath: folder.path("a.mov")))
    let rig = try rig(PreRoll(duration: MediaTime(value: 1, timescale: 1)))
    try await rig.feed(0..<5)
    let refused = #expect(throws: AssetWriterError.self) { try rig.writer.endPreRoll() }
    #expect(refused?.code == .fileExists)
    try rig.writer.endPreRoll(outputURL: URL(filePath: folder.path("b.mov")))
    try await rig.writer.finishWriting()
    #expect(try Judges.packets(folder.path("b.mov"), stream: "v:0").count == 5)
  }

  @Test func a_pre_roll_without_a_take_leaves_no_file() async throws {
    let rig = try rig(PreRoll(duration: MediaTime(value: 1, timescale: 1)))
    try await rig.feed(0..<5)
    await #expect(throws: AssetWriterError.self) { try await rig.writer.finishWriting() }
    #expect(rig.writer.status == .cancelled)
    #expect(folder.contents == [])
  }
}
