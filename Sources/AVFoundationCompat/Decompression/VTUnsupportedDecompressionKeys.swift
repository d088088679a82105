// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Properties that sessions have on a Mac but not here: setting one returns `kVTPropertyNotSupportedErr`.

/// Whether frames depend on other frames: not supported.
public let kVTDecompressionPropertyKey_ContentHasInterframeDependencies =
  "ContentHasInterframeDependencies"
/// The deinterlacing method: not supported.
public let kVTDecompressionPropertyKey_DeinterlaceMode = "DeinterlaceMode"
/// How fields are handled: not supported.
public let kVTDecompressionPropertyKey_FieldMode = "FieldMode"
/// Whether HDR display metadata is generated per frame: not supported.
public let kVTDecompressionPropertyKey_GeneratePerFrameHDRDisplayMetadata =
  "GeneratePerFrameHDRDisplayMetadata"
/// The latest time of frames in the decoder: not supported.
public let kVTDecompressionPropertyKey_MaxOutputPresentationTimeStampOfFramesBeingDecoded =
  "MaxOutputPresentationTimeStampOfFramesBeingDecoded"
/// The earliest time of frames in the decoder: not supported.
public let kVTDecompressionPropertyKey_MinOutputPresentationTimeStampOfFramesBeingDecoded =
  "MinOutputPresentationTimeStampOfFramesBeingDecoded"
/// Whether power matters more than speed: not supported.
public let kVTDecompressionPropertyKey_MaximizePowerEfficiency = "MaximizePowerEfficiency"
/// Whether only some frames are decoded: not supported.
public let kVTDecompressionPropertyKey_OnlyTheseFrames = "OnlyTheseFrames"
/// The minimum number of buffers in the session's pool: not supported.
public let kVTDecompressionPropertyKey_OutputPoolRequestedMinimumBufferCount =
  "OutputPoolRequestedMinimumBufferCount"
/// The session's pool: not supported.
public let kVTDecompressionPropertyKey_PixelBufferPool = "PixelBufferPool"
/// Whether the session's pool is the decoder's own: not supported.
public let kVTDecompressionPropertyKey_PixelBufferPoolIsShared = "PixelBufferPoolIsShared"
/// Pixel formats that support reduced resolution: not supported.
public let kVTDecompressionPropertyKey_PixelFormatsWithReducedResolutionSupport =
  "PixelFormatsWithReducedResolutionSupport"
/// How frames are converted after decoding: not supported.
public let kVTDecompressionPropertyKey_PixelTransferProperties = "PixelTransferProperties"
/// Whether per-frame HDR metadata is passed on: not supported.
public let kVTDecompressionPropertyKey_PropagatePerFrameHDRDisplayMetadata =
  "PropagatePerFrameHDRDisplayMetadata"
/// How many coefficients are decoded: not supported.
public let kVTDecompressionPropertyKey_ReducedCoefficientDecode = "ReducedCoefficientDecode"
/// The share of frames to deliver: not supported.
public let kVTDecompressionPropertyKey_ReducedFrameDelivery = "ReducedFrameDelivery"
/// The reduced frame size: not supported.
public let kVTDecompressionPropertyKey_ReducedResolutionDecode = "ReducedResolutionDecode"
/// The layers to decode: not supported.
public let kVTDecompressionPropertyKey_RequestedMVHEVCVideoLayerIDs = "RequestedMVHEVCVideoLayerIDs"
/// Suggested quality of service tiers: not supported.
public let kVTDecompressionPropertyKey_SuggestedQualityOfServiceTiers =
  "SuggestedQualityOfServiceTiers"
/// Pixel formats, the fastest first: not supported.
public let kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByPerformance =
  "SupportedPixelFormatsOrderedByPerformance"
/// Pixel formats, the best first: not supported.
public let kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByQuality =
  "SupportedPixelFormatsOrderedByQuality"
/// The number of decoder threads: not supported.
public let kVTDecompressionPropertyKey_ThreadCount = "ThreadCount"
/// The GPU in use: not supported.
public let kVTDecompressionPropertyKey_UsingGPURegistryID = "UsingGPURegistryID"
/// Deinterlace each frame by itself: not supported.
public let kVTDecompressionProperty_DeinterlaceMode_VerticalFilter = "VerticalFilter"
/// Deinterlace with earlier and later frames: not supported.
public let kVTDecompressionProperty_DeinterlaceMode_Temporal = "Temporal"
/// Both fields, unchanged: not supported.
public let kVTDecompressionProperty_FieldMode_BothFields = "BothFields"
/// Only the top field: not supported.
public let kVTDecompressionProperty_FieldMode_TopFieldOnly = "TopFieldOnly"
/// Only the bottom field: not supported.
public let kVTDecompressionProperty_FieldMode_BottomFieldOnly = "BottomFieldOnly"
/// A single field: not supported.
public let kVTDecompressionProperty_FieldMode_SingleField = "SingleField"
/// Fields deinterlaced into one frame: not supported.
public let kVTDecompressionProperty_FieldMode_DeinterlaceFields = "DeinterlaceFields"
/// All frames: not supported.
public let kVTDecompressionProperty_OnlyTheseFrames_AllFrames = "AllFrames"
/// Only frames that others depend on: not supported.
public let kVTDecompressionProperty_OnlyTheseFrames_NonDroppableFrames = "NonDroppableFrames"
/// Only I-frames: not supported.
public let kVTDecompressionProperty_OnlyTheseFrames_IFrames = "IFrames"
/// Only key frames: not supported.
public let kVTDecompressionProperty_OnlyTheseFrames_KeyFrames = "KeyFrames"
/// The highest layer to decode: not supported.
public let kVTDecompressionProperty_TemporalLevelLimit = "TemporalLevelLimit"
/// The width of reduced frames: not supported.
public let kVTDecompressionResolutionKey_Width = "Width"
/// The height of reduced frames: not supported.
public let kVTDecompressionResolutionKey_Height = "Height"
/// The GPU that must be used: not supported.
public let kVTVideoDecoderSpecification_RequiredDecoderGPURegistryID =
  "RequiredDecoderGPURegistryID"
/// The GPU that should be used: not supported.
public let kVTVideoDecoderSpecification_PreferredDecoderGPURegistryID =
  "PreferredDecoderGPURegistryID"
