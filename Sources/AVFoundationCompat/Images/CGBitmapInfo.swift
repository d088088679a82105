/// How the pixels of a bitmap lie in memory.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// What is meant by some bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The bits of a ``CGImageAlphaInfo``.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  /// Samples are floats.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits of a ``CGImageByteOrderInfo``.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// As ``byteOrder32Big``.
  public static let byteOrderDefault = CGBitmapInfo([])
  /// Words of 16 bits, the lower byte first.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// Words of 32 bits, the lowest byte first: a pixel lies in memory from its last sample to its first.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// Words of 16 bits, the upper byte first.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// Words of 32 bits, the highest byte first: a pixel lies in memory from its first sample to its last.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// In which order the bytes of a bitmap's words lie, with Apple's numbers.
public enum CGImageByteOrderInfo: UInt32, Sendable, Hashable {
  case orderMask = 0x7000
  case orderDefault = 0
  case order16Little = 0x1000
  case order32Little = 0x2000
  case order16Big = 0x3000
  case order32Big = 0x4000
}

/// How pixels are made where a picture is drawn at another size, with Apple's numbers.
public enum CGInterpolationQuality: Int32, Sendable, Hashable {
  case `default` = 0
  case none = 1
  case low = 2
  case medium = 4
  case high = 3
}
