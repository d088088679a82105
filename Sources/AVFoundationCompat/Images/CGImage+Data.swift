public import Foundation
import RawDevelop

extension CGImage {
  /// The picture of a JPEG file, in 8 bits and not turned, taken as sRGB.
  ///
  /// - Parameters:
  ///   - source: The file's bytes.
  ///   - decode: Nil: samples mean what the file says.
  ///   - shouldInterpolate: Changes nothing: a context says how it draws.
  ///   - intent: Changes nothing: no color is converted.
  /// - Returns: Nil for another kind of file, a damaged one, and samples that are to be mapped.
  public convenience init?(
    jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(source, decode, fileExtension: "jpg", mark: [0xFF, 0xD8, 0xFF])
  }

  /// The picture of a PNG file, in 8 bits and without its alpha, taken as sRGB; otherwise as
  /// ``init(jpegDataProviderSource:decode:shouldInterpolate:intent:)``.
  public convenience init?(
    pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(source, decode, fileExtension: "png", mark: [0x89, 0x50, 0x4E, 0x47])
  }

  /// - Parameter mark: What such a file begins with.
  private convenience init?(
    _ source: CGDataProvider, _ decode: UnsafePointer<CGFloat>?, fileExtension: String,
    mark: [UInt8]
  ) {
    guard decode == nil, let bytes = source.data, bytes.starts(with: mark),
      let picture = try? RenderedPicture(decoding: bytes, fileExtension: fileExtension)
    else { return nil }
    self.init(picture)
  }

  /// The pixels, row by row without padding: red, green and blue, each as ``bitsPerComponent`` and ``bitmapInfo`` say,
  /// in the machine's order of bytes. Copied with each call.
  public var dataProvider: CGDataProvider? {
    func data<Sample>(_ samples: [Sample]) -> Data { samples.withUnsafeBytes { Data($0) } }
    return switch picture.samples {
    case .uint8(let samples): CGDataProvider(data: data(samples))
    case .uint16(let samples), .half(let samples): CGDataProvider(data: data(samples))
    case .float(let samples): CGDataProvider(data: data(samples))
    }
  }

  /// The picture itself: what code reaches through a window system's picture.
  public var cgImage: CGImage? { self }
  /// Pixels in a row, and rows.
  public var size: CGSize { CGSize(width: CGFloat(width), height: CGFloat(height)) }
}
