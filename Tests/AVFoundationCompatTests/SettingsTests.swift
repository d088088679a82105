import AVFoundationCompat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
  private static var hd: [String: Any] {
    [
      AVVideoCodecKey: AVVideoCodecType.proRes422HQ, AVVideoWidthKey: 1920,
      AVVideoHeightKey: 1080,
    ]
  }

  private static func with(_ key: String, _ value: Any) -> [String: Any] {
    hd.merging([key: value]) { $1 }
  }

  @Test func codec_and_size_accept_every_number_type() throws {
    for width: Any in [1920, Int32(1920), UInt16(1920), 1920.0, Float(1920), NSNumber(value: 1920)]
    {
      let settings = try VideoOutputSettings(dictionary: Self.with(AVVideoWidthKey, width))
      #expect(settings.codec == .proRes422HQ && settings.width == 1920 && settings.height == 1080)
    }
    let text = try VideoOutputSettings(
      dictionary: Self.with(AVVideoCodecKey, AVVideoCodecType.proRes422LT.rawValue))
    #expect(text.codec == .proRes422LT)
  }

  @Test(arguments: FrameRate.standard)
  func a_frame_rate_round_trips_exactly_through_a_dictionary(rate: FrameRate) throws {
    var settings = VideoOutputSettings(
      codec: .proRes4444, width: 640, height: 480, frameRate: rate)
    settings.color = .bt2100HLG
    settings.pixelAspectRatio = PixelAspectRatio(10, 11)
    #expect(try VideoOutputSettings(dictionary: settings.dictionary) == settings)
  }

  @Test func audio_settings_round_trip_through_a_dictionary() throws {
    for sample in [AudioFormat.SampleFormat.int16, .int24, .int32] {
      var settings = AudioOutputSettings(
        format: AudioFormat(sampleRate: 96_000, channelCount: 6, sampleFormat: sample))
      for order in [nil, AudioOutputSettings.ByteOrder.little, .big] {
        settings.byteOrder = order
        #expect(try AudioOutputSettings(dictionary: settings.dictionary) == settings)
      }
    }
  }

  @Test func color_properties_have_apples_names() throws {
    let colors: [(String, String, String, ColorDescription)] = [
      (
        AVVideoColorPrimaries_ITU_R_709_2, AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrix_ITU_R_709_2, .bt709
      ),
      (
        AVVideoColorPrimaries_SMPTE_C, AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrix_ITU_R_601_4, .smpte170M
      ),
      (
        AVVideoColorPrimaries_EBU_3213, AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrix_ITU_R_601_4, .bt601PAL
      ),
      (
        AVVideoColorPrimaries_ITU_R_2020, AVVideoTransferFunction_SMPTE_ST_2084_PQ,
        AVVideoYCbCrMatrix_ITU_R_2020, .bt2100PQ
      ),
      (
        AVVideoColorPrimaries_ITU_R_2020, AVVideoTransferFunction_ITU_R_2100_HLG,
        AVVideoYCbCrMatrix_ITU_R_2020, .bt2100HLG
      ),
      (
        AVVideoColorPrimaries_P3_D65, AVVideoTransferFunction_SMPTE_240M_1995,
        AVVideoYCbCrMatrix_SMPTE_240M_1995,
        ColorDescription(
          primaries: .displayP3, transferFunction: .smpte240M, matrix: .smpte240M)
      ),
      (
        AVVideoColorPrimaries_P3_D65, AVVideoTransferFunction_Linear,
        AVVideoYCbCrMatrix_ITU_R_709_2,
        ColorDescription(primaries: .displayP3, transferFunction: .linear, matrix: .bt709)
      ),
    ]
    for (primaries, transfer, matrix, color) in colors {
      let settings = try VideoOutputSettings(
        dictionary: Self.with(
          AVVideoColorPropertiesKey,
          [
            AVVideoColorPrimariesKey: primaries, AVVideoTransferFunctionKey: transfer,
            AVVideoYCbCrMatrixKey: matrix,
          ]))
      #expect(settings.color == color)
    }
  }

  @Test func a_clean_aperture_is_read() throws {
    let settings = try VideoOutputSettings(
      dictionary: Self.with(
        AVVideoCleanApertureKey,
        [
          AVVideoCleanApertureWidthKey: 1900, AVVideoCleanApertureHeightKey: 1060,
          AVVideoCleanApertureHorizontalOffsetKey: -2, AVVideoCleanApertureVerticalOffsetKey: 3,
        ]))
    #expect(settings.cleanAperture?.width.value == 1900)
    #expect(settings.cleanAperture?.horizontalOffset.value == -2)
    #expect(settings.cleanAperture?.verticalOffset.value == 3)
  }

  @Test func settings_that_prores_determines_are_refused() {
    for key in [AVVideoMaxKeyFrameIntervalKey, AVVideoProfileLevelKey, AVVideoQualityKey] {
      let error = #expect(throws: AVError.self) {
        try VideoOutputSettings(
          dictionary: Self.with(AVVideoCompressionPropertiesKey, [key: 1]))
      }
      #expect(error?.message.contains(key) == true)
    }
    for mode in [
      AVVideoScalingModeResize, AVVideoScalingModeResizeAspect,
      AVVideoScalingModeResizeAspectFill,
    ] {
      #expect(throws: AVError.self) {
        try VideoOutputSettings(dictionary: Self.with(AVVideoScalingModeKey, mode))
      }
    }
  }

  /// Each mistake, and words in its message.
  private static var mistakes: [(settings: [String: Any], words: [String])] {
    [
      ([AVVideoWidthKey: 1, AVVideoHeightKey: 1], [AVVideoCodecKey, "missing"]),
      (with(AVVideoCodecKey, 7), [AVVideoCodecKey, "text", "Int"]),
      (with(AVVideoCodecKey, AVVideoCodecType.jpeg), [AVVideoCodecKey, "jpeg", "apch"]),
      (with(AVVideoWidthKey, "wide"), [AVVideoWidthKey, "integer", "String"]),
      (with(AVVideoWidthKey, 10.5), [AVVideoWidthKey, "10.5"]),
      (with(AVVideoWidthKey, true), [AVVideoWidthKey, "Bool"]),
      (with(AVVideoHeightKey, Double.nan), [AVVideoHeightKey]),
      (with("AVVideoCodec", 1), ["'AVVideoCodec'", "unknown key", AVVideoCodecKey]),
      (with(AVVideoScalingModeKey, AVVideoScalingModeFit), [AVVideoScalingModeKey, "scaled"]),
      (
        with(AVVideoEncoderSpecificationKey, [:] as [String: Any]), [AVVideoEncoderSpecificationKey]
      ),
      (with(AVVideoAllowWideColorKey, false), [AVVideoAllowWideColorKey, "true"]),
      (with(AVVideoCompressionPropertiesKey, 3), [AVVideoCompressionPropertiesKey, "dictionary"]),
      (
        with(AVVideoCompressionPropertiesKey, [AVVideoAverageBitRateKey: 1_000_000]),
        [AVVideoAverageBitRateKey, "profile"]
      ),
      (
        with(AVVideoCompressionPropertiesKey, [AVVideoExpectedSourceFrameRateKey: -25]),
        [AVVideoExpectedSourceFrameRateKey, "not a usable frame rate"]
      ),
      (
        with(AVVideoCompressionPropertiesKey, [AVVideoAllowFrameReorderingKey: true]),
        [AVVideoAllowFrameReorderingKey, "false"]
      ),
      (
        with(AVVideoColorPropertiesKey, [AVVideoColorPrimariesKey: AVVideoColorPrimaries_P3_D65]),
        [AVVideoTransferFunctionKey, "missing"]
      ),
      (
        with(
          AVVideoColorPropertiesKey,
          [
            AVVideoColorPrimariesKey: "PINK", AVVideoTransferFunctionKey: "",
            AVVideoYCbCrMatrixKey: "",
          ]), [AVVideoColorPrimariesKey, "PINK", AVVideoColorPrimaries_ITU_R_2020]
      ),
      (
        with(
          AVVideoPixelAspectRatioKey,
          [
            AVVideoPixelAspectRatioHorizontalSpacingKey: 0,
            AVVideoPixelAspectRatioVerticalSpacingKey: 1,
          ]), [AVVideoPixelAspectRatioHorizontalSpacingKey]
      ),
      (
        with(AVVideoCleanApertureKey, [AVVideoCleanApertureWidthKey: 1900]),
        [AVVideoCleanApertureHeightKey, "missing"]
      ),
    ]
  }

  @Test(arguments: mistakes.indices)
  func an_error_in_video_settings_is_named(index: Int) {
    let mistake = Self.mistakes[index]
    let error = #expect(throws: AVError.self) {
      try VideoOutputSettings(dictionary: mistake.settings)
    }
    #expect(error?.code == .unsupportedOutputSettings)
    for word in mistake.words { #expect(error?.message.contains(word) == true, "\(word)") }
  }

  @Test func an_error_in_audio_settings_is_named() {
    let good: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
    ]
    for (key, value, word) in [
      (AVFormatIDKey, kAudioFormatOpus as Any, "'opus'"), (AVFormatIDKey, "lpcm", "String"),
      (AVLinearPCMBitDepthKey, 20, "16, 24 or 32"), (AVLinearPCMIsFloatKey, true, "integers"),
      (AVLinearPCMIsBigEndianKey, 1.5, "true or false"), (AVEncoderBitRateKey, 1, "leave it out"),
      (AVLinearPCMIsNonInterleaved, true, "interleaved"), (AVChannelLayoutKey, Data(), "leave it"),
      (AVEncoderAudioQualityKey, 1, "leave it"), ("AVSampleRate", 1, "unknown key"),
      (AVNumberOfChannelsKey, [2], "integer"),
    ] {
      let error = #expect(throws: AVError.self) {
        try AudioOutputSettings(dictionary: good.merging([key: value]) { $1 })
      }
      #expect(error?.message.contains(key) == true && error?.message.contains(word) == true)
    }
    #expect(throws: AVError.self) { try AudioOutputSettings(dictionary: [:]) }
  }

  @Test func an_invalid_input_makes_the_writer_fail_with_the_cause() throws {
    let writer = try AVAssetWriter(
      outputURL: URL(fileURLWithPath: "/nowhere/a.mov"), fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: Self.with("Color", "red"))
    #expect(!writer.canAdd(input) && input.outputSettings == nil)
    #expect(!writer.canApply(outputSettings: ["Color": "red"], forMediaType: .video))
    #expect(writer.canApply(outputSettings: Self.hd, forMediaType: .video))
    // Apple's dictionaries hold switches as numbers.
    let audio: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: 24, AVLinearPCMIsFloatKey: 0, AVLinearPCMIsBigEndianKey: 0,
    ]
    #expect(writer.canApply(outputSettings: audio, forMediaType: .audio))
    writer.add(input)
    #expect(writer.status == .failed && !writer.startWriting())
    let error = try #require(writer.error as? AVError)
    #expect(error.code == .unsupportedOutputSettings && error.message.contains("'Color'"))
    for settings: [String: Any]? in [nil, [AVFormatIDKey: kAudioFormatLinearPCM]] {
      #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: settings)))
    }
    #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .metadata, outputSettings: Self.hd)))
  }

  @Test func invalid_output_settings_prevent_a_recording() async throws {
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    let connection = try #require(rig.output.connection(with: .video))
    #expect(rig.output.supportedOutputSettingsKeys(for: connection).contains(AVVideoCodecKey))
    rig.session.startRunning()
    defer { rig.session.stopRunning() }
    for (settings, word) in [
      ([AVVideoCodecKey: AVVideoCodecType.proRes4444.rawValue], "4444"),
      ([AVVideoCodecKey: "apcn", "Speed": 9], "'Speed'"), (nil, "nil"),
      ([AVVideoCodecKey: "apcn", AVVideoWidthKey: 320, AVVideoHeightKey: 180], "320x180"),
    ] as [([String: Any]?, String)] {
      rig.output.setOutputSettings(settings, for: connection)
      let listener = RecordingListener()
      let error = await listener.record(rig.output, to: folder.url("refused.mov")) as? AVError
      #expect(error?.code == .unsupportedOutputSettings)
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "none")")
    }
    rig.output.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.proRes422LT], for: connection)
    let chosen = rig.output.outputSettings(for: connection)
    #expect(chosen[AVVideoCodecKey] as? String == "apcs" && chosen[AVVideoWidthKey] as? Int == 640)
    rig.output.setOutputSettings([:], for: connection)
    let standard = rig.output.outputSettings(for: connection)
    #expect(standard[AVVideoCodecKey] as? String == "apch")
  }

  @Test func data_output_settings_require_the_available_layout() throws {
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    rig.session.addOutput(output)
    let available = try #require(output.availableVideoPixelFormatTypes.first)
    let key = kCVPixelBufferPixelFormatTypeKey as String
    try output.setVideoSettings([key: available])
    #expect(output.videoSettings[key] as? OSType == available)
    #expect(output.videoSettings[kCVPixelBufferWidthKey as String] as? Int == 640)
    for (settings, word) in [
      ([key: kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange], "NV16"),
      ([key: kCVPixelFormatType_32RGBA], "RGBA"), ([key: "2vuy"], key),
      (["Format": available], "'Format'"),
      ([kCVPixelBufferWidthKey: 320], "320x360"),
    ] as [([String: Any], String)] {
      let error = #expect(throws: AVError.self) { try output.setVideoSettings(settings) }
      #expect(error?.code == .unsupportedOutputSettings)
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "none")")
    }
    output.videoSettings = [:]
  }

  @Test func a_session_does_not_start_with_invalid_settings() async throws {
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = ["Format": 1]
    rig.session.addOutput(output)
    let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }
    #expect(error?.message.contains("'Format'") == true)
    output.videoSettings = [:]
    try await rig.session.start()
    rig.session.stopRunning()
  }

  @Test func a_size_set_before_the_device_exists_is_enforced() async throws {
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 1920,
    ]
    rig.session.addOutput(output)
    let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }
    #expect(error?.message.contains("1920x360") == true, "\(error?.message ?? "none")")
    output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 360]
    try await rig.session.start()
    rig.session.stopRunning()
  }

  /// A delegate of both kinds that must not be called.
  private final class Listener: AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureAudioDataOutputSampleBufferDelegate
  {
    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) {}
  }

  @Test func a_session_does_not_start_with_a_delegate_without_a_queue() async throws {
    let rig = try PatternRig()
    let (frames, audio) = (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput())
    let listener = Listener()
    let tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    rig.session.addInput(try AVCaptureDeviceInput(device: tone))
    rig.session.addOutput(frames)
    rig.session.addOutput(audio)
    #expect(audio.connection(with: .audio) != nil)
    frames.setSampleBufferDelegate(listener, queue: nil)
    for _ in 0..<2 {
      let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }
      #expect(error?.message.contains("needs a queue") == true, "\(error?.message ?? "none")")
      frames.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "pictures"))
      audio.setSampleBufferDelegate(listener, queue: nil)
    }
    audio.setSampleBufferDelegate(nil, queue: nil)
    try await rig.session.start()
    rig.session.stopRunning()
  }
}
