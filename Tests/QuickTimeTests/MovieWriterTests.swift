import MediaCore
import QuickTime
import Testing

/// Calls that make no sense, and the writer's own statistics.
@Suite struct MovieWriterTests {
  private static func code(_ body: () throws -> Void) -> QuickTimeError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? QuickTimeError)?.code
    }
  }

  @Test func configurations_out_of_range_are_refused() {
    var configurations = [MovieWriter.Configuration](repeating: .init(), count: 5)
    configurations[0].fragmentInterval = 0
    configurations[1].fragmentInterval = .infinity
    configurations[2].fragmentByteLimit = 0
    configurations[3].preallocation = -1
    configurations[4].movieTimescale = 0
    for configuration in configurations {
      #expect(
        Self.code { _ = try MovieWriter(file: TraceFile(), configuration: configuration) }
          == .invalidArgument)
    }
  }

  @Test func invalid_tracks_are_refused() throws {
    let writer = try MovieWriter(file: TraceFile())
    var video = Take().video
    video.dimensions = VideoDimensions(width: 0, height: 96)
    #expect(Self.code { _ = try writer.addVideoTrack(video) } == .invalidArgument)
    video = Take().video
    video.codec = VideoCodecType(rawValue: "long name")
    #expect(Self.code { _ = try writer.addVideoTrack(video) } == .invalidArgument)
    let silent = AudioFormat(sampleRate: 48000, channelCount: 0, sampleFormat: .int16)
    #expect(
      Self.code { _ = try writer.addAudioTrack(AudioTrackDescription(format: silent)) }
        == .invalidArgument)
    let stereo = AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int16)
    #expect(
      Self.code {
        _ = try writer.addAudioTrack(AudioTrackDescription(format: stereo, channelLayout: .mono))
      } == .invalidArgument)
    let id = try writer.addVideoTrack(Take().video)
    let wrong = try #require(Timecode("01:00:00:00", frameRate: .fps25))
    #expect(
      Self.code {
        _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: wrong), for: id)
      } == .invalidArgument)
    #expect(Self.code { try writer.setEdits([], for: TrackID(rawValue: 9)) } == .invalidArgument)
  }

  /// The number of frames per second is stored in one byte: a larger number would change every
  /// frame's address.
  @Test(arguments: [(255, true), (256, false), (300, false)])
  func timecode_above_255_frames_per_second_is_refused(rate: Int32, isTaken: Bool) throws {
    let writer = try MovieWriter(file: TraceFile())
    var video = Take().video
    video.frameRate = try #require(FrameRate(rate))
    let id = try writer.addVideoTrack(video)
    let start = Timecode(frameNumber: 0, format: TimecodeFormat(standardFor: video.frameRate))
    let code = Self.code {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: start), for: id)
    }
    #expect(code == (isTaken ? nil : .invalidArgument))
  }

  @Test(arguments: [-1, Int64.min])
  func an_edit_that_begins_before_its_media_is_refused(time: Int64) throws {
    let take = Take()
    let (writer, ids) = try take.begin(TraceFile())
    #expect(
      Self.code {
        try writer.setEdits([MovieEdit(mediaTime: time, duration: nil)], for: ids[0])
      } == .invalidArgument)
    try take.append(to: writer, ids)
    #expect(try writer.finish().duration.seconds > 1.9)
  }

  @Test func an_edits_rate_survives_a_round_trip() throws {
    let take = Take()
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try writer.setEdits(
      [MovieEdit(mediaTime: 0, duration: MediaTime(value: 1, timescale: 1), rate: 0.5)], for: ids[0]
    )
    try take.append(to: writer, ids)
    _ = try writer.finish()
    #expect(try MovieIndex(TraceFile(file.content)).videoTrack?.edits.map(\.rate) == [0.5])
  }

  @Test func calls_out_of_order_are_refused() throws {
    let empty = try MovieWriter(file: TraceFile())
    #expect(Self.code { try empty.start() } == .invalidState)
    let take = Take()
    let (writer, ids) = try take.begin(TraceFile())
    #expect(Self.code { _ = try writer.addVideoTrack(take.video) } == .invalidState)
    #expect(Self.code { try writer.start() } == .invalidState)
    #expect(Self.code { try writer.append([], to: ids[0]) } == .invalidArgument)
    #expect(Self.code { try writer.append([1], to: ids[0], duration: 0) } == .invalidArgument)
    #expect(Self.code { try writer.append([1], to: ids[1]) } == .invalidArgument)
    #expect(
      Self.code { try writer.appendAudio([1, 2], frames: 1, to: ids[1]) } == .invalidArgument)
    #expect(Self.code { _ = try writer.finishAfterFailure() } == .invalidState)
    // None of that was the disk's fault, so the writer continues.
    try take.append(to: writer, ids)
    _ = try writer.finish()
    #expect(writer.state == .finished)
    #expect(Self.code { _ = try writer.finish() } == .invalidState)
    #expect(Self.code { try writer.append([1], to: ids[0]) } == .invalidState)
  }

  @Test func a_movie_without_samples_is_an_error_and_can_be_cancelled() throws {
    let file = TraceFile()
    let (writer, _) = try Take().begin(file)
    #expect(Self.code { _ = try writer.finish() } == .nothingRecorded)
    #expect(Self.code { _ = try writer.finishAfterFailure() } == .nothingRecorded)
    writer.cancel()
    #expect(file.isRemoved)
  }

  @Test func the_projected_size_is_close_to_the_finished_one() throws {
    let take = Take(frameCount: 300)
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let projected = writer.projectedFileSize
    #expect(try writer.duration(of: ids[0]) == MediaTime(value: 300 * 1001, timescale: 30000))
    let summary = try writer.finish()
    #expect(projected >= summary.fileSize)
    #expect(projected < summary.fileSize + 16_384)
    #expect(writer.statistics.bytesWritten == summary.fileSize)
    #expect(writer.statistics.fragmentCount == summary.fragmentCount)
  }

  /// More than 2^32 units: the durations, and the timecode sample, which has only 32 bits.
  @Test func a_take_of_a_day_keeps_its_duration_and_timecode() throws {
    var take = Take(audio: nil, timecode: Timecode("20:00:00:00", frameRate: .fps60))
    take.video.frameRate = .fps60
    take.configuration.preallocation = 0
    let file = TraceFile()
    file.keepsCalls = false
    let (writer, ids) = try take.begin(file)
    // Twenty-five frames, each shown for an hour of 216000 frames.
    for frame in 0..<25 {
      try writer.append(Packets.standard.frames[frame], to: ids[0], duration: 216_000 * 1000)
    }
    _ = try writer.finish()
    let index = try MovieIndex(file)
    #expect(index.duration == MediaTime(value: 25 * 3600, timescale: 1))
    let lastTime: Int64 = 24 * 216_000 * 1000
    #expect(index.videoTrack?.samples.last?.time == lastTime)
    let timecode = try #require(index.timecodeTrack)
    #expect(timecode.timecode?.start == take.timecode)
    #expect(timecode.mediaDuration == MediaTime(value: 25 * 3600, timescale: 1))
    #expect(timecode.samples.count == 2)
    // The second sample begins after 19 hours, past midnight: at 15:00.
    let second = try #require(timecode.samples[1])
    #expect(second.time == 19 * 216_000 * 1000)
    let stored = try MovieWriterTests.number(file, at: second.offset)
    #expect(stored == 15 * 216_000)
  }

  private static func number(_ file: TraceFile, at offset: UInt64) throws -> Int {
    file.content[Int(offset)..<(Int(offset) + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
