// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Names of what a description or a picture of Apple's can say of alpha, samples and two eyes: to look for. None here says
// it.

/// True if the pictures have alpha. No description has it.
public let kCMFormatDescriptionExtension_ContainsAlphaChannel = "ContainsAlphaChannel"
/// How colors relate to alpha: one of `kCVImageBufferAlphaChannelMode_…`. No description has it.
public let kCMFormatDescriptionExtension_AlphaChannelMode = kCVImageBufferAlphaChannelModeKey
/// Bits of a sample. No description has it.
public let kCMFormatDescriptionExtension_BitsPerComponent = "BitsPerComponent"
/// The field of view of pictures for two eyes, in thousandths of a degree. No description has it.
public let kCMFormatDescriptionExtension_HorizontalFieldOfView = "HorizontalFieldOfView"
/// How far apart two lenses are, in micrometers. No description has it.
public let kCMFormatDescriptionExtension_StereoCameraBaseline = "StereoCameraBaseline"
/// The shift of two eyes' pictures, in ten-thousandths of the width. No description has it.
public let kCMFormatDescriptionExtension_HorizontalDisparityAdjustment =
  "HorizontalDisparityAdjustment"
/// True if there is a picture for the left eye. No description has it.
public let kCMFormatDescriptionExtension_HasLeftStereoEyeView = "HasLeftStereoEyeView"
/// True if there is a picture for the right eye. No description has it.
public let kCMFormatDescriptionExtension_HasRightStereoEyeView = "HasRightStereoEyeView"
/// The eye whose picture stands for both. No description has it.
public let kCMFormatDescriptionExtension_HeroEye = "HeroEye"

/// How colors relate to alpha. No pixel buffer has it.
public let kCVImageBufferAlphaChannelModeKey = "AlphaChannelMode"
/// They are what they are.
public let kCVImageBufferAlphaChannelMode_StraightAlpha = "StraightAlpha"
/// They are multiplied by alpha.
public let kCVImageBufferAlphaChannelMode_PremultipliedAlpha = "PremultipliedAlpha"
/// True if a layout has alpha, among what is known of one. No description has it.
public let kCVPixelFormatContainsAlpha = "ContainsAlpha"
/// That of BT.2020, which is BT.709's.
public let kCVImageBufferTransferFunction_ITU_R_2020 = "ITU_R_2020"
