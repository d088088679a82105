import AssetWriter
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Calls at the wrong time and samples of the wrong kind: each gets a named error.
@Suite struct StatusTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeWriter(
    _ name: String = "a.mov", realTime: Bool = false, audio: Bool = false
  ) throws -> (AssetWriter, AssetWriterInput, AssetWriterInput) {
    let writer = try AssetWriter(path: folder.path(name))
    let video = AssetWriterInput(outputSettings: Recording.settings())
    video.expectsMediaDataInRealTime = realTime
    let audioInput = AssetWriterInput(
      outputSettings: AudioOutputSettings(format: TestMedia.stereo24))
    try writer.add(video)
    if audio { try writer.add(audioInput) }
    return (writer, video, audioInput)
  }

  private func code(_ body: () throws -> Void) -> AssetWriterError.Code? {
    (#expect(throws: AssetWriterError.self) { try body() })?.code
  }

  @Test func statuses_follow_the_calls() async throws {
    let (writer, video, _) = try makeWriter()
    #expect(writer.status == .unknown)
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.mov")))
    try writer.start()
    #expect(writer.status == .writing)
    try writer.startSession(atSourceTime: .zero)
    try video.append(TestMedia.video(0))
    try await writer.finishWriting()
    #expect(writer.status == .completed)
    #expect(writer.error == nil)
  }

  @Test func nothing_can_be_appended_before_writing_starts() throws {
    let (writer, video, _) = try makeWriter()
    #expect(!video.isReadyForMoreMediaData)
    #expect(code { try video.append(TestMedia.video(0)) } == .invalidStatus)
    #expect(code { try writer.startSession(atSourceTime: .zero) } == .invalidStatus)
    #expect(code { try writer.endSession(atSourceTime: .zero) } == .invalidStatus)
    #expect(code { try video.markAsFinished() } == .invalidStatus)
    let loose = AssetWriterInput(outputSettings: Recording.settings())
    #expect(code { try loose.append(TestMedia.video(0)) } == .inputNotAdded)
  }

  @Test func a_session_must_be_started_exactly_once() throws {
    let (writer, video, _) = try makeWriter()
    try writer.start()
    #expect(code { try video.append(TestMedia.video(0)) } == .sessionNotStarted)
    #expect(code { try writer.startSession(atSourceTime: .invalid) } == .invalidTime)
    try writer.startSession(atSourceTime: .zero)
    #expect(code { try writer.startSession(atSourceTime: .zero) } == .invalidStatus)
    #expect(code { try writer.endSession(atSourceTime: .zero) } == .invalidTime)
    writer.cancelWriting()
  }

  @Test func inputs_can_be_added_once_and_only_before_writing_starts() throws {
    let (writer, video, audio) = try makeWriter()
    #expect(!writer.canAdd(video))
    #expect(code { try writer.add(video) } == .invalidStatus)
    #expect(writer.canAdd(audio))
    try writer.start()
    #expect(!writer.canAdd(audio))
    #expect(code { try writer.add(audio) } == .invalidStatus)
    #expect(code { try writer.start() } == .invalidStatus)
    writer.cancelWriting()
  }

  @Test func invalid_settings_are_refused() throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    func refusal(_ change: (inout VideoOutputSettings) -> Void) -> AssetWriterError.Code? {
      var settings = Recording.settings()
      change(&settings)
      let input = AssetWriterInput(outputSettings: settings)
      #expect(!writer.canAdd(input))
      return code { try writer.add(input) }
    }
    #expect(refusal { $0.width = 8 } == .invalidSettings)
    #expect(refusal { $0.height = 20_000 } == .invalidSettings)
    #expect(refusal { $0.codec = VideoCodecType(rawValue: "avc1") } == .invalidSettings)
    #expect(refusal { $0.queueDepth = 0 } == .invalidSettings)
    #expect(refusal { $0.encoderThreads = 0 } == .invalidSettings)
    var audio = AudioOutputSettings(format: TestMedia.stereo24)
    audio.format.channelCount = 17
    #expect(code { try writer.add(AssetWriterInput(outputSettings: audio)) } == .invalidSettings)
    audio.format = TestMedia.stereo24
    audio.channelLayout = .mono
    #expect(code { try writer.add(AssetWriterInput(outputSettings: audio)) } == .invalidSettings)
    let crossed = AssetWriterInput(mediaType: .audio, outputSettings: Recording.settings())
    #expect(code { try writer.add(crossed) } == .invalidSettings)
    #expect(code { try writer.start() } == .invalidSettings)
    #expect(writer.status == .failed)
    #expect(folder.contents == [])
  }

  @Test(.tags(.judges)) func mismatched_samples_are_refused_and_writing_continues() async throws {
    let (writer, video, audio) = try makeWriter(audio: true)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let larger = try TestMedia.frame(0, width: 160)
    #expect(code { try video.append(TestMedia.video(0, frame: larger)) } == .formatMismatch)
    #expect(code { try video.append(TestMedia.audio(from: 0, count: 10)) } == .formatMismatch)
    #expect(code { try audio.append(TestMedia.video(0)) } == .formatMismatch)
    let mono = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int24)
    #expect(
      code { try audio.append(TestMedia.audio(from: 0, count: 10, format: mono)) }
        == .formatMismatch)
    #expect(writer.status == .writing)
    try video.append(TestMedia.video(0))
    try audio.append(TestMedia.audio(from: 0, count: 1920))
    let report = try await writer.finishWriting()
    #expect(report.video.first?.refusals == ["formatMismatch": 2])
    #expect(report.audio.first?.refusals == ["formatMismatch": 2])
    #expect(try Judges.strictDecode(folder.path("a.mov")) == "")
  }

  @Test func codec_4444_refuses_subsampled_chroma() throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let input = AssetWriterInput(outputSettings: Recording.settings(.proRes4444))
    try writer.add(input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    #expect(code { try input.append(TestMedia.video(0)) } == .codecUnavailable)
    let hinted = AssetWriterInput(
      outputSettings: Recording.settings(.proRes4444XQ),
      sourceFormatHint: VideoFormatDescription(
        PixelBuffer.Description(format: .v210, width: 128, height: 96)))
    let other = try AssetWriter(path: folder.path("b.mov"))
    #expect(!other.canAdd(hinted))
    #expect(code { try other.add(hinted) } == .codecUnavailable)
    writer.cancelWriting()
  }

  @Test(.tags(.judges)) func time_must_increase() async throws {
    let (writer, video, audio) = try makeWriter(audio: true)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try video.append(TestMedia.video(5))
    #expect(code { try video.append(TestMedia.video(5)) } == .timeNotIncreasing)
    #expect(code { try video.append(TestMedia.video(4)) } == .timeNotIncreasing)
    var near = try TestMedia.video(5)
    near.presentationTimeStamp += MediaTime(value: 1, timescale: 1000)
    #expect(code { try video.append(near) } == .timeNotIncreasing)
    near.presentationTimeStamp = .invalid
    #expect(code { try video.append(near) } == .invalidTime)
    near.presentationTimeStamp = .positiveInfinity
    #expect(code { try video.append(near) } == .invalidTime)
    #expect(code { try video.append(TestMedia.video(500_000)) } == .invalidTime)
    try audio.append(TestMedia.audio(from: 0, count: 4800))
    #expect(
      code { try audio.append(TestMedia.audio(from: 0, count: 4800)) } == .timeNotIncreasing)
    #expect(
      code { try audio.append(TestMedia.audio(from: 2400, count: 4800)) } == .timeNotIncreasing)
    try video.append(TestMedia.video(6))
    try await writer.finishWriting()
    #expect(try Judges.packets(folder.path("a.mov"), stream: "v:0").count == 2)
  }

  @Test func a_finished_input_accepts_no_more_samples() async throws {
    let (writer, video, _) = try makeWriter()
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try video.append(TestMedia.video(0))
    try video.markAsFinished()
    #expect(!video.isReadyForMoreMediaData)
    #expect(code { try video.append(TestMedia.video(1)) } == .inputFinished)
    try await writer.finishWriting()
    #expect(code { try video.append(TestMedia.video(1)) } == .invalidStatus)
    await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
  }

  @Test func a_full_queue_refuses_and_the_receiver_waits() async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    var settings = Recording.settings()
    settings.queueDepth = 3
    let video = AssetWriterInput(outputSettings: settings)
    let receiver = try writer.inputReceiver(for: video)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let frame = try TestMedia.frame(0)
    var taken = 0
    var refused = 0
    // Frames come faster than they can be encoded, so some are refused.
    while refused == 0, taken < 500 {
      if try receiver.appendImmediately(TestMedia.video(taken, frame: frame)) {
        taken += 1
      } else {
        refused += 1
      }
    }
    #expect(refused == 1)
    for _ in 0..<20 {
      try await receiver.append(TestMedia.video(taken, frame: frame))
      taken += 1
    }
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesAppended == taken)
    #expect(report.video.first?.framesWritten == taken)
    #expect((report.video.first?.refusals["notReady"] ?? 0) >= 1)
    #expect(report.video.first?.longestQueue == 3)
  }

  @Test(.tags(.judges)) func a_track_far_ahead_is_refused_by_name() async throws {
    let (writer, video, audio) = try makeWriter(audio: true)
    writer.configuration.interleavingLimit = 1
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let receiver = try writer.inputReceiver(for: video)
    let frame = try TestMedia.frame(0)
    for number in 0..<26 {
      try await eventually("the encoder has room") {
        try receiver.appendImmediately(TestMedia.video(number, frame: frame))
      }
    }
    let error = #expect(throws: AssetWriterError.self) {
      try video.append(TestMedia.video(26, frame: frame))
    }
    // At first the queue may be full as well.
    if error?.code == .trackTooFarAhead { #expect(error?.message.contains("audio") == true) }
    var refusal = error?.code
    try await eventually("the track is reported as too far ahead") {
      if refusal == .trackTooFarAhead { return true }
      refusal = code { try video.append(TestMedia.video(26, frame: frame)) }
      return refusal == .trackTooFarAhead
    }
    // The receiver waits for the other track's task.
    async let later: Void = receiver.append(TestMedia.video(26, frame: frame))
    try audio.append(TestMedia.audio(from: 0, count: 48_000))
    try await later
    try await writer.finishWriting()
    #expect(try Judges.strictDecode(folder.path("a.mov")) == "")
  }

  @Test func waiting_appends_end_with_a_cancellation_or_the_session() async throws {
    let (writer, video, _) = try makeWriter(audio: true)
    writer.configuration.interleavingLimit = 0.1
    let receiver = try writer.inputReceiver(for: video)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let frame = try TestMedia.frame(0)
    for number in 0..<3 {
      try await eventually("the encoder has room") {
        try receiver.appendImmediately(TestMedia.video(number, frame: frame))
      }
    }
    let cancelled = Task { try await receiver.append(TestMedia.video(3, frame: frame)) }
    cancelled.cancel()
    await #expect(throws: AssetWriterError.self) { try await cancelled.value }
    let ended = Task { try await receiver.append(TestMedia.video(3, frame: frame)) }
    try writer.endSession(atSourceTime: MediaTime(value: 3, timescale: 25))
    let error = await #expect(throws: AssetWriterError.self) { try await ended.value }
    #expect(error?.code == .sessionNotStarted)
    writer.cancelWriting()
  }

  @Test func a_live_track_never_waits_for_another() async throws {
    let (writer, video, _) = try makeWriter(realTime: true, audio: true)
    writer.configuration.interleavingLimit = 0.5
    let receiver = try writer.inputReceiver(for: video)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let frame = try TestMedia.frame(0)
    for number in 0..<60 {
      // Only the encoder's queue may refuse.
      try await eventually("the encoder has room") {
        try receiver.appendImmediately(TestMedia.video(number, frame: frame))
      }
    }
    let report = try await writer.finishWriting()
    #expect(report.video.first?.refusals["trackTooFarAhead"] == nil)
    #expect(report.video.first?.framesWritten == 60)
  }

  @Test func cancelling_leaves_no_file() async throws {
    let (writer, video, _) = try makeWriter()
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<3 { try video.append(TestMedia.video(number)) }
    writer.cancelWriting()
    #expect(writer.status == .cancelled)
    #expect(folder.contents == [])
    #expect(code { try video.append(TestMedia.video(4)) } == .cancelled)
    let error = await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
    #expect(error?.code == .cancelled)
    writer.cancelWriting()

    let (unstarted, _, _) = try makeWriter()
    unstarted.cancelWriting()
    #expect(unstarted.status == .cancelled)
    #expect(folder.contents == [])
  }

  @Test func a_movie_without_samples_is_an_error_and_leaves_no_file() async throws {
    let (writer, _, _) = try makeWriter(audio: true)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
    #expect(writer.status == .failed)
    #expect(folder.contents == [])
  }

  @Test(.tags(.judges)) func an_existing_file_is_kept_unless_replacing_is_allowed() async throws {
    let path = folder.path("a.mov")
    try Data("precious".utf8).write(to: URL(filePath: path))
    let (writer, video, _) = try makeWriter()
    #expect(code { try writer.start() } == .fileExists)
    #expect(writer.status == .failed)
    #expect(code { try video.append(TestMedia.video(0)) } == .fileExists)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))

    let (second, frames, _) = try makeWriter()
    second.configuration.overwritePolicy = .replace
    try second.start()
    try second.startSession(atSourceTime: .zero)
    try frames.append(TestMedia.video(0))
    try await second.finishWriting()
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test func a_missing_folder_is_an_error() throws {
    let writer = try AssetWriter(path: folder.path("nowhere/a.mov"))
    try writer.add(AssetWriterInput(outputSettings: Recording.settings()))
    #expect(!writer.startWriting())
    #expect(writer.status == .failed)
    #expect(writer.error?.code == .fileFailed)
    #expect(throws: AssetWriterError.self) {
      try AssetWriter(outputURL: try #require(URL(string: "https://example.org/a.mov")))
    }
  }

  @Test(.tags(.judges)) func a_deallocated_writer_completes_its_movie() async throws {
    let path = folder.path("a.mov")
    try {
      let (writer, video, _) = try makeWriter()
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      for number in 0..<4 { try video.append(TestMedia.video(number)) }
    }()
    try await eventually("the movie is complete") {
      try Judges.run("ffprobe", ["-v", "error", path]).errors.isEmpty
        && Judges.packets(path, stream: "v:0").count == 4
    }
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test(.tags(.judges)) func the_callback_api_writes_every_frame() async throws {
    let (writer, video, _) = try makeWriter()
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let frames = FrameSource(count: 30)
    try video.requestMediaDataWhenReady(on: .init(label: "feeder")) {
      while video.isReadyForMoreMediaData {
        guard let sample = frames.next() else {
          try? video.markAsFinished()
          frames.finish()
          return
        }
        do { try video.append(sample) } catch { Issue.record(error) }
      }
    }
    await frames.waitForEnd()
    await withCheckedContinuation { continuation in
      writer.finishWriting { continuation.resume() }
    }
    #expect(writer.status == .completed)
    #expect(try Judges.packets(folder.path("a.mov"), stream: "v:0").count == 30)
  }
}
