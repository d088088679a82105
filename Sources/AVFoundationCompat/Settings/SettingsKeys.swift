// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: Video

/// The codec: an `AVVideoCodecType`, or its four characters.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Pixels in a row.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Rows.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// The shape of a pixel: a dictionary of its two spacings.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// Relative width of a pixel.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
/// Relative height of a pixel.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The part of the picture that is meant to be seen: a dictionary of its size and offsets.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
public let AVVideoCleanApertureWidthKey = "CleanApertureWidth"
public let AVVideoCleanApertureHeightKey = "CleanApertureHeight"
/// How far its center lies right of the picture's.
public let AVVideoCleanApertureHorizontalOffsetKey = "CleanApertureHorizontalOffset"
/// How far its center lies below the picture's.
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
/// A dictionary of what the encoder is told; for ProRes the rate alone.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// Frames a second; 29.97 and its like mean the exact fraction. It makes a track of ProRes one of constant
/// rate; to H.264 and HEVC it is what to expect, and frames keep their times.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
/// Bits a second on average. ProRes has the rate of its profile: refused for it.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// From 0 to 1, for photos, and for H.264 and HEVC where no bit rate is set; refused for ProRes.
public let AVVideoQualityKey = "Quality"
/// Frames from one key frame to the next at most. Every ProRes frame is one: refused for it.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// False for frames in the order of their times. ProRes has no other: refused for it unless false.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"
/// A profile and level of H.264 or HEVC; refused for ProRes.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// Pictures are not scaled: without effect for H.264 and HEVC, refused for ProRes.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// A way of scaling.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
/// A way of scaling.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// A way of scaling.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// A way of scaling.
public let AVVideoScalingModeFit = "AVVideoScalingModeFit"
/// A dictionary for the choice of an encoder: refused; `AVAssetWriterInput.init(_:)` takes typed
/// settings that choose one.
public let AVVideoEncoderSpecificationKey = "AVVideoEncoderSpecificationKey"
/// Color is never changed: refused unless true.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColorKey"
/// Bits of a sample in a ProRAW file.
public let AVVideoAppleProRAWBitDepthKey = "AVVideoAppleProRAWBitDepthKey"

// MARK: Audio

/// The codec: ``kAudioFormatLinearPCM``, ``kAudioFormatMPEG4AAC`` or ``kAudioFormatAppleLossless``.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames a second.
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// What the channels are for, as bytes: mono or stereo of compressed audio; refused for linear PCM, of
/// which typed settings have it.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// 16, 24 or 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Samples are little-endian: refused unless false.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Samples are whole numbers: refused unless false.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Samples are interleaved: refused unless false.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// Bits a second of AAC; refused for other audio, which has the rate that it needs.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// How good AAC is where no rate is set; refused for other audio, which is as good as it came.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"

// MARK: Pixel buffers

/// The layout: one of `kCVPixelFormatType_…`.
public let kCVPixelBufferPixelFormatTypeKey = "PixelFormatType"
/// Pixels in a row.
public let kCVPixelBufferWidthKey = "Width"
/// Rows.
public let kCVPixelBufferHeightKey = "Height"

// What other hardware would need of pictures' memory, which is all alike here. They change nothing.

/// Memory that programs share. Changes nothing.
public let kCVPixelBufferIOSurfacePropertiesKey = "IOSurfaceProperties"
/// Bytes that rows begin at multiples of. Changes nothing: rows are as this package's own code wants them.
public let kCVPixelBufferBytesPerRowAlignmentKey = "BytesPerRowAlignment"
/// Memory that Metal reads. Changes nothing.
public let kCVPixelBufferMetalCompatibilityKey = "MetalCompatibility"
/// Memory that OpenGL reads. Changes nothing.
public let kCVPixelBufferOpenGLCompatibilityKey = "OpenGLCompatibility"
/// Memory that OpenGL ES reads. Changes nothing.
public let kCVPixelBufferOpenGLESCompatibilityKey = "OpenGLESCompatibility"
/// Memory that pictures of Core Graphics use. Changes nothing.
public let kCVPixelBufferCGImageCompatibilityKey = "CGImageCompatibility"
/// Memory that Core Graphics draws into. Changes nothing.
public let kCVPixelBufferCGBitmapContextCompatibilityKey = "CGBitmapContextCompatibility"

/// A codec of audio.
public typealias AudioFormatID = UInt32
/// Uncompressed audio: `lpcm`.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// AAC: `aac `.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Apple Lossless: `alac`.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// AAC of high efficiency: `aach`. Not written here; settings with it are refused.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// AAC for very low bit rates. Refused.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// MPEG Layer 3: `.mp3`. Not written here; settings with it are refused.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Apple's positional audio: `apac`. Not written here; settings with it are refused.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
/// FLAC: `flac`. Not written here; settings with it are refused.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus: `opus`. Not written here; settings with it are refused.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// Bits of a sample of Apple Lossless, 16 or 24; refused for other audio.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// Bits a second of each channel of AAC; refused for other audio.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// How an encoder keeps to its rate: AAC on average alone, ``AVAudioBitRateStrategy_LongTermAverage``; refused
/// elsewhere.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The same rate all the time: refused.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// A rate on average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A rate within bounds: refused.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A rate as the audio needs it: refused.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
/// How the rate of samples is changed: there is one way, and writers have none.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// From least to best, for ``AVEncoderAudioQualityKey``.
public enum AVAudioQuality: Int, Sendable, Hashable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}

// MARK: H.264 and HEVC

/// Seconds from one key frame to the next at most. Every ProRes frame is one: refused for it.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// How H.264 codes its numbers; refused for other codecs.
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
/// HEVC of 8 bits, by VideoToolbox's name.
public let kVTProfileLevel_HEVC_Main_AutoLevel = "HEVC_Main_AutoLevel"
/// HEVC of 10 bits, by VideoToolbox's name.
public let kVTProfileLevel_HEVC_Main10_AutoLevel = "HEVC_Main10_AutoLevel"
/// Frames a second on average that may not be dropped: refused.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"

/// How another rate is made; taken by readers and `audioSettings`, where there is one way.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
