// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's keys for alpha, bit depth and stereo video, for lookups. No description or buffer here has them.

/// True if frames have alpha. No description has it.
public let kCMFormatDescriptionExtension_ContainsAlphaChannel = "ContainsAlphaChannel"
/// The alpha mode: one of `kCVImageBufferAlphaChannelMode_…`. No description has it.
public let kCMFormatDescriptionExtension_AlphaChannelMode = kCVImageBufferAlphaChannelModeKey
/// Bits per component. No description has it.
public let kCMFormatDescriptionExtension_BitsPerComponent = "BitsPerComponent"
/// The horizontal field of view of stereo video, in thousandths of a degree. No description has it.
public let kCMFormatDescriptionExtension_HorizontalFieldOfView = "HorizontalFieldOfView"
/// The distance between both lenses, in micrometres. No description has it.
public let kCMFormatDescriptionExtension_StereoCameraBaseline = "StereoCameraBaseline"
/// The disparity shift, in ten-thousandths of the width. No description has it.
public let kCMFormatDescriptionExtension_HorizontalDisparityAdjustment =
  "HorizontalDisparityAdjustment"
/// True if there is a view for the left eye. No description has it.
public let kCMFormatDescriptionExtension_HasLeftStereoEyeView = "HasLeftStereoEyeView"
/// True if there is a view for the right eye. No description has it.
public let kCMFormatDescriptionExtension_HasRightStereoEyeView = "HasRightStereoEyeView"
/// The eye whose view is used for 2D. No description has it.
public let kCMFormatDescriptionExtension_HeroEye = "HeroEye"

/// The alpha mode. No pixel buffer has it.
public let kCVImageBufferAlphaChannelModeKey = "AlphaChannelMode"
/// Colors are not multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_StraightAlpha = "StraightAlpha"
/// Colors are multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_PremultipliedAlpha = "PremultipliedAlpha"
/// True if a pixel format has alpha. No description has it.
public let kCVPixelFormatContainsAlpha = "ContainsAlpha"
/// The transfer function of BT.2020, which is that of BT.709.
public let kCVImageBufferTransferFunction_ITU_R_2020 = "ITU_R_2020"
