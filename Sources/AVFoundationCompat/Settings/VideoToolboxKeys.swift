// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Video Toolbox's names of what `AVVideoCompressionPropertiesKey` holds. A profile that is not made here is refused by
// its name.

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

/// The same as `AVVideoAverageBitRateKey`.
public let kVTCompressionPropertyKey_AverageBitRate = AVVideoAverageBitRateKey
/// The same as `AVVideoProfileLevelKey`.
public let kVTCompressionPropertyKey_ProfileLevel = AVVideoProfileLevelKey
/// The same as `AVVideoQualityKey`.
public let kVTCompressionPropertyKey_Quality = AVVideoQualityKey
/// The same as `AVVideoMaxKeyFrameIntervalKey`.
public let kVTCompressionPropertyKey_MaxKeyFrameInterval = AVVideoMaxKeyFrameIntervalKey
/// The same as `AVVideoMaxKeyFrameIntervalDurationKey`.
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration =
  AVVideoMaxKeyFrameIntervalDurationKey
/// The same as `AVVideoAllowFrameReorderingKey`.
public let kVTCompressionPropertyKey_AllowFrameReordering = AVVideoAllowFrameReorderingKey
/// The same as `AVVideoH264EntropyModeKey`.
public let kVTCompressionPropertyKey_H264EntropyMode = AVVideoH264EntropyModeKey
/// The same as `AVVideoH264EntropyModeCABAC`.
public let kVTH264EntropyMode_CABAC = AVVideoH264EntropyModeCABAC
/// The same as `AVVideoH264EntropyModeCAVLC`.
public let kVTH264EntropyMode_CAVLC = AVVideoH264EntropyModeCAVLC
/// The same as `AVVideoExpectedSourceFrameRateKey`.
public let kVTCompressionPropertyKey_ExpectedFrameRate = AVVideoExpectedSourceFrameRateKey
/// True for a source that cannot wait. Taken, and changes nothing: an input's `expectsMediaDataInRealTime` says so.
public let kVTCompressionPropertyKey_RealTime = "RealTime"
/// Whether what is known of a mastering display is written. Taken of H.264 and HEVC, and changes nothing: pictures that
/// are handed over say nothing of one.
public let kVTCompressionPropertyKey_HDRMetadataInsertionMode = "HDRMetadataInsertionMode"
/// Nothing is written.
public let kVTHDRMetadataInsertionMode_None = "None"
/// What the pictures' color asks for is written.
public let kVTHDRMetadataInsertionMode_Auto = "Auto"
