import AVFoundationCompat
import TestSupport
import Testing

/// Movies of H.264, HEVC, AAC and Apple Lossless, written and read through Apple's names.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(
    if: EncoderCapabilities.current.interframeCodecs.count == 2,
    "libavcodec has no encoder of H.264 or HEVC"))
struct CompressedWritingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var video: [String: Any] {
    [
      AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      AVVideoScalingModeKey: AVVideoScalingModeResizeAspectFill,
      AVVideoCompressionPropertiesKey: [
        AVVideoAverageBitRateKey: 500_000, AVVideoProfileLevelKey: AVVideoProfileLevelH264High41,
        AVVideoMaxKeyFrameIntervalKey: 10, AVVideoAllowFrameReorderingKey: false,
        AVVideoExpectedSourceFrameRateKey: 25,
        AVVideoH264EntropyModeKey: AVVideoH264EntropyModeCABAC,
      ],
    ]
  }

  private static var audio: [String: Any] {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    return [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 2,
      AVEncoderBitRateKey: 128_000,
      AVChannelLayoutKey: withUnsafeBytes(of: layout) { Data($0) },
    ]
  }

  private func audio(_ first: Int, _ count: Int) throws -> CMSampleBuffer {
    let format = AudioFormat(sampleRate: 44_100, channelCount: 2, sampleFormat: .int16)
    let bytes = (first..<first + count).flatMap { place -> [UInt8] in
      // 441 Hz: a period of 100 samples.
      let value = UInt16(bitPattern: place % 100 < 50 ? 8000 : -8000)
      return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] + [0, 0]
    }
    return CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)),
      presentationTimeStamp: CMTime(value: Int64(first), timescale: 44_100))
  }

  /// Writes ten frames, each with its own gray, and one second of audio, as ported programs do.
  private func write(
    _ name: String, _ type: AVFileType, video settings: [String: Any] = video,
    audio audioSettings: [String: Any] = audio, prepare: (AVAssetWriter, AVAssetWriterInput) -> Void
  ) async throws -> URL {
    let url = folder.url(name)
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    #expect(writer.canApply(outputSettings: settings, forMediaType: .video))
    #expect(writer.canApply(outputSettings: audioSettings, forMediaType: .audio))
    let videoInput = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    let voices = AVAssetWriterInput(mediaType: .audio, outputSettings: audioSettings)
    prepare(writer, videoInput)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: videoInput,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      ])
    for input in [videoInput, voices] {
      #expect(writer.canAdd(input))
      writer.add(input)
    }
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<10 {
      while !videoInput.isReadyForMoreMediaData { await Task.yield() }
      var image: CVPixelBuffer?
      let pool = try #require(adaptor.pixelBufferPool)
      #expect(CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &image) == 0)
      let buffer = try #require(image)
      CVPixelBufferLockBaseAddress(buffer, [])
      for plane in 0..<2 {
        let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
        memset(
          base, plane == 0 ? Int32(20 * frame + 30) : 128,
          CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
            * CVPixelBufferGetHeightOfPlane(buffer, plane))
      }
      CVPixelBufferUnlockBaseAddress(buffer, [])
      #expect(adaptor.append(buffer, withPresentationTime: Self.time(frame)))
      while !voices.isReadyForMoreMediaData { await Task.yield() }
      #expect(voices.append(try self.audio(frame * 4410, 4410)))
    }
    videoInput.markAsFinished()
    voices.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    return url
  }

  /// No two frames have the same duration.
  private static func time(_ frame: Int) -> CMTime {
    CMTime(value: Int64(frame * 100 + frame * frame % 7), timescale: 1000)
  }

  @Test(arguments: zip(["a.mp4", "a.mov", "a.m4v"], [AVFileType.mp4, .mov, .m4v]))
  func a_movie_of_h264_and_aac_is_written_and_read_back(
    name: String, type: AVFileType
  ) async throws {
    let url = try await write(name, type) { writer, input in
      #expect(!writer.movieFragmentInterval.isValid)
      input.transform = CGAffineTransform(rotationAngle: .pi / 2)
      let title = AVMutableMetadataItem()
      title.identifier = .quickTimeMetadataTitle
      title.value = "A title" as NSString
      writer.metadata = [title]
      writer.shouldOptimizeForNetworkUse = true
      #expect(!writer.shouldOptimizeForNetworkUse)
    }
    let asset = AVURLAsset(url: url)
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    #expect(
      track.formatDescriptions.count == 1 && track.naturalSize == CGSize(width: 64, height: 48))
    #expect(track.preferredTransform.b == 1)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track,
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      ])
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var frame = 0
    while let sample = output.copyNextSampleBuffer() {
      #expect(abs((sample.presentationTimeStamp - Self.time(frame)).seconds) < 0.00001)
      let image = try #require(CMSampleBufferGetImageBuffer(sample))
      let luma = image.withUnsafeBytes(ofPlane: 0) { Int($0[64 * 20 + 32]) }
      #expect(abs(luma - (20 * frame + 30)) <= 2, "frame \(frame)")
      frame += 1
    }
    #expect(frame == 10)
    try checkRGB(asset, track)
    let voices = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let audioReader = try AVAssetReader(asset: asset)
    let audio = AVAssetReaderTrackOutput(
      track: voices, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    audioReader.add(audio)
    try #require(audioReader.startReading())
    var frames = 0
    while let sample = audio.copyNextSampleBuffer() {
      frames += try #require(sample.audioBuffer).frameCount
    }
    #expect(abs(frames - 44_100) <= 1024)
  }

  /// Reads frames as RGB: the gray of luma 30 is 16 of 255.
  private func checkRGB(_ asset: AVAsset, _ track: AVAssetTrack) throws {
    for code in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB] {
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(
        track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: code])
      reader.add(output)
      try #require(reader.startReading(), "\(String(describing: reader.error))")
      let sample = try #require(output.copyNextSampleBuffer())
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(CVPixelBufferGetPixelFormatType(frame) == code)
      let pixel = frame.withUnsafeBytes(ofPlane: 0) { bytes in
        (0..<4).map { Int(bytes[4 * (20 * 64 + 30) + $0]) }
      }
      let colors = code == kCVPixelFormatType_32BGRA ? pixel.dropLast() : pixel.dropFirst()
      #expect(colors.allSatisfy { abs($0 - 16) <= 3 }, "\(pixel)")
    }
  }

  @Test(.tags(.judges)) func ten_bit_hevc_and_lossless_audio_are_written() async throws {
    let video: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecHEVC, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      AVVideoCompressionPropertiesKey: [
        AVVideoProfileLevelKey: kVTProfileLevel_HEVC_Main10_AutoLevel, AVVideoQualityKey: 0.9,
        AVVideoMaxKeyFrameIntervalDurationKey: 0.5,
      ],
    ]
    let audio: [String: Any] = [
      AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      AVEncoderBitDepthHintKey: 16,
    ]
    let url = try await write("a.mp4", .mp4, video: video, audio: audio) { writer, _ in
      writer.movieFragmentInterval = CMTime(value: 1, timescale: 2)
      #expect(writer.movieFragmentInterval.seconds == 0.5)
    }
    let probe = try Judges.probe(url.path)
    #expect(try probe.stream("video").pix_fmt == "yuv420p10le")
    #expect(try probe.stream("audio").codec_name == "alac")
    #expect(try Judges.strictDecode(url.path) == "")
  }

  @Test func an_audio_only_file_is_written() async throws {
    let url = folder.url("a.m4a")
    let writer = try AVAssetWriter(outputURL: url, fileType: .m4a)
    #expect(!writer.canApply(outputSettings: Self.video, forMediaType: .video))
    let input = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
      ])
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    #expect(input.append(try audio(0, 22_050)))
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed)
    #expect(try await AVURLAsset(url: url).load(.duration).seconds == 0.5)
  }

  @Test func settings_dictionaries_round_trip_through_typed_settings() throws {
    let typed = try VideoOutputSettings(dictionary: Self.video)
    #expect(typed.frameRate == nil && typed.compression.averageBitRate == 500_000)
    #expect(typed.compression.profile == .high && typed.compression.level == "4.1")
    #expect(typed.compression.maximumKeyFrameInterval == 10)
    #expect(!typed.compression.allowsFrameReordering && typed.compression.entropyCoding == .cabac)
    #expect(typed.compression.expectedFrameRate == FrameRate.fps25)
    #expect(try VideoOutputSettings(dictionary: typed.dictionary) == typed)
    for (name, profile, level) in [
      (AVVideoProfileLevelH264Baseline30, VideoCompression.Profile.baseline, "3.0" as String?),
      (AVVideoProfileLevelH264Baseline31, .baseline, "3.1"),
      (AVVideoProfileLevelH264Baseline41, .baseline, "4.1"),
      (AVVideoProfileLevelH264BaselineAutoLevel, .baseline, nil),
      (AVVideoProfileLevelH264Main30, .main, "3.0"), (AVVideoProfileLevelH264Main31, .main, "3.1"),
      (AVVideoProfileLevelH264Main32, .main, "3.2"), (AVVideoProfileLevelH264Main41, .main, "4.1"),
      (AVVideoProfileLevelH264MainAutoLevel, .main, nil),
      (AVVideoProfileLevelH264High40, .high, "4.0"),
      (AVVideoProfileLevelH264HighAutoLevel, .high, nil),
    ] {
      let settings = try VideoOutputSettings(
        dictionary: Self.video.merging([
          AVVideoCompressionPropertiesKey: [
            AVVideoProfileLevelKey: name, AVVideoH264EntropyModeKey: AVVideoH264EntropyModeCAVLC,
          ]
        ]) { $1 })
      #expect(settings.compression.profile == profile && settings.compression.level == level)
      #expect(try VideoOutputSettings(dictionary: settings.dictionary) == settings)
    }
    #expect(VideoCodecType.h264.rawValue == AVVideoCodecH264)
    let audio = try AudioOutputSettings(dictionary: Self.audio)
    #expect(audio.compression == .aac(bitRate: 128_000))
    #expect(try AudioOutputSettings(dictionary: audio.dictionary).compression == audio.compression)
    let each = try AudioOutputSettings(
      dictionary: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
        AVEncoderBitRatePerChannelKey: 96_000,
      ])
    #expect(each.compression == .aac(bitRate: 96_000))
  }

  @Test func settings_that_cannot_be_applied_are_refused_by_key() {
    for (key, value) in [
      (AVVideoProfileLevelKey, kVTProfileLevel_HEVC_Main_AutoLevel as Any),
      (AVVideoH264EntropyModeKey, "HUFFMAN"), (AVVideoAverageNonDroppableFrameRateKey, 10),
      (AVVideoAllowFrameReorderingKey, 3), (AVVideoExpectedSourceFrameRateKey, -1),
    ] {
      let error = #expect(throws: AVError.self) {
        try VideoOutputSettings(
          dictionary: Self.video.merging([AVVideoCompressionPropertiesKey: [key: value]]) { $1 })
      }
      #expect(error?.message.contains(key) == true)
    }
    for (key, value) in [
      (AVEncoderBitRateStrategyKey, "AVAudioBitRateStrategy_Constant" as Any),
      (AVChannelLayoutKey, Data([1, 0, 100, 0])), (AVEncoderAudioQualityKey, 5),
      (AVEncoderBitDepthHintKey, 16), (AVSampleRateConverterAudioQualityKey, 1),
    ] {
      let error = #expect(throws: AVError.self) {
        try AudioOutputSettings(dictionary: Self.audio.merging([key: value]) { $1 })
      }
      #expect(error?.message.contains(key) == true)
    }
  }

  @Test func an_mp4_refuses_prores_and_pcm_audio() throws {
    let writer = try AVAssetWriter(outputURL: folder.url("a.mp4"), fileType: .mp4)
    writer.add(
      AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
          AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
        ]))
    #expect(writer.status == .failed)
    #expect((writer.error as? AVError)?.message.contains("only into .mov files") == true)
    #expect(
      !writer.canApply(
        outputSettings: [
          AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        ], forMediaType: .audio))
  }

  @Test func settings_of_the_assistant_can_be_applied() throws {
    let presets: [AVOutputSettingsPreset] = [
      .preset640x480, .preset960x540, .preset1280x720, .preset1920x1080, .preset3840x2160,
      .hevc1920x1080, .hevc3840x2160, .hevc7680x4320,
    ]
    #expect(AVOutputSettingsAssistant.availableOutputSettingsPresets() == presets)
    for preset in presets {
      let assistant = try #require(AVOutputSettingsAssistant(preset: preset))
      assistant.sourceVideoAverageFrameDuration = CMTime(value: 1, timescale: 25)
      let writer = try AVAssetWriter(
        outputURL: folder.url("a.mov"), fileType: assistant.outputFileType)
      #expect(writer.canApply(outputSettings: assistant.videoSettings, forMediaType: .video))
      #expect(writer.canApply(outputSettings: assistant.audioSettings, forMediaType: .audio))
    }
    #expect(AVOutputSettingsAssistant(preset: AVOutputSettingsPreset(rawValue: "none")) == nil)
  }

  @Test func an_output_recommends_settings_that_its_file_accepts() throws {
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    rig.session.addOutput(output)
    #expect(
      output.availableVideoCodecTypesForAssetWriter(writingTo: .mp4)
        == [AVVideoCodecType.h264, .hevc])
    #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .m4a).isEmpty)
    #expect(output.availableVideoCodecTypesForAssetWriter(writingTo: .mov).last == .hevc)
    let settings = try #require(output.recommendedVideoSettingsForAssetWriter(writingTo: .mp4))
    let writer = try AVAssetWriter(outputURL: folder.url("a.mp4"), fileType: .mp4)
    #expect(writer.canApply(outputSettings: settings, forMediaType: .video))
    #expect(!rig.output.availableVideoCodecTypes.contains(.h264))
    let connection = try #require(rig.output.connection(with: .video))
    #expect(throws: (any Error).self) {
      try rig.output.setVideoCodec(.h264, for: connection)
    }
  }
}
