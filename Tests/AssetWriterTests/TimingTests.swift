import AssetWriter
import MediaCore
import QuickTime
import TestSupport
import Testing

/// The times at which frames and samples end up.
@Suite struct TimingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Take {
    var writer: AssetWriter
    var video: AssetWriterInput.SampleBufferReceiver
    var audio: AssetWriterInput.SampleBufferReceiver
    var path: String
  }

  private func take(
    _ settings: VideoOutputSettings = Recording.settings(),
    audio: AudioOutputSettings = AudioOutputSettings(format: TestMedia.stereo24),
    start: MediaTime = .zero, configure: (AssetWriter) -> Void = { _ in }
  ) throws -> Take {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    configure(writer)
    let video = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    let audio = try writer.inputReceiver(for: AssetWriterInput(outputSettings: audio))
    try writer.start()
    try writer.startSession(atSourceTime: start)
    return Take(writer: writer, video: video, audio: audio, path: path)
  }

  @Test(.tags(.judges)) func audio_before_the_session_is_trimmed_to_the_sample() async throws {
    // The session starts on a live clock, 1234 samples after the first buffer's start.
    let start = MediaTime(value: 987_654_321, timescale: 48_000)
    let take = try take(start: start)
    for number in 0..<5 {
      try await take.video.append(TestMedia.video(number, start: start))
      let first = number * 1920
      let time = MediaTime(value: 987_654_321 - 1234 + Int64(first), timescale: 48_000)
      try await take.audio.append(TestMedia.audio(from: first, count: 1920, at: time))
    }
    let report = try await take.writer.finishWriting()
    let samples = try Judges.decodeAudio(take.path)
    let first: Int32 = 1234 * 16
    let last: Int32 = (5 * 1920 - 1) * 16 + 1
    let count = 2 * (5 * 1920 - 1234)
    #expect(samples.count == count)
    #expect(samples.first == first << 8)
    #expect(samples.last == last << 8)
    #expect(report.audio.first?.samplesTrimmed == 1234)
  }

  @Test(.tags(.judges)) func buffers_and_frames_before_the_session_are_counted_as_trimmed()
    async throws
  {
    let take = try take(start: MediaTime(value: 2, timescale: 25))
    for number in 0..<6 {
      try await take.video.append(TestMedia.video(number))
      try await take.audio.append(TestMedia.audio(from: number * 1920, count: 1920))
    }
    let report = try await take.writer.finishWriting()
    #expect(report.video.first?.framesTrimmed == 2)
    #expect(report.video.first?.framesWritten == 4)
    #expect(report.audio.first?.samplesTrimmed == 3840)
    #expect(try Judges.decodeAudio(take.path).first == Int32(2 * 1920 * 16) << 8)
    #expect(try Judges.packets(take.path, stream: "v:0").count == 4)
  }

  /// 240 samples, 5 ms, are within the tolerance for audio that follows other audio.
  @Test(.tags(.judges))
  func trimming_after_a_whole_early_buffer_is_exact() async throws {
    let start = MediaTime(value: 1920 + 240, timescale: 48_000)
    let take = try take(start: start)
    for number in 0..<4 {
      try await take.video.append(TestMedia.video(number, start: start))
      try await take.audio.append(TestMedia.audio(from: number * 1920, count: 1920))
    }
    let report = try await take.writer.finishWriting()
    #expect(report.audio.first?.samplesTrimmed == 2160)
    #expect(try Judges.decodeAudio(take.path).first == Int32((1920 + 240) * 16) << 8)
  }

  @Test(.tags(.judges)) func late_audio_is_preceded_by_silence() async throws {
    let take = try take()
    try await take.video.append(TestMedia.video(0))
    try await take.audio.append(
      TestMedia.audio(from: 1, count: 480, at: MediaTime(value: 777, timescale: 48_000)))
    let report = try await take.writer.finishWriting()
    let samples = try Judges.decodeAudio(take.path)
    #expect(samples.count == 2 * (777 + 480))
    #expect(samples.prefix(2 * 777).allSatisfy { $0 == 0 })
    let first: Int32 = 16 << 8
    #expect(samples[2 * 777] == first)
    #expect(report.audio.first?.samplesOfSilence == 777)
  }

  @Test(.tags(.judges)) func jitter_leaves_audio_seamless_and_gaps_become_silence() async throws {
    let take = try take()
    for number in 0..<4 { try await take.video.append(TestMedia.video(number)) }
    try await take.audio.append(TestMedia.audio(from: 0, count: 1000))
    // 5 ms off: within the tolerance.
    try await take.audio.append(
      TestMedia.audio(from: 1000, count: 1000, at: MediaTime(value: 1240, timescale: 48_000)))
    // 50 ms off: a gap.
    try await take.audio.append(
      TestMedia.audio(from: 2000, count: 1000, at: MediaTime(value: 4400, timescale: 48_000)))
    let report = try await take.writer.finishWriting()
    let samples = try Judges.decodeAudio(take.path)
    #expect(samples.count == 2 * 5400)
    for frame in 0..<2000 { #expect(samples[frame * 2] == Int32(frame * 16) << 8) }
    #expect(samples[4000..<8800].allSatisfy { $0 == 0 })
    #expect(samples[8800] == Int32(2000 * 16) << 8)
    #expect(report.audio.first?.samplesOfSilence == 2400)
  }

  @Test(.tags(.judges)) func a_missing_frame_repeats_the_frame_before() async throws {
    let take = try take()
    for number in [0, 1, 5, 6] { try await take.video.append(TestMedia.video(number)) }
    let report = try await take.writer.finishWriting()
    let packets = try Judges.packets(take.path, stream: "v:0")
    #expect(packets.count == 7)
    #expect(Set(packets.map(\.duration)).count == 1)
    let bytes = try Judges.packetBytes(take.path)
    #expect(bytes[1] == bytes[2] && bytes[1] == bytes[4])
    #expect(bytes[4] != bytes[5])
    #expect(report.video.first?.framesRepeated == 3)
    #expect(report.video.first?.framesWritten == 7)
    #expect(try Judges.probe(take.path).stream("video").avg_frame_rate == "25/1")
  }

  @Test(.tags(.judges)) func a_missing_frame_can_extend_the_frame_before() async throws {
    var settings = Recording.settings()
    settings.gapPolicy = .extendPreviousFrame
    let take = try take(settings)
    for number in [0, 1, 5, 6] { try await take.video.append(TestMedia.video(number)) }
    let report = try await take.writer.finishWriting()
    #expect(
      try Judges.packets(take.path, stream: "v:0").map(\.duration) == [1000, 4000, 1000, 1000])
    #expect(report.video.first?.framesRepeated == 0)
    #expect(report.video.first?.framesWritten == 4)
  }

  /// At this rate, 32 bits count two days. With audio, the movie would continue in another file
  /// before that.
  @Test(.tags(.judges)) func a_frame_longer_than_32_bits_can_count_is_written_again() async throws {
    var settings = Recording.settings()
    settings.gapPolicy = .extendPreviousFrame
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    writer.configuration.maximumGap = 1e9
    let last = MediaTime(value: 5_000_000, timescale: 25)
    writer.chapters = [
      MovieChapter(title: "One", start: .zero), MovieChapter(title: "Two", start: last),
    ]
    let video = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in [0, 5_000_000, 5_000_001] { try await video.append(TestMedia.video(number)) }
    try await writer.finishWriting()
    let index = try MovieIndex(path: path)
    let samples = try #require(index.videoTrack?.samples)
    #expect(samples.map(\.duration) == [4_294_967_000, 705_033_000, 1000, 1000])
    let chapters = try #require(index.tracks.first { $0.mediaType == .text }?.samples)
    #expect(chapters.map(\.duration) == [4_294_967_295, 705_032_705, 2000])
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test(.tags(.judges)) func frames_with_jittering_times_get_their_slots() async throws {
    let take = try take(Recording.settings(rate: .fps29_97))
    var generator = SeededGenerator(seed: 5)
    for number in 0..<40 {
      var sample = try TestMedia.video(number, rate: .fps29_97)
      // Up to 12 of 33 ms either way, like the timestamps of a busy machine.
      let jitter = number == 0 ? 0 : Int64.random(in: -12_000_000...12_000_000, using: &generator)
      sample.presentationTimeStamp += MediaTime(value: jitter, timescale: 1_000_000_000)
      try await take.video.append(sample)
    }
    let report = try await take.writer.finishWriting()
    #expect(report.video.first?.framesRepeated == 0)
    let packets = try Judges.packets(take.path, stream: "v:0")
    #expect(packets.count == 40)
    #expect(packets.allSatisfy { $0.duration == 1001 })
  }

  @Test(.tags(.judges)) func the_sessions_end_trims_or_extends_the_movie() async throws {
    let take = try take()
    for number in 0..<10 {
      try await take.video.append(TestMedia.video(number))
      try await take.audio.append(TestMedia.audio(from: number * 1920, count: 1920))
    }
    try take.writer.endSession(atSourceTime: MediaTime(value: 8, timescale: 25))
    let refused = #expect(throws: AssetWriterError.self) {
      _ = try take.video.appendImmediately(TestMedia.video(10))
    }
    #expect(refused?.code == .sessionNotStarted)
    try await take.writer.finishWriting()
    let probe = try Judges.probe(take.path)
    #expect(try probe.stream("video").duration == "0.320000")
    #expect(try probe.stream("audio").duration == "0.320000")
    #expect(try Judges.decode(take.path, pixelFormat: "yuv422p10le").count == 8 * 128 * 96 * 2)

    let longer = folder.path("b.mov")
    let writer = try AssetWriter(path: longer)
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<3 { try await video.append(TestMedia.video(number)) }
    try writer.endSession(atSourceTime: MediaTime(value: 5, timescale: 25))
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesRepeated == 2)
    #expect(try Judges.packets(longer, stream: "v:0").count == 5)
  }

  @Test(.tags(.judges)) func late_video_keeps_its_start_time() async throws {
    let take = try take()
    for number in 0..<20 {
      if number >= 5 { try await take.video.append(TestMedia.video(number)) }
      try await take.audio.append(TestMedia.audio(from: number * 1920, count: 1920))
    }
    try await take.writer.finishWriting()
    let probe = try Judges.probe(take.path)
    #expect(try probe.stream("video").start_time == "0.200000")
    #expect(try probe.stream("audio").start_time == "0.000000")
    #expect(try Judges.packets(take.path, stream: "v:0").count == 15)
  }

  @Test(.tags(.judges)) func timecode_comes_from_the_setting_or_the_first_frame() async throws {
    let rate = FrameRate.fps29_97
    let own = try #require(Timecode("10:20:30;12", frameRate: rate))
    let frames = try (0..<4).map { number in
      try TestMedia.video(
        number, rate: rate, timecode: own.advanced(by: Int64(number)),
        frame: TestMedia.frame(number))
    }
    for (set, expected) in [
      (nil, "10:20:30;12"), (Timecode("01:00:00;00", frameRate: rate), "01:00:00;00"),
    ] {
      let name = "\(expected).mov"
      let writer = try AssetWriter(path: folder.path(name))
      writer.configuration.startTimecode = set
      let input = try writer.inputReceiver(
        for: AssetWriterInput(outputSettings: Recording.settings(rate: rate)))
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      for frame in frames { try await input.append(frame) }
      try await writer.finishWriting()
      #expect(try Judges.probe(folder.path(name)).stream("video").tags?["timecode"] == expected)
    }
    let without = try take { $0.configuration.writesTimecode = false }
    try await without.video.append(TestMedia.video(0, timecode: own))
    try await without.writer.finishWriting()
    #expect(try Judges.probe(without.path).stream("video").tags?["timecode"] == nil)
  }

  @Test func a_timecode_of_another_rate_is_refused() async throws {
    let take = try take {
      $0.configuration.startTimecode = Timecode("01:00:00:00", frameRate: .fps24)
    }
    let error = #expect(throws: AssetWriterError.self) {
      _ = try take.video.appendImmediately(TestMedia.video(0))
    }
    #expect(error?.code == .invalidSettings)
    #expect(error?.message.contains("24 fps") == true)
    take.writer.cancelWriting()
  }

  @Test func rates_beyond_timecode_have_no_timecode_track() async throws {
    let rate = try #require(FrameRate(300))
    let address = Timecode(frameNumber: 90_000, format: TimecodeFormat(standardFor: rate))
    let take = try take(Recording.settings(rate: rate))
    try await take.video.append(TestMedia.video(0, rate: rate, timecode: address))
    try await take.writer.finishWriting()
    let movie = try MovieIndex(path: take.path)
    #expect(movie.videoTrack?.samples.count == 1 && movie.timecodeTrack == nil)

    let writer = try AssetWriter(path: folder.path("asked.mov"))
    writer.configuration.startTimecode = address
    let input = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(rate: rate)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let refused = #expect(throws: AssetWriterError.self) {
      _ = try input.appendImmediately(TestMedia.video(0, rate: rate))
    }
    #expect(refused?.code == .invalidSettings && refused?.message.contains("255") == true)
    writer.cancelWriting()
  }

  @Test(.tags(.judges)) func an_unset_rate_comes_from_the_first_frame() async throws {
    let take = try take(Recording.settings(rate: nil))
    var bare = try TestMedia.video(0)
    bare.duration = .invalid
    let refused = #expect(throws: AssetWriterError.self) {
      _ = try take.video.appendImmediately(bare)
    }
    #expect(refused?.code == .invalidSettings)
    for number in 0..<3 {
      try await take.video.append(TestMedia.video(number, rate: .fps59_94))
    }
    try await take.writer.finishWriting()
    #expect(try Judges.probe(take.path).stream("video").r_frame_rate == "60000/1001")
  }

  @Test(.tags(.judges), arguments: [1, 2, 6, 16])
  func each_track_layout_keeps_audio_channels_in_order(_ channels: Int) async throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: channels, sampleFormat: .int24)
    for layout in AudioOutputSettings.TrackLayout.allCases {
      let path = folder.path("\(layout).mov")
      let writer = try AssetWriter(path: path)
      let video = try writer.inputReceiver(
        for: AssetWriterInput(outputSettings: Recording.settings()))
      let audio = try writer.inputReceiver(
        for: AssetWriterInput(
          outputSettings: AudioOutputSettings(format: format, trackLayout: layout)))
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      try await video.append(TestMedia.video(0))
      try await audio.append(TestMedia.audio(from: 0, count: 960, format: format))
      try await writer.finishWriting()
      let streams = try Judges.probe(path).streams.filter { $0.codec_type == "audio" }
      #expect(streams.count == (layout == .poly ? 1 : channels))
      for (index, stream) in streams.enumerated() {
        #expect(stream.channels == (layout == .poly ? channels : 1))
        let samples = try Judges.decodeAudio(path, stream: index)
        let width = layout == .poly ? channels : 1
        #expect(samples.count == 960 * width)
        for place in samples.indices {
          let (frame, channel) = (place / width, layout == .poly ? place % width : index)
          guard samples[place] == Int32(frame * 16 + channel) << 8 else {
            Issue.record("stream \(index), sample \(place): \(samples[place])")
            break
          }
        }
      }
    }
  }

  @Test(.tags(.judges)) func bit_depths_are_widened_exactly_and_narrowed_by_rounding() async throws
  {
    for (source, target) in [
      (AudioFormat.SampleFormat.int16, AudioFormat.SampleFormat.int24), (.int32, .int24),
      (.int24, .int16), (.int32, .int16),
    ] {
      let given = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: source)
      var wanted = given
      wanted.sampleFormat = target
      let path = folder.path("\(source)-\(target).mov")
      let writer = try AssetWriter(path: path)
      let audio = try writer.inputReceiver(
        for: AssetWriterInput(outputSettings: AudioOutputSettings(format: wanted)))
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      let values: [Int32] = [0, .max, .min, 1 << 30, -(1 << 30), 0x1234_5678, -0x1234_5678, 0x7FFF]
      var bytes: [UInt8] = []
      for value in values {
        let top = UInt32(bitPattern: value) >> UInt32(32 - source.bitDepth)
        for byte in 0..<source.byteCount {
          bytes.append(UInt8(truncatingIfNeeded: top >> UInt32(byte * 8)))
        }
      }
      try await audio.append(
        SampleBuffer(
          .audio(AudioBuffer(format: given, bytes: bytes)), presentationTimeStamp: .zero))
      try await writer.finishWriting()
      let got = try Judges.decodeAudio(path)
      let step = 1.0 * Double(1 << (32 - target.bitDepth))
      for (index, value) in values.enumerated() {
        let unused = Int32(32 - source.bitDepth)
        let kept = (value >> unused) << unused
        let most = Double(Int32.max >> Int32(32 - target.bitDepth)) * step
        let expected = min((Double(kept) / step + 0.5).rounded(.down) * step, most)
        #expect(Double(got[index]) == expected, "\(source) to \(target), \(value)")
      }
    }
  }
}
