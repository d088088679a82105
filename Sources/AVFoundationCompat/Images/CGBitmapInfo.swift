/// The memory layout of a bitmap's pixels.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The bits of a ``CGImageAlphaInfo``.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// Samples are floats.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits of a ``CGImageByteOrderInfo``.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// As ``byteOrder32Big``.
  public static let byteOrderDefault = CGBitmapInfo([])
  /// 16-bit words, little-endian.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// 32-bit words, little-endian: the last sample of a pixel comes first in memory.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// 16-bit words, big-endian.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// 32-bit words, big-endian: the first sample of a pixel comes first in memory.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// The byte order of a bitmap's words, with Apple's numbers.
public enum CGImageByteOrderInfo: UInt32, Sendable, Hashable {
  case orderMask = 0x7000
  case orderDefault = 0
  case order16Little = 0x1000
  case order32Little = 0x2000
  case order16Big = 0x3000
  case order32Big = 0x4000
}

/// How an image is resampled when drawn at another size, with Apple's numbers.
public enum CGInterpolationQuality: Int32, Sendable, Hashable {
  case `default` = 0
  case none = 1
  case low = 2
  case medium = 4
  case high = 3
}
