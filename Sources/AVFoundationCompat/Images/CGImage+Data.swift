public import Foundation
import ImageFiles
import RawDevelop

extension CGImage {
  /// The image of a JPEG file, without its orientation applied.
  ///
  /// - Parameters:
  ///   - source: The file's bytes.
  ///   - decode: Must be nil: samples cannot be remapped.
  ///   - shouldInterpolate: Has no effect: the context determines interpolation.
  ///   - intent: Has no effect: colors are not converted.
  /// - Returns: Nil for another file type, a damaged file, and a `decode` array.
  public convenience init?(
    jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(source, decode, .jpeg)
  }

  /// The image of a PNG file; otherwise as ``init(jpegDataProviderSource:decode:shouldInterpolate:intent:)``.
  public convenience init?(
    pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(source, decode, .png)
  }

  private convenience init?(
    _ source: CGDataProvider, _ decode: UnsafePointer<CGFloat>?, _ kind: ImageFile.Kind
  ) {
    guard decode == nil, let data = source.data, let file = try? ImageFile([UInt8](data)),
      file.kind == kind, let decoded = try? file.decoded(at: 0),
      file.images[0].isWhole != false
    else { return nil }
    self.init(decoded.image, opacity: decoded.opacity, utType: kind.uniformType)
  }

  /// The pixels, row by row without padding: red, green, blue, and alpha if present, in the format of
  /// ``bitsPerComponent`` and ``bitmapInfo``. Copied by each call.
  public var dataProvider: CGDataProvider? {
    func data<Sample>(_ colors: [Sample], _ alpha: [Sample]?) -> Data {
      guard let alpha else { return colors.withUnsafeBytes { Data($0) } }
      var all: [Sample] = []
      all.reserveCapacity(4 * alpha.count)
      for pixel in alpha.indices {
        all += colors[3 * pixel..<3 * pixel + 3]
        all.append(alpha[pixel])
      }
      return all.withUnsafeBytes { Data($0) }
    }
    return switch (image.samples, opacity) {
    case (.uint8(let colors), .uint8(let alpha)?): CGDataProvider(data: data(colors, alpha))
    case (.uint16(let colors), .uint16(let alpha)?): CGDataProvider(data: data(colors, alpha))
    case (.half(let colors), .half(let alpha)?): CGDataProvider(data: data(colors, alpha))
    case (.float(let colors), .float(let alpha)?): CGDataProvider(data: data(colors, alpha))
    case (.uint8(let samples), _): CGDataProvider(data: data(samples, nil))
    case (.uint16(let samples), _), (.half(let samples), _):
      CGDataProvider(data: data(samples, nil))
    case (.float(let samples), _): CGDataProvider(data: data(samples, nil))
    }
  }

  /// The image itself, for code that gets it through a UI framework's image.
  public var cgImage: CGImage? { self }
  /// Width and height in pixels.
  public var size: CGSize { CGSize(width: CGFloat(width), height: CGFloat(height)) }

  /// The image blended over a color.
  ///
  /// - Parameter color: Red, green and blue in the image's color space, 0 to 1.
  func laid(on color: SIMD3<Float>) -> RenderedImage {
    guard let opacity else { return image }
    // A program's color may be out of range or NaN.
    var color = color
    for part in 0..<3 { color[part] = color[part] >= 0 ? min(color[part], 1) : 0 }
    func lay<Sample: BinaryInteger>(
      _ colors: [Sample], _ alpha: [Sample], _ most: Float
    ) -> [Sample] {
      colors.indices.map { index in
        let share = Float(alpha[index / 3]) / most
        return Sample(
          (Float(colors[index]) * share + color[index % 3] * most * (1 - share)).rounded())
      }
    }
    let samples: RenderedImage.Samples
    switch (image.samples, opacity) {
    case (.uint8(let colors), .uint8(let alpha)): samples = .uint8(lay(colors, alpha, 255))
    case (.uint16(let colors), .uint16(let alpha)): samples = .uint16(lay(colors, alpha, 65_535))
    default:
      let (colors, alpha) = (image.samples.numbers, opacity.numbers)
      samples = .float(
        colors.indices.map {
          colors[$0] * alpha[$0 / 3] + color[$0 % 3] * (1 - alpha[$0 / 3])
        })
    }
    return RenderedImage(
      width: width, height: height, samples: samples, colorSpace: image.colorSpace)
  }
}
