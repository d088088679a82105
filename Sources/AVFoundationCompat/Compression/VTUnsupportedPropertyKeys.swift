// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Properties that sessions have on a Mac but not here: setting one returns `kVTPropertyNotSupportedErr`.

/// Whether open GOPs are allowed: not supported.
public let kVTCompressionPropertyKey_AllowOpenGOP = "AllowOpenGOP"
/// Whether color is multiplied by alpha: not supported.
public let kVTCompressionPropertyKey_AlphaChannelMode = "AlphaChannelMode"
/// Whether a DV frame is 16:9: not supported.
public let kVTCompressionPropertyKey_AspectRatio16x9 = "AspectRatio16x9"
/// The base layer's share of the bits: not supported.
public let kVTCompressionPropertyKey_BaseLayerBitRateFraction = "BaseLayerBitRateFraction"
/// The base layer's frames per second: not supported.
public let kVTCompressionPropertyKey_BaseLayerFrameRate = "BaseLayerFrameRate"
/// The base layer's share of the frames: not supported.
public let kVTCompressionPropertyKey_BaseLayerFrameRateFraction = "BaseLayerFrameRateFraction"
/// The clean aperture: not supported.
public let kVTCompressionPropertyKey_CleanAperture = "CleanAperture"
/// The HDR content light level, as bytes: not supported.
public let kVTCompressionPropertyKey_ContentLightLevelInfo = "ContentLightLevelInfo"
/// Bits per pixel: not supported.
public let kVTCompressionPropertyKey_Depth = "Depth"
/// Whether long-term reference frames are enabled: not supported.
public let kVTCompressionPropertyKey_EnableLTR = "EnableLTR"
/// The expected average number of bytes per frame: not supported.
public let kVTCompressionPropertyKey_EstimatedAverageBytesPerFrame = "EstimatedAverageBytesPerFrame"
/// The expected total duration in seconds: not supported.
public let kVTCompressionPropertyKey_ExpectedDuration = "ExpectedDuration"
/// 1 for progressive frames, 2 for interlaced ones: not supported.
public let kVTCompressionPropertyKey_FieldCount = "FieldCount"
/// The order of two fields: not supported.
public let kVTCompressionPropertyKey_FieldDetail = "FieldDetail"
/// The gamma of the frames: not supported.
public let kVTCompressionPropertyKey_GammaLevel = "GammaLevel"
/// Whether there is a left eye's view: not supported.
public let kVTCompressionPropertyKey_HasLeftStereoEyeView = "HasLeftStereoEyeView"
/// Whether there is a right eye's view: not supported.
public let kVTCompressionPropertyKey_HasRightStereoEyeView = "HasRightStereoEyeView"
/// The eye used for 2D playback: not supported.
public let kVTCompressionPropertyKey_HeroEye = "HeroEye"
/// The horizontal disparity between the eyes: not supported.
public let kVTCompressionPropertyKey_HorizontalDisparityAdjustment = "HorizontalDisparityAdjustment"
/// The color of the frames, as an ICC profile: not supported.
public let kVTCompressionPropertyKey_ICCProfile = "ICCProfile"
/// The view IDs of the eyes: not supported.
public let kVTCompressionPropertyKey_MVHEVCLeftAndRightViewIDs = "MVHEVCLeftAndRightViewIDs"
/// The layer IDs: not supported.
public let kVTCompressionPropertyKey_MVHEVCVideoLayerIDs = "MVHEVCVideoLayerIDs"
/// The view IDs of the views: not supported.
public let kVTCompressionPropertyKey_MVHEVCViewIDs = "MVHEVCViewIDs"
/// The HDR mastering display color volume, as bytes: not supported.
public let kVTCompressionPropertyKey_MasteringDisplayColorVolume = "MasteringDisplayColorVolume"
/// The maximum quantization parameter of a frame: not supported.
public let kVTCompressionPropertyKey_MaxAllowedFrameQP = "MaxAllowedFrameQP"
/// The maximum number of bytes per slice: not supported.
public let kVTCompressionPropertyKey_MaxH264SliceBytes = "MaxH264SliceBytes"
/// Whether power matters more than speed: not supported.
public let kVTCompressionPropertyKey_MaximizePowerEfficiency = "MaximizePowerEfficiency"
/// The minimum quantization parameter of a frame: not supported.
public let kVTCompressionPropertyKey_MinAllowedFrameQP = "MinAllowedFrameQP"
/// Whether another session continues after the last frame: not supported.
public let kVTCompressionPropertyKey_MoreFramesAfterEnd = "MoreFramesAfterEnd"
/// Whether another session ended before the first frame: not supported.
public let kVTCompressionPropertyKey_MoreFramesBeforeStart = "MoreFramesBeforeStart"
/// The multi-pass storage: not supported.
public let kVTCompressionPropertyKey_MultiPassStorage = "MultiPassStorage"
/// Bits per component: not supported.
public let kVTCompressionPropertyKey_OutputBitDepth = "OutputBitDepth"
/// Whether the session's pool is the encoder's own: not supported.
public let kVTCompressionPropertyKey_PixelBufferPoolIsShared = "PixelBufferPoolIsShared"
/// How frames are converted before encoding: not supported.
public let kVTCompressionPropertyKey_PixelTransferProperties = "PixelTransferProperties"
/// Whether alpha is compressed: not supported.
public let kVTCompressionPropertyKey_PreserveAlphaChannel = "PreserveAlphaChannel"
/// Whether per-frame HDR metadata is kept: not supported.
public let kVTCompressionPropertyKey_PreserveDynamicHDRMetadata = "PreserveDynamicHDRMetadata"
/// Whether speed matters more than quality: not supported.
public let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality =
  "PrioritizeEncodingSpeedOverQuality"
/// Whether a DV frame is progressive: not supported.
public let kVTCompressionPropertyKey_ProgressiveScan = "ProgressiveScan"
/// The number of reference frames: not supported.
public let kVTCompressionPropertyKey_ReferenceBufferCount = "ReferenceBufferCount"
/// The total number of frames: not supported.
public let kVTCompressionPropertyKey_SourceFrameCount = "SourceFrameCount"
/// The distance between two lenses, in micrometers: not supported.
public let kVTCompressionPropertyKey_StereoCameraBaseline = "StereoCameraBaseline"
/// The number of look-ahead frames: not supported.
public let kVTCompressionPropertyKey_SuggestedLookAheadFrameCount = "SuggestedLookAheadFrameCount"
/// The strength of spatially adaptive quantization: not supported.
public let kVTCompressionPropertyKey_SpatialAdaptiveQPLevel = "SpatialAdaptiveQPLevel"
/// Whether quantization can be set per frame: not supported.
public let kVTCompressionPropertyKey_SupportsBaseFrameQP = "SupportsBaseFrameQP"
/// The quality of alpha, from 0 to 1: not supported.
public let kVTCompressionPropertyKey_TargetQualityForAlpha = "TargetQualityForAlpha"
/// The pixel buffer attributes that the encoder accepts: not supported.
public let kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes =
  "VideoEncoderPixelBufferAttributes"
/// Whether the mean squared error of frames is measured: not supported.
public let kVTCompressionPropertyKey_CalculateMeanSquaredError = "CalculateMeanSquaredError"
/// The GPU in use: not supported.
public let kVTCompressionPropertyKey_UsingGPURegistryID = "UsingGPURegistryID"
/// The GPU that must be used: there is none.
public let kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID =
  "RequiredEncoderGPURegistryID"
/// The GPU that should be used: there is none.
public let kVTVideoEncoderSpecification_PreferredEncoderGPURegistryID =
  "PreferredEncoderGPURegistryID"
