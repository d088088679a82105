// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing =
  kCVImageBufferPixelAspectRatioHorizontalSpacingKey
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing =
  kCVImageBufferPixelAspectRatioVerticalSpacingKey

// Keys that no description has.

/// The part of the frame that is meant to be seen.
public let kCMFormatDescriptionExtension_CleanAperture = kCVImageBufferCleanApertureKey
public let kCMFormatDescriptionKey_CleanApertureWidth = "Width"
public let kCMFormatDescriptionKey_CleanApertureHeight = "Height"
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffset = "HorizontalOffset"
public let kCMFormatDescriptionKey_CleanApertureVerticalOffset = "VerticalOffset"
/// The codec's name.
public let kCMFormatDescriptionExtension_FormatName = "FormatName"
/// Bits per pixel.
public let kCMFormatDescriptionExtension_Depth = "Depth"
public let kCMFormatDescriptionExtension_MasteringDisplayColorVolume =
  "MasteringDisplayColorVolume"
public let kCMFormatDescriptionExtension_ContentLightLevelInfo = "ContentLightLevelInfo"
public let kCMFormatDescriptionExtension_ChromaLocationTopField =
  kCVImageBufferChromaLocationTopFieldKey
/// Further atoms of the file's sample description.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms =
  "SampleDescriptionExtensionAtoms"

/// The code of a timecode format.
public typealias CMTimeCodeFormatType = FourCharCode
/// 32-bit timecode. `tmcd`
public let kCMTimeCodeFormatType_TimeCode32: CMTimeCodeFormatType = 0x746D_6364
/// 64-bit timecode. `tc64`
public let kCMTimeCodeFormatType_TimeCode64: CMTimeCodeFormatType = 0x7463_3634
/// Drop-frame timecode: skips numbers to stay close to the clock.
public let kCMTimeCodeFlag_DropFrame: UInt32 = 1 << 0
/// Timecode wraps after 24 hours.
public let kCMTimeCodeFlag_24HourMax: UInt32 = 1 << 1
/// UTF-8 text.
public let kCMMetadataBaseDataType_UTF8 = "com.apple.metadata.datatype.UTF-8"

extension FormatDescription.MediaSubType {
  /// 32-bit timecode. Not among what is read.
  public static let timeCode32 = Self(rawValue: kCMTimeCodeFormatType_TimeCode32)
  /// 64-bit timecode. Not among what is read.
  public static let timeCode64 = Self(rawValue: kCMTimeCodeFormatType_TimeCode64)
}

public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved

/// The width of the clean aperture, as a numerator and a denominator.
public let kCMFormatDescriptionKey_CleanApertureWidthRational = "WidthRational"
/// The height, as a numerator and a denominator.
public let kCMFormatDescriptionKey_CleanApertureHeightRational = "HeightRational"
/// The offset to the right, as a numerator and a denominator.
public let kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational =
  "HorizontalOffsetRational"
/// The offset downwards, as a numerator and a denominator.
public let kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational = "VerticalOffsetRational"

public let kCMFormatDescriptionFieldDetail_TemporalTopFirst =
  kCVImageBufferFieldDetailTemporalTopFirst
public let kCMFormatDescriptionFieldDetail_TemporalBottomFirst =
  kCVImageBufferFieldDetailTemporalBottomFirst
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly =
  kCVImageBufferFieldDetailSpatialFirstLineEarly
public let kCMFormatDescriptionFieldDetail_SpatialFirstLineLate =
  kCVImageBufferFieldDetailSpatialFirstLineLate

/// The code of a pixel format.
public typealias CMPixelFormatType = FourCharCode
/// Alpha, red, green, blue, 8 bits.
public let kCMPixelFormat_32ARGB: CMPixelFormatType = 0x0000_0020
/// Blue, green, red, alpha, 8 bits.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = 0x4247_5241
/// Packed Cb Y Cr Y, 8 bits.
public let kCMPixelFormat_422YpCbCr8: CMPixelFormatType = 0x3276_7579
/// Packed Y Cb Y Cr, 8 bits.
public let kCMPixelFormat_422YpCbCr8_yuvs: CMPixelFormatType = 0x7975_7673
/// Packed 4:2:2, 10 bits.
public let kCMPixelFormat_422YpCbCr10: CMPixelFormatType = 0x7632_3130
