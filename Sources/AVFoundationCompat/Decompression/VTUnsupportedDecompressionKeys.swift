// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Properties that sessions have on a Mac and here have not: to set one is `kVTPropertyNotSupportedErr`.

/// Whether pictures need others: not arranged here.
public let kVTDecompressionPropertyKey_ContentHasInterframeDependencies =
  "ContentHasInterframeDependencies"
/// How fields become pictures: not arranged here.
public let kVTDecompressionPropertyKey_DeinterlaceMode = "DeinterlaceMode"
/// What becomes of fields: not arranged here.
public let kVTDecompressionPropertyKey_FieldMode = "FieldMode"
/// Whether HDR's metadata are made for each picture: not arranged here.
public let kVTDecompressionPropertyKey_GeneratePerFrameHDRDisplayMetadata =
  "GeneratePerFrameHDRDisplayMetadata"
/// The latest time of pictures in the decoder: not arranged here.
public let kVTDecompressionPropertyKey_MaxOutputPresentationTimeStampOfFramesBeingDecoded =
  "MaxOutputPresentationTimeStampOfFramesBeingDecoded"
/// The earliest time of pictures in the decoder: not arranged here.
public let kVTDecompressionPropertyKey_MinOutputPresentationTimeStampOfFramesBeingDecoded =
  "MinOutputPresentationTimeStampOfFramesBeingDecoded"
/// Whether power matters more than speed: not arranged here.
public let kVTDecompressionPropertyKey_MaximizePowerEfficiency = "MaximizePowerEfficiency"
/// Whether only some pictures are decoded: not arranged here.
public let kVTDecompressionPropertyKey_OnlyTheseFrames = "OnlyTheseFrames"
/// Buffers of the session's pool at least: not arranged here.
public let kVTDecompressionPropertyKey_OutputPoolRequestedMinimumBufferCount =
  "OutputPoolRequestedMinimumBufferCount"
/// The session's pool: not arranged here.
public let kVTDecompressionPropertyKey_PixelBufferPool = "PixelBufferPool"
/// Whether the session's pool is the decoder's own: not arranged here.
public let kVTDecompressionPropertyKey_PixelBufferPoolIsShared = "PixelBufferPoolIsShared"
/// Layouts of smaller pictures: not arranged here.
public let kVTDecompressionPropertyKey_PixelFormatsWithReducedResolutionSupport =
  "PixelFormatsWithReducedResolutionSupport"
/// How pictures are scaled after: not arranged here.
public let kVTDecompressionPropertyKey_PixelTransferProperties = "PixelTransferProperties"
/// Whether HDR's metadata of each picture are handed on: not arranged here.
public let kVTDecompressionPropertyKey_PropagatePerFrameHDRDisplayMetadata =
  "PropagatePerFrameHDRDisplayMetadata"
/// How many coefficients are decoded: not arranged here.
public let kVTDecompressionPropertyKey_ReducedCoefficientDecode = "ReducedCoefficientDecode"
/// What share of the pictures comes out: not arranged here.
public let kVTDecompressionPropertyKey_ReducedFrameDelivery = "ReducedFrameDelivery"
/// The size of smaller pictures: not arranged here.
public let kVTDecompressionPropertyKey_ReducedResolutionDecode = "ReducedResolutionDecode"
/// The layers to decode: not arranged here.
public let kVTDecompressionPropertyKey_RequestedMVHEVCVideoLayerIDs = "RequestedMVHEVCVideoLayerIDs"
/// Ways to decode faster: not arranged here.
public let kVTDecompressionPropertyKey_SuggestedQualityOfServiceTiers =
  "SuggestedQualityOfServiceTiers"
/// Layouts, the fastest first: not arranged here.
public let kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByPerformance =
  "SupportedPixelFormatsOrderedByPerformance"
/// Layouts, the best first: not arranged here.
public let kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByQuality =
  "SupportedPixelFormatsOrderedByQuality"
/// Threads of the decoder: not arranged here.
public let kVTDecompressionPropertyKey_ThreadCount = "ThreadCount"
/// The GPU in use: not arranged here.
public let kVTDecompressionPropertyKey_UsingGPURegistryID = "UsingGPURegistryID"
/// Each picture by itself: not arranged here.
public let kVTDecompressionProperty_DeinterlaceMode_VerticalFilter = "VerticalFilter"
/// By earlier and later pictures: not arranged here.
public let kVTDecompressionProperty_DeinterlaceMode_Temporal = "Temporal"
/// Both as they are: not arranged here.
public let kVTDecompressionProperty_FieldMode_BothFields = "BothFields"
/// The upper one: not arranged here.
public let kVTDecompressionProperty_FieldMode_TopFieldOnly = "TopFieldOnly"
/// The lower one: not arranged here.
public let kVTDecompressionProperty_FieldMode_BottomFieldOnly = "BottomFieldOnly"
/// One of them: not arranged here.
public let kVTDecompressionProperty_FieldMode_SingleField = "SingleField"
/// Made into one picture: not arranged here.
public let kVTDecompressionProperty_FieldMode_DeinterlaceFields = "DeinterlaceFields"
/// All pictures: not arranged here.
public let kVTDecompressionProperty_OnlyTheseFrames_AllFrames = "AllFrames"
/// Those that others need: not arranged here.
public let kVTDecompressionProperty_OnlyTheseFrames_NonDroppableFrames = "NonDroppableFrames"
/// Those of no others: not arranged here.
public let kVTDecompressionProperty_OnlyTheseFrames_IFrames = "IFrames"
/// Those at which decoding can begin: not arranged here.
public let kVTDecompressionProperty_OnlyTheseFrames_KeyFrames = "KeyFrames"
/// The highest layer to decode: not arranged here.
public let kVTDecompressionProperty_TemporalLevelLimit = "TemporalLevelLimit"
/// The width of smaller pictures: not arranged here.
public let kVTDecompressionResolutionKey_Width = "Width"
/// The height of smaller pictures: not arranged here.
public let kVTDecompressionResolutionKey_Height = "Height"
/// The GPU that has to be used: not arranged here.
public let kVTVideoDecoderSpecification_RequiredDecoderGPURegistryID =
  "RequiredDecoderGPURegistryID"
/// The GPU that should be used: not arranged here.
public let kVTVideoDecoderSpecification_PreferredDecoderGPURegistryID =
  "PreferredDecoderGPURegistryID"
