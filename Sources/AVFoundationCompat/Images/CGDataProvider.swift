public import Foundation

/// Bytes that a picture is made of.
public final class CGDataProvider: Sendable {
  /// The bytes.
  public let data: CFData?

  /// Bytes that the program has.
  public init?(data: CFData) { self.data = data }

  /// A copy of bytes in memory, which is then given back.
  ///
  /// - Parameters:
  ///   - info: Handed to `releaseData`.
  ///   - data: The bytes.
  ///   - size: How many.
  ///   - releaseData: Called before this returns: the bytes are copied.
  public init?(
    dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
    releaseData: (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void
  ) {
    self.data = Data(bytes: data, count: size)
    releaseData(info, data, size)
  }

  /// The bytes of a file, which is read at once; nil if it cannot be.
  public init?(url: CFURL) {
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.data = data
  }

  /// The bytes of a file by its path; nil if it cannot be read.
  public convenience init?(filename: String) { self.init(url: URL(filePath: filename)) }
}

/// How colors are brought into a smaller space, with Apple's numbers. Changes nothing: none is converted.
public enum CGColorRenderingIntent: Int32, Sendable, Hashable {
  case defaultIntent = 0
  case absoluteColorimetric = 1
  case relativeColorimetric = 2
  case perceptual = 3
  case saturation = 4
}
