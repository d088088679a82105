import AssetWriter
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

/// Audio that was appended past the end of the session.
@Suite struct SessionEndTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Ends of a session of twelve frames at 25 fps, in frames: before the last one, with it, and
  /// after all audio.
  @Test(arguments: [6, 12, 60])
  func audio_in_long_buffers_ends_with_the_session(end: Int64) async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    var mono = AudioOutputSettings(format: TestMedia.stereo24)
    mono.trackLayout = .mono
    let audioInputs = try [AudioOutputSettings(format: TestMedia.stereo24), mono].map {
      try writer.inputReceiver(for: AssetWriterInput(outputSettings: $0))
    }
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for audio in audioInputs { try await audio.append(TestMedia.audio(from: 0, count: 96_000)) }
    for number in 0..<12 { try await video.append(TestMedia.video(number)) }
    // Long enough for each input to be written on its own.
    try await eventually("the sound is written") { writer.writtenAudioBytes == 2 * 96_000 * 6 }
    try writer.endSession(atSourceTime: MediaTime(value: end, timescale: 25))
    let report = try await writer.finishWriting()

    let kept = min(end * 1920, 96_000)
    let index = try MovieIndex(path: path)
    #expect(index.audioTracks.map { Int64($0.samples.count) } == [kept, kept, kept])
    let length = MediaTime(value: kept, timescale: 48_000)
    #expect(index.audioTracks.allSatisfy { $0.duration == length })
    for account in report.audio {
      #expect(account.samplesWritten == kept && account.samplesTrimmed == 96_000 - kept)
      #expect(account.bytes == kept * 6)
    }
    #expect(index.videoTrack?.duration == MediaTime(value: end, timescale: 25))
  }

  /// Ends of a session, in frames: at the start of the second movie, and within it.
  @Test(arguments: [12, 14])
  func a_movie_after_the_sessions_end_is_removed(end: Int) async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.segments.maximumFrameCount = 12
    let removed = Mutex<[String]>([])
    writer.segmentHandler = { event in
      if case .removed(let path) = event { removed.withLock { $0.append(String(path.suffix(10))) } }
    }
    try writer.addCaptionTrack()
    writer.chapters = [0, 11, 13, 40].map {
      MovieChapter(title: "\($0)", start: MediaTime(value: $0, timescale: 25))
    }
    let (frames, audio) = try Recording.begin(writer)
    for number in 0..<20 {
      if number % 12 == 0 {
        let time = MediaTime(value: Int64(number), timescale: 25)
        try writer.appendCaptions(
          CaptionSample(start: time, firstField: [65, 65], secondField: []))
      }
      // One frame of the second movie is repeated.
      if number != 15 { try await frames.append(TestMedia.video(number)) }
      try await audio.append(TestMedia.audio(from: number * 1920, count: 1920))
    }
    try await eventually("the second movie has sound") { writer.writtenAudioBytes > 16 * 1920 * 6 }
    try writer.endSession(atSourceTime: MediaTime(value: Int64(end), timescale: 25))
    let report = try await writer.finishWriting()

    let last = "a-002.mov"
    let isRemoved = end == 12
    #expect(folder.contents == (isRemoved ? ["a.mov"] : [last, "a.mov"]))
    #expect(removed.withLock { $0 } == (isRemoved ? ["/" + last] : []))
    #expect(report.segments.map(\.frameCount).first == 12)
    #expect(report.segments.count == (isRemoved ? 1 : 2))
    #expect(report.segments.last?.end == .takeEnded && report.segments.allSatisfy(\.isValid))
    #expect(report.audio[0].samplesWritten == Int64(end * 1920))
    #expect(report.audio[0].samplesTrimmed == Int64((20 - end) * 1920))
    #expect(report.captions?.samplesAppended == 2)
    #expect(report.captions?.samplesOutside == (isRemoved ? 1 : nil))
    #expect(report.chaptersOutside == (isRemoved ? 2 : 1))
    if isRemoved {
      #expect(report.video[0].framesWritten == 12 && report.video[0].framesTrimmed == 7)
      #expect(report.video[0].framesRepeated == 0)
    }
    #expect(report.fileBytes == report.segments.reduce(0) { $0 + $1.fileSize })
  }

  @Test(
    .tags(.judges), .enabled(if: CompressedTake.hasEncoders, CompressedTake.absence),
    arguments: [AudioCompression.none, .aac(bitRate: nil)])
  func audio_appended_past_the_end_of_compressed_video_is_trimmed(compression: AudioCompression)
    async throws
  {
    let path = folder.path("a.mov")
    var take = CompressedTake(fileType: .mov)
    take.audio = CompressedTake.audio(compression)
    let writer = try AssetWriter(path: path, fileType: .mov)
    let inputs = try take.inputs(of: writer)
    let (frames, audio) = (try #require(inputs.0), try #require(inputs.1))
    let format = try #require(take.audio?.format)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await audio.append(
      SampleBuffer(
        .audio(try CompressedTake.tone(from: 0, count: 144_000, format: format)),
        presentationTimeStamp: .zero))
    for number in 0..<25 { try await frames.append(TestMedia.video(number)) }
    try writer.endSession(atSourceTime: MediaTime(value: 1, timescale: 1))
    let report = try await writer.finishWriting()
    #expect(report.audio[0].samplesWritten == 48_000 && report.audio[0].samplesTrimmed == 96_000)
    let heard = try Judges.decodeAudio(path).count / 2
    // A codec's last frame may be longer than the rest of the session.
    #expect(heard >= 48_000 && heard < (compression == .none ? 48_001 : 48_000 + 2048))
  }

  @Test(.tags(.judges), arguments: [FileType.wav, .aiff, .caf])
  func an_audio_file_ends_with_the_session(fileType: FileType) async throws {
    let path = folder.path("a.\(fileType.pathExtension)")
    var known = KnownAudioFile(fileType, .int24, 1)
    known.buffers = [72_000]
    let writer = try AssetWriter(path: path, fileType: fileType)
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: known.settings))
    try writer.start()
    try writer.startSession(atSourceTime: KnownAudioFile.start)
    try await known.append(0, to: receiver)
    try await eventually("the sound is written") { writer.writtenAudioBytes == 72_000 * 3 }
    try writer.endSession(
      atSourceTime: KnownAudioFile.start + MediaTime(value: 24_001, timescale: 48_000))
    let report = try await writer.finishWriting()
    #expect(try Judges.decodeAudio(path) == Array(known.words.prefix(24_001)))
    #expect(report.audio[0].samplesWritten == 24_001 && report.audio[0].samplesTrimmed == 47_999)
    #expect(report.audio[0].bytes == 24_001 * 3)
  }
}
