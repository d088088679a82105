public import Foundation

/// The data for an image.
public final class CGDataProvider: Sendable {
  public let data: CFData?

  /// A provider of data in memory.
  public init?(data: CFData) { self.data = data }

  /// A provider of a copy of bytes in memory, which are then released.
  ///
  /// - Parameters:
  ///   - info: Passed to `releaseData`.
  ///   - data: The bytes.
  ///   - size: The number of bytes.
  ///   - releaseData: Called before this returns, because the bytes are copied.
  public init?(
    dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
    releaseData: (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void
  ) {
    self.data = Data(bytes: data, count: size)
    releaseData(info, data, size)
  }

  /// A provider of a file's data, which is read immediately; nil if it cannot be read.
  public init?(url: CFURL) {
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.data = data
  }

  /// A provider of the data of the file at a path; nil if it cannot be read.
  public convenience init?(filename: String) { self.init(url: URL(filePath: filename)) }
}

/// How colors are mapped to a smaller gamut, with Apple's numbers. Has no effect: colors are not converted.
public enum CGColorRenderingIntent: Int32, Sendable, Hashable {
  case defaultIntent = 0
  case absoluteColorimetric = 1
  case relativeColorimetric = 2
  case perceptual = 3
  case saturation = 4
}
