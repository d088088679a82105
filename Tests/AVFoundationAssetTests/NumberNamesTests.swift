import AVFoundationCompat
import Testing

/// Names of the numbers and strings in Apple's headers.
@Suite struct NumberNamesTests {
  @Test func pixel_format_codes_equal_those_of_core_video() {
    let codes: [(OSType, String)] = [
      (kCVPixelFormatType_16LE555, "L555"),
      (kCVPixelFormatType_16LE5551, "5551"),
      (kCVPixelFormatType_16BE565, "B565"),
      (kCVPixelFormatType_16LE565, "L565"),
      (kCVPixelFormatType_32ABGR, "ABGR"),
      (kCVPixelFormatType_48RGB, "b48r"),
      (kCVPixelFormatType_32AlphaGray, "b32a"),
      (kCVPixelFormatType_16Gray, "b16g"),
      (kCVPixelFormatType_4444YpCbCrA8, "v408"),
      (kCVPixelFormatType_4444YpCbCrA8R, "r408"),
      (kCVPixelFormatType_4444AYpCbCr8, "y408"),
      (kCVPixelFormatType_444YpCbCr8, "v308"),
      (kCVPixelFormatType_444YpCbCr10, "v410"),
      (kCVPixelFormatType_422YpCbCr_4A_8BiPlanar, "a2vy"),
      (kCVPixelFormatType_TwoComponent8, "2C08"),
      (kCVPixelFormatType_OneComponent16, "L016"),
      (kCVPixelFormatType_OneComponent16Half, "L00h"),
      (kCVPixelFormatType_OneComponent32Float, "L00f"),
      (kCVPixelFormatType_TwoComponent16Half, "2C0h"),
      (kCVPixelFormatType_TwoComponent32Float, "2C0f"),
      (kCVPixelFormatType_128RGBAFloat, "RGfA"),
      (kCVPixelFormatType_DisparityFloat16, "hdis"),
      (kCVPixelFormatType_DisparityFloat32, "fdis"),
      (kCVPixelFormatType_DepthFloat16, "hdep"),
      (kCVPixelFormatType_Lossless_32BGRA, "&BGA"),
      (kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange, "&8v0"),
      (kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange, "&8f0"),
      (kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange, "&xv0"),
      (kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange, "&xv2"),
      (kCVPixelFormatType_Lossy_32BGRA, "-BGA"),
      (kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange, "-8v0"),
      (kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange, "-8f0"),
      (kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange, "-xv0"),
      (kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange, "-xv2"),
    ]
    for (code, text) in codes {
      #expect(text.utf8.reduce(OSType(0)) { $0 << 8 | OSType($1) } == code)
    }
    let numbers: [(OSType, OSType)] = [
      (kCVPixelFormatType_1Monochrome, 1),
      (kCVPixelFormatType_2Indexed, 2),
      (kCVPixelFormatType_4Indexed, 4),
      (kCVPixelFormatType_8Indexed, 8),
      (kCVPixelFormatType_1IndexedGray_WhiteIsZero, 33),
      (kCVPixelFormatType_2IndexedGray_WhiteIsZero, 34),
      (kCVPixelFormatType_4IndexedGray_WhiteIsZero, 36),
      (kCVPixelFormatType_8IndexedGray_WhiteIsZero, 40),
      (kCVPixelFormatType_16BE555, 16),
    ]
    for (code, number) in numbers { #expect(code == number) }
    // None of them is a pixel format supported here.
    for code in codes.map(\.0) + numbers.map(\.0) {
      var frame: CVPixelBuffer?
      #expect(CVPixelBufferCreate(nil, 16, 16, code, nil, &frame) != kCVReturnSuccess)
      #expect(frame == nil)
    }
  }

  @Test func channel_layout_tags_equal_those_of_core_audio() {
    let tags: [(AudioChannelLayoutTag, UInt32, UInt32)] = [
      (kAudioChannelLayoutTag_MatrixStereo, 103, 2),
      (kAudioChannelLayoutTag_MidSide, 104, 2),
      (kAudioChannelLayoutTag_XY, 105, 2),
      (kAudioChannelLayoutTag_Binaural, 106, 2),
      (kAudioChannelLayoutTag_Ambisonic_B_Format, 107, 4),
      (kAudioChannelLayoutTag_Pentagonal, 109, 5),
      (kAudioChannelLayoutTag_Hexagonal, 110, 6),
      (kAudioChannelLayoutTag_Octagonal, 111, 8),
      (kAudioChannelLayoutTag_Cube, 112, 8),
      (kAudioChannelLayoutTag_MPEG_3_0_A, 113, 3),
      (kAudioChannelLayoutTag_MPEG_3_0_B, 114, 3),
      (kAudioChannelLayoutTag_MPEG_4_0_A, 115, 4),
      (kAudioChannelLayoutTag_MPEG_4_0_B, 116, 4),
      (kAudioChannelLayoutTag_MPEG_5_0_A, 117, 5),
      (kAudioChannelLayoutTag_MPEG_5_0_B, 118, 5),
      (kAudioChannelLayoutTag_MPEG_5_0_C, 119, 5),
      (kAudioChannelLayoutTag_MPEG_5_0_D, 120, 5),
      (kAudioChannelLayoutTag_MPEG_5_1_B, 122, 6),
      (kAudioChannelLayoutTag_MPEG_5_1_C, 123, 6),
      (kAudioChannelLayoutTag_MPEG_5_1_D, 124, 6),
      (kAudioChannelLayoutTag_MPEG_6_1_A, 125, 7),
      (kAudioChannelLayoutTag_MPEG_7_1_A, 126, 8),
      (kAudioChannelLayoutTag_MPEG_7_1_B, 127, 8),
      (kAudioChannelLayoutTag_MPEG_7_1_C, 128, 8),
      (kAudioChannelLayoutTag_SMPTE_DTV, 130, 8),
      (kAudioChannelLayoutTag_ITU_2_1, 131, 3),
      (kAudioChannelLayoutTag_ITU_2_2, 132, 4),
      (kAudioChannelLayoutTag_DVD_4, 133, 3),
      (kAudioChannelLayoutTag_DVD_5, 134, 4),
      (kAudioChannelLayoutTag_DVD_6, 135, 5),
      (kAudioChannelLayoutTag_DVD_10, 136, 4),
      (kAudioChannelLayoutTag_DVD_11, 137, 5),
      (kAudioChannelLayoutTag_DVD_18, 138, 5),
      (kAudioChannelLayoutTag_AudioUnit_6_0, 139, 6),
      (kAudioChannelLayoutTag_AudioUnit_7_0, 140, 7),
      (kAudioChannelLayoutTag_AAC_6_0, 141, 6),
      (kAudioChannelLayoutTag_AAC_6_1, 142, 7),
      (kAudioChannelLayoutTag_AAC_7_0, 143, 7),
      (kAudioChannelLayoutTag_AAC_Octagonal, 144, 8),
      (kAudioChannelLayoutTag_TMH_10_2_std, 145, 16),
      (kAudioChannelLayoutTag_TMH_10_2_full, 146, 21),
      (kAudioChannelLayoutTag_AudioUnit_7_0_Front, 148, 7),
      (kAudioChannelLayoutTag_AC3_1_0_1, 149, 2),
      (kAudioChannelLayoutTag_AC3_3_0, 150, 3),
      (kAudioChannelLayoutTag_AC3_3_1, 151, 4),
      (kAudioChannelLayoutTag_AC3_3_0_1, 152, 4),
      (kAudioChannelLayoutTag_AC3_2_1_1, 153, 4),
      (kAudioChannelLayoutTag_AC3_3_1_1, 154, 5),
      (kAudioChannelLayoutTag_WAVE_4_0_B, 185, 4),
      (kAudioChannelLayoutTag_WAVE_5_0_B, 186, 5),
      (kAudioChannelLayoutTag_WAVE_5_1_B, 187, 6),
      (kAudioChannelLayoutTag_WAVE_6_1, 188, 7),
      (kAudioChannelLayoutTag_WAVE_7_1, 189, 8),
    ]
    for (tag, number, channels) in tags {
      #expect(tag >> 16 == number)
      #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == channels)
    }
    let aliases: [(AudioChannelLayoutTag, AudioChannelLayoutTag)] = [
      (kAudioChannelLayoutTag_MPEG_1_0, kAudioChannelLayoutTag_Mono),
      (kAudioChannelLayoutTag_MPEG_2_0, kAudioChannelLayoutTag_Stereo),
      (kAudioChannelLayoutTag_ITU_1_0, kAudioChannelLayoutTag_Mono),
      (kAudioChannelLayoutTag_ITU_2_0, kAudioChannelLayoutTag_Stereo),
      (kAudioChannelLayoutTag_AudioUnit_4, kAudioChannelLayoutTag_Quadraphonic),
      (kAudioChannelLayoutTag_AudioUnit_5, kAudioChannelLayoutTag_Pentagonal),
      (kAudioChannelLayoutTag_AudioUnit_6, kAudioChannelLayoutTag_Hexagonal),
      (kAudioChannelLayoutTag_AudioUnit_8, kAudioChannelLayoutTag_Octagonal),
      (kAudioChannelLayoutTag_AudioUnit_5_0, kAudioChannelLayoutTag_MPEG_5_0_B),
      (kAudioChannelLayoutTag_AudioUnit_5_1, kAudioChannelLayoutTag_MPEG_5_1_A),
      (kAudioChannelLayoutTag_AudioUnit_6_1, kAudioChannelLayoutTag_MPEG_6_1_A),
      (kAudioChannelLayoutTag_AudioUnit_7_1, kAudioChannelLayoutTag_MPEG_7_1_C),
      (kAudioChannelLayoutTag_AAC_3_0, kAudioChannelLayoutTag_MPEG_3_0_B),
      (kAudioChannelLayoutTag_AAC_Quadraphonic, kAudioChannelLayoutTag_Quadraphonic),
      (kAudioChannelLayoutTag_AAC_4_0, kAudioChannelLayoutTag_MPEG_4_0_B),
      (kAudioChannelLayoutTag_AAC_5_0, kAudioChannelLayoutTag_MPEG_5_0_D),
      (kAudioChannelLayoutTag_AAC_5_1, kAudioChannelLayoutTag_MPEG_5_1_D),
      (kAudioChannelLayoutTag_AAC_7_1, kAudioChannelLayoutTag_MPEG_7_1_B),
    ]
    for (tag, other) in aliases { #expect(tag == other) }
    let labels: [(AudioChannelLabel, UInt32)] = [
      (kAudioChannelLabel_Unknown, 4294967295),
      (kAudioChannelLabel_Unused, 0),
      (kAudioChannelLabel_UseCoordinates, 100),
      (kAudioChannelLabel_Left, 1),
      (kAudioChannelLabel_Right, 2),
      (kAudioChannelLabel_Center, 3),
      (kAudioChannelLabel_LFEScreen, 4),
      (kAudioChannelLabel_LeftSurround, 5),
      (kAudioChannelLabel_RightSurround, 6),
      (kAudioChannelLabel_LeftCenter, 7),
      (kAudioChannelLabel_RightCenter, 8),
      (kAudioChannelLabel_CenterSurround, 9),
      (kAudioChannelLabel_LeftSurroundDirect, 10),
      (kAudioChannelLabel_RightSurroundDirect, 11),
      (kAudioChannelLabel_TopCenterSurround, 12),
      (kAudioChannelLabel_VerticalHeightLeft, 13),
      (kAudioChannelLabel_VerticalHeightCenter, 14),
      (kAudioChannelLabel_VerticalHeightRight, 15),
      (kAudioChannelLabel_TopBackLeft, 16),
      (kAudioChannelLabel_TopBackCenter, 17),
      (kAudioChannelLabel_TopBackRight, 18),
      (kAudioChannelLabel_RearSurroundLeft, 33),
      (kAudioChannelLabel_RearSurroundRight, 34),
      (kAudioChannelLabel_LeftWide, 35),
      (kAudioChannelLabel_RightWide, 36),
      (kAudioChannelLabel_LFE2, 37),
      (kAudioChannelLabel_LeftTotal, 38),
      (kAudioChannelLabel_RightTotal, 39),
      (kAudioChannelLabel_HearingImpaired, 40),
      (kAudioChannelLabel_Narration, 41),
      (kAudioChannelLabel_Mono, 42),
      (kAudioChannelLabel_DialogCentricMix, 43),
      (kAudioChannelLabel_LeftTopMiddle, 49),
      (kAudioChannelLabel_RightTopMiddle, 51),
      (kAudioChannelLabel_LeftTopRear, 52),
      (kAudioChannelLabel_CenterTopRear, 53),
      (kAudioChannelLabel_RightTopRear, 54),
      (kAudioChannelLabel_Discrete, 400),
      (kAudioChannelLabel_Discrete_0, 65536),
    ]
    for (label, number) in labels { #expect(label == number) }
  }

  @Test func a_channel_layout_is_created_from_a_structure() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_D
    #expect(AVAudioChannelLayout(layout: &layout).layoutTag == kAudioChannelLayoutTag_MPEG_5_1_D)
    #expect(AVAudioChannelLayout(layout: &layout).channelCount == 6)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
    layout.mNumberChannelDescriptions = 3
    #expect(AVAudioChannelLayout(layout: &layout).channelCount == 3)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
    layout.mChannelBitmap = 0b1011
    #expect(
      AVAudioChannelLayout(layout: &layout).layoutTag
        == kAudioChannelLayoutTag_DiscreteInOrder | 3)
    #expect(kAudioFormatMPEG4AAC_HE_V2 == 0x6161_6370)
  }

  @Test func video_toolbox_keys_equal_setting_strings() {
    let profiles: [(String, String)] = [
      (kVTProfileLevel_H264_Baseline_1_3, "H264_Baseline_1_3"),
      (kVTProfileLevel_H264_Baseline_3_0, "H264_Baseline_3_0"),
      (kVTProfileLevel_H264_Baseline_3_1, "H264_Baseline_3_1"),
      (kVTProfileLevel_H264_Baseline_3_2, "H264_Baseline_3_2"),
      (kVTProfileLevel_H264_Baseline_4_0, "H264_Baseline_4_0"),
      (kVTProfileLevel_H264_Baseline_4_1, "H264_Baseline_4_1"),
      (kVTProfileLevel_H264_Baseline_4_2, "H264_Baseline_4_2"),
      (kVTProfileLevel_H264_Baseline_5_0, "H264_Baseline_5_0"),
      (kVTProfileLevel_H264_Baseline_5_1, "H264_Baseline_5_1"),
      (kVTProfileLevel_H264_Baseline_5_2, "H264_Baseline_5_2"),
      (kVTProfileLevel_H264_Baseline_AutoLevel, "H264_Baseline_AutoLevel"),
      (kVTProfileLevel_H264_Main_3_0, "H264_Main_3_0"),
      (kVTProfileLevel_H264_Main_3_1, "H264_Main_3_1"),
      (kVTProfileLevel_H264_Main_3_2, "H264_Main_3_2"),
      (kVTProfileLevel_H264_Main_4_0, "H264_Main_4_0"),
      (kVTProfileLevel_H264_Main_4_1, "H264_Main_4_1"),
      (kVTProfileLevel_H264_Main_4_2, "H264_Main_4_2"),
      (kVTProfileLevel_H264_Main_5_0, "H264_Main_5_0"),
      (kVTProfileLevel_H264_Main_5_1, "H264_Main_5_1"),
      (kVTProfileLevel_H264_Main_5_2, "H264_Main_5_2"),
      (kVTProfileLevel_H264_Main_AutoLevel, "H264_Main_AutoLevel"),
      (kVTProfileLevel_H264_High_3_0, "H264_High_3_0"),
      (kVTProfileLevel_H264_High_3_1, "H264_High_3_1"),
      (kVTProfileLevel_H264_High_3_2, "H264_High_3_2"),
      (kVTProfileLevel_H264_High_4_0, "H264_High_4_0"),
      (kVTProfileLevel_H264_High_4_1, "H264_High_4_1"),
      (kVTProfileLevel_H264_High_4_2, "H264_High_4_2"),
      (kVTProfileLevel_H264_High_5_0, "H264_High_5_0"),
      (kVTProfileLevel_H264_High_5_1, "H264_High_5_1"),
      (kVTProfileLevel_H264_High_5_2, "H264_High_5_2"),
      (kVTProfileLevel_H264_High_AutoLevel, "H264_High_AutoLevel"),
      (kVTProfileLevel_H264_Extended_5_0, "H264_Extended_5_0"),
      (kVTProfileLevel_H264_Extended_AutoLevel, "H264_Extended_AutoLevel"),
      (kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel, "H264_ConstrainedBaseline_AutoLevel"),
      (kVTProfileLevel_H264_ConstrainedHigh_AutoLevel, "H264_ConstrainedHigh_AutoLevel"),
      (kVTProfileLevel_HEVC_Main42210_AutoLevel, "HEVC_Main42210_AutoLevel"),
    ]
    for (name, text) in profiles { #expect(name == text) }
    let keys: [(String, String)] = [
      (kVTCompressionPropertyKey_AverageBitRate, AVVideoAverageBitRateKey),
      (kVTCompressionPropertyKey_ProfileLevel, AVVideoProfileLevelKey),
      (kVTCompressionPropertyKey_Quality, AVVideoQualityKey),
      (kVTCompressionPropertyKey_MaxKeyFrameInterval, AVVideoMaxKeyFrameIntervalKey),
      (
        kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, AVVideoMaxKeyFrameIntervalDurationKey
      ),
      (kVTCompressionPropertyKey_AllowFrameReordering, AVVideoAllowFrameReorderingKey),
      (kVTCompressionPropertyKey_H264EntropyMode, AVVideoH264EntropyModeKey),
      (kVTCompressionPropertyKey_ExpectedFrameRate, AVVideoExpectedSourceFrameRateKey),
    ]
    for (name, key) in keys { #expect(name == key) }
    #expect(kVTHDRMetadataInsertionMode_None == "None")
  }

  @Test func video_toolbox_settings_are_accepted_by_a_writer() throws {
    let rig = try DataTrackRig()
    func canApply(_ codec: AVVideoCodecType, _ properties: [String: Any]) -> Bool {
      rig.writer.canApply(
        outputSettings: [
          AVVideoCodecKey: codec, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
          AVVideoCompressionPropertiesKey: properties,
        ], forMediaType: .video)
    }
    let isThere = canApply(.hevc, [:])
    #expect(
      canApply(
        .hevc,
        [
          kVTCompressionPropertyKey_AverageBitRate as String: 400_000,
          kVTCompressionPropertyKey_RealTime as String: true,
          kVTCompressionPropertyKey_HDRMetadataInsertionMode as String:
            kVTHDRMetadataInsertionMode_Auto as String,
        ]) == isThere)
    #expect(
      !canApply(
        .h264,
        [
          kVTCompressionPropertyKey_ProfileLevel as String:
            kVTProfileLevel_H264_Extended_AutoLevel
        ]))
    #expect(canApply(.proRes422, [kVTCompressionPropertyKey_RealTime as String: true]))
    #expect(!canApply(.proRes422, [kVTCompressionPropertyKey_AverageBitRate as String: 1]))
  }

  @Test func core_media_keys_equal_those_of_core_video() {
    let fields = [
      kCMFormatDescriptionFieldDetail_TemporalTopFirst,
      kCMFormatDescriptionFieldDetail_TemporalBottomFirst,
      kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly,
      kCMFormatDescriptionFieldDetail_SpatialFirstLineLate,
    ]
    #expect(
      fields == [
        "TemporalTopFirst", "TemporalBottomFirst", "SpatialFirstLineEarly", "SpatialFirstLineLate",
      ])
    let layouts: [CMPixelFormatType] = [
      kCMPixelFormat_32ARGB, kCMPixelFormat_32BGRA, kCMPixelFormat_422YpCbCr8,
      kCMPixelFormat_422YpCbCr8_yuvs, kCMPixelFormat_422YpCbCr10,
    ]
    #expect(
      layouts == [
        kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8,
        kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr10,
      ])
    let aperture = [
      kCVImageBufferCleanApertureWidthKey, kCVImageBufferCleanApertureHeightKey,
      kCVImageBufferCleanApertureHorizontalOffsetKey, kCVImageBufferCleanApertureVerticalOffsetKey,
    ]
    #expect(
      aperture == [
        kCMFormatDescriptionKey_CleanApertureWidth, kCMFormatDescriptionKey_CleanApertureHeight,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
        kCMFormatDescriptionKey_CleanApertureVerticalOffset,
      ])
    #expect(
      aperture.map { $0 + "Rational" } == [
        kCMFormatDescriptionKey_CleanApertureWidthRational,
        kCMFormatDescriptionKey_CleanApertureHeightRational,
        kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational,
        kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational,
      ])
    #expect(kAudioChannelLabel_LeftTopFront == 13 && kAudioChannelLabel_CenterTopFront == 14)
    #expect(kAudioChannelLabel_RightTopFront == 15 && kAudioChannelLabel_CenterTopMiddle == 12)
  }

  @Test func a_sample_rate_converter_algorithm_is_accepted_only_by_readers() async throws {
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: 16,
      AVSampleRateConverterAlgorithmKey: AVSampleRateConverterAlgorithm_Mastering,
    ]
    let source = try ReadingRig()
    let asset = try await source.makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .audio).first), outputSettings: settings)
    reader.add(output)
    #expect(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer())
    #expect(sample.formatDescription?.audioStreamBasicDescription?.mSampleRate == 44_100)
    reader.cancelReading()
    withExtendedLifetime(source) {}
    let rig = try DataTrackRig()
    #expect(!rig.writer.canApply(outputSettings: settings, forMediaType: .audio))
    #expect(AVSampleRateConverterAlgorithm_Normal != AVSampleRateConverterAlgorithm_Mastering)
  }
}
