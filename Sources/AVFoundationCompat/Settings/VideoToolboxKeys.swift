// swift-format-ignore-file: AlwaysUseLowerCamelCase

// VideoToolbox's names for settings under `AVVideoCompressionPropertiesKey`. Unsupported profiles are rejected with
// an error that names them.

public let kVTProfileLevel_H264_Baseline_1_3 = "H264_Baseline_1_3"
public let kVTProfileLevel_H264_Baseline_3_0 = "H264_Baseline_3_0"
public let kVTProfileLevel_H264_Baseline_3_1 = "H264_Baseline_3_1"
public let kVTProfileLevel_H264_Baseline_3_2 = "H264_Baseline_3_2"
public let kVTProfileLevel_H264_Baseline_4_0 = "H264_Baseline_4_0"
public let kVTProfileLevel_H264_Baseline_4_1 = "H264_Baseline_4_1"
public let kVTProfileLevel_H264_Baseline_4_2 = "H264_Baseline_4_2"
public let kVTProfileLevel_H264_Baseline_5_0 = "H264_Baseline_5_0"
public let kVTProfileLevel_H264_Baseline_5_1 = "H264_Baseline_5_1"
public let kVTProfileLevel_H264_Baseline_5_2 = "H264_Baseline_5_2"
public let kVTProfileLevel_H264_Baseline_AutoLevel = "H264_Baseline_AutoLevel"
public let kVTProfileLevel_H264_Main_3_0 = "H264_Main_3_0"
public let kVTProfileLevel_H264_Main_3_1 = "H264_Main_3_1"
public let kVTProfileLevel_H264_Main_3_2 = "H264_Main_3_2"
public let kVTProfileLevel_H264_Main_4_0 = "H264_Main_4_0"
public let kVTProfileLevel_H264_Main_4_1 = "H264_Main_4_1"
public let kVTProfileLevel_H264_Main_4_2 = "H264_Main_4_2"
public let kVTProfileLevel_H264_Main_5_0 = "H264_Main_5_0"
public let kVTProfileLevel_H264_Main_5_1 = "H264_Main_5_1"
public let kVTProfileLevel_H264_Main_5_2 = "H264_Main_5_2"
public let kVTProfileLevel_H264_Main_AutoLevel = "H264_Main_AutoLevel"
public let kVTProfileLevel_H264_High_3_0 = "H264_High_3_0"
public let kVTProfileLevel_H264_High_3_1 = "H264_High_3_1"
public let kVTProfileLevel_H264_High_3_2 = "H264_High_3_2"
public let kVTProfileLevel_H264_High_4_0 = "H264_High_4_0"
public let kVTProfileLevel_H264_High_4_1 = "H264_High_4_1"
public let kVTProfileLevel_H264_High_4_2 = "H264_High_4_2"
public let kVTProfileLevel_H264_High_5_0 = "H264_High_5_0"
public let kVTProfileLevel_H264_High_5_1 = "H264_High_5_1"
public let kVTProfileLevel_H264_High_5_2 = "H264_High_5_2"
public let kVTProfileLevel_H264_High_AutoLevel = "H264_High_AutoLevel"
public let kVTProfileLevel_H264_Extended_5_0 = "H264_Extended_5_0"
public let kVTProfileLevel_H264_Extended_AutoLevel = "H264_Extended_AutoLevel"
public let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel = "H264_ConstrainedBaseline_AutoLevel"
public let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel = "H264_ConstrainedHigh_AutoLevel"
public let kVTProfileLevel_HEVC_Main42210_AutoLevel = "HEVC_Main42210_AutoLevel"

/// Same as `AVVideoAverageBitRateKey`.
public let kVTCompressionPropertyKey_AverageBitRate = AVVideoAverageBitRateKey
/// Same as `AVVideoProfileLevelKey`.
public let kVTCompressionPropertyKey_ProfileLevel = AVVideoProfileLevelKey
/// Same as `AVVideoQualityKey`.
public let kVTCompressionPropertyKey_Quality = AVVideoQualityKey
/// Same as `AVVideoMaxKeyFrameIntervalKey`.
public let kVTCompressionPropertyKey_MaxKeyFrameInterval = AVVideoMaxKeyFrameIntervalKey
/// Same as `AVVideoMaxKeyFrameIntervalDurationKey`.
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration =
  AVVideoMaxKeyFrameIntervalDurationKey
/// Same as `AVVideoAllowFrameReorderingKey`.
public let kVTCompressionPropertyKey_AllowFrameReordering = AVVideoAllowFrameReorderingKey
/// Same as `AVVideoH264EntropyModeKey`.
public let kVTCompressionPropertyKey_H264EntropyMode = AVVideoH264EntropyModeKey
/// Same as `AVVideoH264EntropyModeCABAC`.
public let kVTH264EntropyMode_CABAC = AVVideoH264EntropyModeCABAC
/// Same as `AVVideoH264EntropyModeCAVLC`.
public let kVTH264EntropyMode_CAVLC = AVVideoH264EntropyModeCAVLC
/// Same as `AVVideoExpectedSourceFrameRateKey`.
public let kVTCompressionPropertyKey_ExpectedFrameRate = AVVideoExpectedSourceFrameRateKey
/// True for real-time sources. Accepted without effect: set an input's `expectsMediaDataInRealTime` instead.
public let kVTCompressionPropertyKey_RealTime = "RealTime"
/// Whether HDR metadata is written. Accepted for H.264 and HEVC without effect: buffers have no mastering display
/// metadata.
public let kVTCompressionPropertyKey_HDRMetadataInsertionMode = "HDRMetadataInsertionMode"
/// No HDR metadata.
public let kVTHDRMetadataInsertionMode_None = "None"
/// HDR metadata as the color requires.
public let kVTHDRMetadataInsertionMode_Auto = "Auto"
