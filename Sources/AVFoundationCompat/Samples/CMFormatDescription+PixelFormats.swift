// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Pixel formats with Core Media's names. ``mediaSubType`` is the class of a device's format: `422v` or `422f` for
/// packed 8-bit 4:2:2, and `x422` or `xf22` for packed 10-bit 4:2:2.
extension FormatDescription.MediaSubType {
  public static let pixelFormat_32ARGB = Self(rawValue: kCMPixelFormat_32ARGB)
  public static let pixelFormat_32BGRA = Self(rawValue: kCMPixelFormat_32BGRA)
  public static let pixelFormat_422YpCbCr8 = Self(rawValue: kCMPixelFormat_422YpCbCr8)
  public static let pixelFormat_422YpCbCr8_yuvs = Self(rawValue: kCMPixelFormat_422YpCbCr8_yuvs)
  public static let pixelFormat_422YpCbCr10 = Self(rawValue: kCMPixelFormat_422YpCbCr10)
  /// Red, green, blue, 8 bits. This format and the following ones are not supported.
  public static let pixelFormat_24RGB = Self(rawValue: 24)
  public static let pixelFormat_16BE555 = Self(rawValue: 16)
  /// `B565`
  public static let pixelFormat_16BE565 = Self(rawValue: 0x4235_3635)
  /// `L555`
  public static let pixelFormat_16LE555 = Self(rawValue: 0x4C35_3535)
  /// `L565`
  public static let pixelFormat_16LE565 = Self(rawValue: 0x4C35_3635)
  /// `5551`
  public static let pixelFormat_16LE5551 = Self(rawValue: 0x3535_3531)
  /// `v308`
  public static let pixelFormat_444YpCbCr8 = Self(rawValue: 0x7633_3038)
  /// `v408`
  public static let pixelFormat_4444YpCbCrA8 = Self(rawValue: 0x7634_3038)
  /// `v216`
  public static let pixelFormat_422YpCbCr16 = Self(rawValue: 0x7632_3136)
  /// `v410`
  public static let pixelFormat_444YpCbCr10 = Self(rawValue: 0x7634_3130)
  public static let pixelFormat_8IndexedGray_WhiteIsZero = Self(rawValue: 40)
}
