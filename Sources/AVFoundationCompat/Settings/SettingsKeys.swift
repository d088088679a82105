// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: Video

/// The codec: an `AVVideoCodecType`, or its four-character code.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Width in pixels.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Height in pixels.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// The pixel aspect ratio: a dictionary with two spacings.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// The relative width of a pixel.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
/// The relative height of a pixel.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The clean aperture: a dictionary with its size and offsets.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
public let AVVideoCleanApertureWidthKey = "CleanApertureWidth"
public let AVVideoCleanApertureHeightKey = "CleanApertureHeight"
/// The offset of its center to the right of the frame's.
public let AVVideoCleanApertureHorizontalOffsetKey = "CleanApertureHorizontalOffset"
/// The offset of its center below the frame's.
public let AVVideoCleanApertureVerticalOffsetKey = "CleanApertureVerticalOffset"
/// The color to declare: a dictionary of primaries, transfer function and matrix.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"
public let AVVideoColorPrimariesKey = "ColorPrimaries"
public let AVVideoTransferFunctionKey = "TransferFunction"
/// The luma-chroma matrix.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"
/// BT.709.
public let AVVideoColorPrimaries_ITU_R_709_2 = "ITU_R_709_2"
/// 525-line standard definition.
public let AVVideoColorPrimaries_SMPTE_C = "SMPTE_C"
/// 625-line standard definition.
public let AVVideoColorPrimaries_EBU_3213 = "EBU_3213"
/// Display P3.
public let AVVideoColorPrimaries_P3_D65 = "P3_D65"
/// BT.2020.
public let AVVideoColorPrimaries_ITU_R_2020 = "ITU_R_2020"
/// BT.709.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"
public let AVVideoTransferFunction_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// The perceptual quantizer of HDR.
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ = "SMPTE_ST_2084_PQ"
/// Hybrid log-gamma.
public let AVVideoTransferFunction_ITU_R_2100_HLG = "ITU_R_2100_HLG"
/// Linear light.
public let AVVideoTransferFunction_Linear = "Linear"
/// BT.709.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"
/// BT.601.
public let AVVideoYCbCrMatrix_ITU_R_601_4 = "ITU_R_601_4"
public let AVVideoYCbCrMatrix_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// BT.2020.
public let AVVideoYCbCrMatrix_ITU_R_2020 = "ITU_R_2020"
/// A dictionary with the encoder's settings; for ProRes only the frame rate.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// Frames per second; values such as 29.97 stand for the exact fraction. For ProRes it makes the track's frame rate
/// constant. For H.264 and HEVC it is only a hint, and frames keep their times.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
/// Average bits per second. Rejected for ProRes, where the profile determines it.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// From 0 to 1, for photos, and for H.264 and HEVC without a bit rate. Rejected for ProRes.
public let AVVideoQualityKey = "Quality"
/// The most frames from one key frame to the next. Rejected for ProRes, where every frame is a key frame.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// False to store frames in presentation order. Must be false for ProRes, which never reorders.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// A profile and level of H.264 or HEVC. Rejected for ProRes.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// Video is not scaled: no effect for H.264 and HEVC, rejected for ProRes.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// A dictionary that selects an encoder. Rejected: `AVAssetWriterInput.init(_:)` takes typed settings that select
/// one.
public let AVVideoEncoderSpecificationKey = "AVVideoEncoderSpecificationKey"
/// Must be true: color is never converted.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// Bits per sample in a ProRAW file.
public let AVVideoAppleProRAWBitDepthKey = "AVVideoAppleProRAWBitDepthKey"

// MARK: Audio

/// The codec: ``kAudioFormatLinearPCM``, ``kAudioFormatMPEG4AAC`` or ``kAudioFormatAppleLossless``.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The channel layout, as bytes: mono or stereo for compressed audio. Rejected for linear PCM, where typed settings
/// have it.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// 16, 24 or 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Must be false: samples are little-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Must be false: samples are integers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Must be false: samples are interleaved.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// Bits per second of AAC. Rejected for other codecs.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The quality of AAC without a bit rate. Rejected for other codecs, which are lossless.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"

// MARK: Pixel buffers

/// The pixel format: one of `kCVPixelFormatType_…`.
public let kCVPixelBufferPixelFormatTypeKey = "PixelFormatType"
/// Width in pixels.
public let kCVPixelBufferWidthKey = "Width"
/// Height in pixels.
public let kCVPixelBufferHeightKey = "Height"

// Requirements of other hardware on memory. No effect: all buffers here are in CPU memory.

/// Memory shared between processes. No effect.
public let kCVPixelBufferIOSurfacePropertiesKey = "IOSurfaceProperties"
/// The alignment of rows in bytes. No effect: rows are aligned as this package needs them.
public let kCVPixelBufferBytesPerRowAlignmentKey = "BytesPerRowAlignment"
/// Memory for Metal. No effect.
public let kCVPixelBufferMetalCompatibilityKey = "MetalCompatibility"
/// Memory for OpenGL. No effect.
public let kCVPixelBufferOpenGLCompatibilityKey = "OpenGLCompatibility"
/// Memory for OpenGL ES. No effect.
public let kCVPixelBufferOpenGLESCompatibilityKey = "OpenGLESCompatibility"
/// Memory for Core Graphics images. No effect.
public let kCVPixelBufferCGImageCompatibilityKey = "CGImageCompatibility"
/// Memory for Core Graphics contexts. No effect.
public let kCVPixelBufferCGBitmapContextCompatibilityKey = "CGBitmapContextCompatibility"

/// The code of an audio codec.
public typealias AudioFormatID = UInt32
/// Uncompressed audio: `lpcm`.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// AAC: `aac `.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Apple Lossless: `alac`.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// High-Efficiency AAC: `aach`. Rejected: not encoded here.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// High-Efficiency AAC, version 2. Rejected.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// MPEG layer 3: `.mp3`. Rejected: not encoded here.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Apple Positional Audio Codec: `apac`. Rejected: not encoded here.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
/// FLAC: `flac`. Rejected: not encoded here.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus: `opus`. Rejected: not encoded here.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// Bits per sample of Apple Lossless, 16 or 24. Rejected for other codecs.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// Bits per second and channel of AAC. Rejected for other codecs.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// How an encoder controls its bit rate. AAC supports only ``AVAudioBitRateStrategy_LongTermAverage``. Rejected for
/// other codecs.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// A constant bit rate. Rejected.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// A long-term average bit rate.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A bit rate within bounds. Rejected.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A variable bit rate. Rejected.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
/// The quality of sample rate conversion. Readers have one quality, and writers do not convert.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// Quality levels for ``AVEncoderAudioQualityKey``.
public enum AVAudioQuality: Int, Sendable, Hashable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}

// MARK: H.264 and HEVC

/// The most seconds from one key frame to the next. Rejected for ProRes, where every frame is a key frame.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// The entropy coding of H.264. Rejected for other codecs.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
public let AVVideoH264EntropyModeCABAC = "CABAC"
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
/// 8-bit HEVC, by VideoToolbox's name.
public let kVTProfileLevel_HEVC_Main_AutoLevel = "HEVC_Main_AutoLevel"
/// 10-bit HEVC, by VideoToolbox's name.
public let kVTProfileLevel_HEVC_Main10_AutoLevel = "HEVC_Main10_AutoLevel"
/// The average rate of frames that must not be dropped. Rejected.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"

/// The algorithm of sample rate conversion. Accepted by readers and `audioSettings`, which have one algorithm.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
