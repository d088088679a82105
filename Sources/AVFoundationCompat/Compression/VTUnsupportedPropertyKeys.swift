// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Properties that sessions have on a Mac and here have not: to set one is `kVTPropertyNotSupportedErr`.

/// Whether key frames may be followed by pictures that need earlier ones: not arranged here.
public let kVTCompressionPropertyKey_AllowOpenGOP = "AllowOpenGOP"
/// Whether color is multiplied by alpha: not arranged here.
public let kVTCompressionPropertyKey_AlphaChannelMode = "AlphaChannelMode"
/// Whether a DV picture is wide: not arranged here.
public let kVTCompressionPropertyKey_AspectRatio16x9 = "AspectRatio16x9"
/// The base layer's share of the bits: not arranged here.
public let kVTCompressionPropertyKey_BaseLayerBitRateFraction = "BaseLayerBitRateFraction"
/// The base layer's pictures in a second: not arranged here.
public let kVTCompressionPropertyKey_BaseLayerFrameRate = "BaseLayerFrameRate"
/// The base layer's share of the pictures: not arranged here.
public let kVTCompressionPropertyKey_BaseLayerFrameRateFraction = "BaseLayerFrameRateFraction"
/// The part that is shown: not arranged here.
public let kVTCompressionPropertyKey_CleanAperture = "CleanAperture"
/// The brightest and the average light of HDR, as its bytes: not arranged here.
public let kVTCompressionPropertyKey_ContentLightLevelInfo = "ContentLightLevelInfo"
/// Bits of a pixel: not arranged here.
public let kVTCompressionPropertyKey_Depth = "Depth"
/// Whether old pictures are kept to be referred to: not arranged here.
public let kVTCompressionPropertyKey_EnableLTR = "EnableLTR"
/// Bytes of a picture, as they are expected: not arranged here.
public let kVTCompressionPropertyKey_EstimatedAverageBytesPerFrame = "EstimatedAverageBytesPerFrame"
/// Seconds of all pictures: not arranged here.
public let kVTCompressionPropertyKey_ExpectedDuration = "ExpectedDuration"
/// 1 for progressive pictures, 2 for interlaced ones: not arranged here.
public let kVTCompressionPropertyKey_FieldCount = "FieldCount"
/// The order of two fields: not arranged here.
public let kVTCompressionPropertyKey_FieldDetail = "FieldDetail"
/// The gamma of the pictures: not arranged here.
public let kVTCompressionPropertyKey_GammaLevel = "GammaLevel"
/// Whether there is a left eye's view: not arranged here.
public let kVTCompressionPropertyKey_HasLeftStereoEyeView = "HasLeftStereoEyeView"
/// Whether there is a right eye's view: not arranged here.
public let kVTCompressionPropertyKey_HasRightStereoEyeView = "HasRightStereoEyeView"
/// The eye that a flat picture is taken from: not arranged here.
public let kVTCompressionPropertyKey_HeroEye = "HeroEye"
/// How far the eyes' views are moved apart: not arranged here.
public let kVTCompressionPropertyKey_HorizontalDisparityAdjustment = "HorizontalDisparityAdjustment"
/// The color of the pictures, as an ICC profile: not arranged here.
public let kVTCompressionPropertyKey_ICCProfile = "ICCProfile"
/// The numbers of the eyes' views: not arranged here.
public let kVTCompressionPropertyKey_MVHEVCLeftAndRightViewIDs = "MVHEVCLeftAndRightViewIDs"
/// The numbers of the layers: not arranged here.
public let kVTCompressionPropertyKey_MVHEVCVideoLayerIDs = "MVHEVCVideoLayerIDs"
/// The numbers of the views: not arranged here.
public let kVTCompressionPropertyKey_MVHEVCViewIDs = "MVHEVCViewIDs"
/// The display on which HDR was graded, as its bytes: not arranged here.
public let kVTCompressionPropertyKey_MasteringDisplayColorVolume = "MasteringDisplayColorVolume"
/// The coarsest quantization of a picture: not arranged here.
public let kVTCompressionPropertyKey_MaxAllowedFrameQP = "MaxAllowedFrameQP"
/// Bytes of a slice at most: not arranged here.
public let kVTCompressionPropertyKey_MaxH264SliceBytes = "MaxH264SliceBytes"
/// Whether power matters more than speed: not arranged here.
public let kVTCompressionPropertyKey_MaximizePowerEfficiency = "MaximizePowerEfficiency"
/// The finest quantization of a picture: not arranged here.
public let kVTCompressionPropertyKey_MinAllowedFrameQP = "MinAllowedFrameQP"
/// Whether another session goes on after the last picture: not arranged here.
public let kVTCompressionPropertyKey_MoreFramesAfterEnd = "MoreFramesAfterEnd"
/// Whether another session ended before the first picture: not arranged here.
public let kVTCompressionPropertyKey_MoreFramesBeforeStart = "MoreFramesBeforeStart"
/// The file of several passes: not arranged here.
public let kVTCompressionPropertyKey_MultiPassStorage = "MultiPassStorage"
/// Bits of a component: not arranged here.
public let kVTCompressionPropertyKey_OutputBitDepth = "OutputBitDepth"
/// Whether the session's pool is the encoder's own: not arranged here.
public let kVTCompressionPropertyKey_PixelBufferPoolIsShared = "PixelBufferPoolIsShared"
/// How pictures are scaled before: not arranged here.
public let kVTCompressionPropertyKey_PixelTransferProperties = "PixelTransferProperties"
/// Whether alpha is compressed: not arranged here.
public let kVTCompressionPropertyKey_PreserveAlphaChannel = "PreserveAlphaChannel"
/// Whether HDR's metadata of each picture is kept: not arranged here.
public let kVTCompressionPropertyKey_PreserveDynamicHDRMetadata = "PreserveDynamicHDRMetadata"
/// Whether speed matters more than quality: not arranged here.
public let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality =
  "PrioritizeEncodingSpeedOverQuality"
/// Whether a DV picture is progressive: not arranged here.
public let kVTCompressionPropertyKey_ProgressiveScan = "ProgressiveScan"
/// Pictures that may be referred to: not arranged here.
public let kVTCompressionPropertyKey_ReferenceBufferCount = "ReferenceBufferCount"
/// The number of all pictures: not arranged here.
public let kVTCompressionPropertyKey_SourceFrameCount = "SourceFrameCount"
/// Micrometers between two lenses: not arranged here.
public let kVTCompressionPropertyKey_StereoCameraBaseline = "StereoCameraBaseline"
/// Pictures to look ahead: not arranged here.
public let kVTCompressionPropertyKey_SuggestedLookAheadFrameCount = "SuggestedLookAheadFrameCount"
/// How much quantization follows the picture: not arranged here.
public let kVTCompressionPropertyKey_SpatialAdaptiveQPLevel = "SpatialAdaptiveQPLevel"
/// Whether quantization can be set for a picture: not arranged here.
public let kVTCompressionPropertyKey_SupportsBaseFrameQP = "SupportsBaseFrameQP"
/// The quality of alpha, from 0 to 1: not arranged here.
public let kVTCompressionPropertyKey_TargetQualityForAlpha = "TargetQualityForAlpha"
/// What pictures the encoder takes: not arranged here.
public let kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes =
  "VideoEncoderPixelBufferAttributes"
/// Whether the error of pictures is measured: not arranged here.
public let kVTCompressionPropertyKey_CalculateMeanSquaredError = "CalculateMeanSquaredError"
/// The GPU in use: not arranged here.
public let kVTCompressionPropertyKey_UsingGPURegistryID = "UsingGPURegistryID"
/// The GPU that has to be used: there is none.
public let kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID =
  "RequiredEncoderGPURegistryID"
/// The GPU that should be used: there is none.
public let kVTVideoEncoderSpecification_PreferredEncoderGPURegistryID =
  "PreferredEncoderGPURegistryID"
