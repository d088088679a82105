import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetWriter

/// Settings that compressed tracks refuse.
@Suite(.enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
struct CompressedSettingsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(
    _ fileType: FileType = .mp4, video: VideoOutputSettings? = nil,
    audio: AudioOutputSettings? = nil
  ) throws -> String {
    let writer = try AssetWriter(path: folder.path("a"), fileType: fileType)
    let input =
      if let video {
        AssetWriterInput(outputSettings: video)
      } else {
        AssetWriterInput(outputSettings: try #require(audio))
      }
    let error = #expect(throws: AssetWriterError.self) { try writer.add(input) }
    #expect(!writer.canAdd(input))
    return try #require(error).message
  }

  @Test func each_file_type_accepts_only_its_codecs() throws {
    let proRes = VideoOutputSettings(codec: .proRes422, width: 64, height: 48)
    for fileType in [FileType.mp4, .m4v] {
      #expect(try refusal(fileType, video: proRes).contains("only into .mov files"))
      #expect(
        try refusal(fileType, audio: CompressedTake.audio(.none)).contains("linear PCM"))
    }
    #expect(
      try refusal(.m4a, video: CompressedTake.settings()).contains("holds only audio"))
  }

  @Test func unsupported_video_settings_are_refused_by_name() throws {
    func video(
      _ codec: VideoCodecType = .h264, _ change: (inout VideoOutputSettings) -> Void
    ) throws -> String {
      var settings = CompressedTake.settings(codec)
      change(&settings)
      return try refusal(video: settings)
    }
    #expect(try video { $0.width = 127 }.contains("even width"))
    #expect(try video { $0.encoder = .native }.contains("native"))
    #expect(try video { $0.compression.averageBitRate = 3 }.contains("invalid bit rate 3"))
    #expect(try video { $0.compression.quality = 1.5 }.contains("1.5"))
    #expect(try video { $0.compression.profile = .main10 }.contains("main10"))
    #expect(try video(.hevc) { $0.compression.profile = .high }.contains("high"))
    #expect(try video { $0.compression.maximumKeyFrameInterval = 0 }.contains("key frame"))
    #expect(
      try video { $0.compression.maximumKeyFrameIntervalDuration = -1 }.contains("key frame"))
    #expect(try video { $0.compression.level = "9" }.contains("'9'"))
    #expect(try video(.hevc) { $0.compression.level = "4.1" }.contains("level"))
    #expect(
      try video {
        ($0.width, $0.height) = (1920, 1080)
        $0.compression.level = "3.1"
      }.contains("does not fit"))
    #expect(
      try video {
        $0.compression.profile = .baseline
        $0.compression.entropyCoding = .cabac
      }.contains("arithmetic"))
    #expect(try video { $0.restartInterval = 5 }.contains("restart"))
    #expect(
      try video {
        $0.contentLightLevel = ContentLightLevel(maximum: 1000, maximumFrameAverage: 100)
      }
      .contains("light level"))
    #expect(
      try video {
        $0.cleanAperture = CleanAperture(VideoDimensions(width: 64, height: 48))
      }.contains("clean aperture"))
    var proRes = CompressedTake.settings(.proRes422)
    proRes.compression.averageBitRate = 1_000_000
    #expect(try refusal(.mov, video: proRes).contains("has no settings for bit rate"))
  }

  @Test func unsupported_audio_settings_are_refused_by_name() throws {
    #expect(
      try refusal(audio: CompressedTake.audio(.aac(bitRate: 9_000_000))).contains("9000000"))
    #expect(
      try refusal(audio: CompressedTake.audio(.aac(bitRate: nil), channels: 6)).contains(
        "6 channels"))
    var odd = CompressedTake.audio(.aac(bitRate: nil))
    odd.format.sampleRate = 47_000
    #expect(try refusal(audio: odd).contains("47000"))
    var deep = CompressedTake.audio(.appleLossless)
    deep.format.sampleFormat = .int32
    #expect(try refusal(audio: deep).contains("16 or 24"))
    var mono = CompressedTake.audio(.aac(bitRate: nil))
    mono.trackLayout = .mono
    #expect(try refusal(audio: mono).contains("one track"))
  }

  @Test func a_codec_without_an_encoder_is_refused_by_name() {
    let video = #expect(throws: AssetWriterError.self) {
      try LibavCompressor.encoder(for: VideoCodecType.hevc) { _ in false }
    }
    #expect(video?.code == .encoderUnavailable && video?.message.contains("hvc1") == true)
    let audio = #expect(throws: AssetWriterError.self) {
      try LibavCompressor.encoder(for: AudioCompression.appleLossless) { _ in false }
    }
    #expect(audio?.code == .encoderUnavailable)
  }

  @Test func compressed_video_refuses_interlaced_frames_and_a_pre_roll() async throws {
    let writer = try AssetWriter(path: folder.path("a.mp4"), fileType: .mp4)
    let input = AssetWriterInput(outputSettings: CompressedTake.settings())
    let receiver = try writer.inputReceiver(for: input)
    #expect(throws: AssetWriterError.self) {
      try writer.startPreRoll(PreRoll(duration: MediaTime(value: 1, timescale: 1)))
    }
    let other = try AssetWriter(path: folder.path("b.mp4"), fileType: .mp4)
    let fields = try other.inputReceiver(
      for: AssetWriterInput(outputSettings: CompressedTake.settings()))
    try other.start()
    try other.startSession(atSourceTime: .zero)
    let frame = try TestMedia.frame(0, fieldOrder: .topFieldFirst)
    let error = await #expect(throws: AssetWriterError.self) {
      try await fields.append(SampleBuffer(.video(frame), presentationTimeStamp: .zero))
    }
    #expect(error?.code == .codecUnavailable && error?.message.contains("two fields") == true)
    other.cancelWriting()
    _ = receiver
  }

  @Test func features_of_prores_movies_are_refused_before_the_file_exists() throws {
    func refusal(_ prepare: (AssetWriter) throws -> Void) throws -> String? {
      let writer = try AssetWriter(path: folder.path("a.mov"), fileType: .mov)
      try writer.add(AssetWriterInput(outputSettings: CompressedTake.settings()))
      try prepare(writer)
      let error = #expect(throws: AssetWriterError.self) { try writer.start() }
      #expect(writer.status == .failed)
      return error?.message
    }
    #expect(try refusal { $0.configuration.takesChecksums = true }?.contains("checksums") == true)
    #expect(
      try refusal { writer in
        var mono = CompressedTake.audio(.none)
        mono.trackLayout = .mono
        try writer.add(AssetWriterInput(outputSettings: mono))
      }?.contains("one track") == true)
  }

  @Test func a_complete_movie_without_its_chapters_is_reported() async throws {
    let path = folder.path("a.mp4")
    let error = await #expect(throws: AssetWriterError.self) {
      try await CompressedTake().write(to: path) {
        $0.chapters = [MovieChapter(title: "One", start: .zero)]
      }
    }
    #expect(error?.message.contains("chapters") == true)
    #expect(error?.recordingSuccessfullyFinished == true)
    #expect(try folder.bytes("a.mp4").count > 1000)
  }

  @Test func a_split_take_reports_which_movies_lack_chapters() async throws {
    let writer = try AssetWriter(path: folder.path("a.mp4"), fileType: .mp4)
    writer.configuration.segments.maximumFrameCount = 10
    writer.chapters = [MovieChapter(title: "One", start: MediaTime(value: 1, timescale: 10))]
    var take = CompressedTake()
    take.video?.keepsFrameTimes = false
    take.video?.frameRate = .fps25
    let error = await #expect(throws: AssetWriterError.self) { try await take.write(with: writer) }
    #expect(error?.recordingSuccessfullyFinished == true)
    #expect(error?.message.contains("a.mp4 is complete, but without chapters") == true)
    #expect(writer.report.segments.map(\.omitted) == [[.chapters], nil, nil])
    #expect(writer.report.segments.allSatisfy { $0.isValid })
  }

  @Test func metadata_unsupported_by_libavformat_is_refused_by_key() async throws {
    let error = await #expect(throws: AssetWriterError.self) {
      try await CompressedTake().write(to: folder.path("a.mp4")) {
        $0.metadata["com.example.blob"] = .data(type: 0, bytes: [1, 2])
      }
    }
    #expect(error?.code == .invalidSettings && error?.message.contains("com.example.blob") == true)
  }

  /// libavformat writes such a movie, and cannot store what this project's own writer does.
  @Test func prores_with_compressed_audio_refuses_settings_it_would_lose() throws {
    func refusal(
      reel: String = "", _ change: (inout VideoOutputSettings) -> Void = { _ in }
    ) throws -> String? {
      let writer = try AssetWriter(path: folder.path("a.mov"))
      writer.configuration.reelName = reel
      var settings = VideoOutputSettings(codec: .proRes422, width: 64, height: 48)
      change(&settings)
      try writer.add(AssetWriterInput(outputSettings: settings))
      try writer.add(AssetWriterInput(outputSettings: CompressedTake.audio(.aac(bitRate: 128_000))))
      defer { writer.cancelWriting() }
      do throws(AssetWriterError) { try writer.start() } catch { return error.message }
      return nil
    }
    #expect(try refusal() == nil)
    #expect(try refusal(reel: "A001")?.contains("reel") == true)
    #expect(
      try refusal {
        $0.contentLightLevel = ContentLightLevel(maximum: 1000, maximumFrameAverage: 400)
      }?
      .contains("a light level") == true)
    #expect(
      try refusal { $0.cleanAperture = CleanAperture(width: .init(60), height: .init(40)) }?
        .contains("a clean aperture") == true)
  }
}
