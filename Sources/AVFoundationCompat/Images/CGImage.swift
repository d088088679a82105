import DNG
public import Foundation
public import RawDevelop

/// An image in memory: red, green, blue and optional alpha. Grays have equal components.
public final class CGImage: Sendable {
  /// The colors, not premultiplied by alpha.
  public let image: RenderedImage
  /// The alpha of each pixel, in the sample format of the colors; nil if all pixels are opaque.
  let opacity: RenderedImage.Samples?
  /// The uniform type identifier of the file that the image was read from; nil if it was made in memory.
  public let utType: CFString?

  init(
    _ image: RenderedImage, opacity: RenderedImage.Samples? = nil, utType: CFString? = nil
  ) {
    (self.image, self.opacity, self.utType) = (image, opacity, utType)
  }

  convenience init(_ image: RenderedImage) { self.init(image, opacity: nil) }

  /// The width in pixels.
  public var width: Int { image.width }
  /// The height in pixels.
  public var height: Int { image.height }
  /// Bits per sample.
  public var bitsPerComponent: Int { image.samples.format.bitDepth }
  /// Bits per pixel: three samples, and alpha if present.
  public var bitsPerPixel: Int { (opacity == nil ? 3 : 4) * bitsPerComponent }
  /// Bytes per row.
  public var bytesPerRow: Int { width * bitsPerPixel / 8 }
  /// None, or last and not premultiplied.
  public var alphaInfo: CGImageAlphaInfo { opacity == nil ? .none : .last }
  /// The position of alpha, whether samples are floats, and the machine's byte order for samples longer than one byte.
  public var bitmapInfo: CGBitmapInfo {
    let alpha = CGBitmapInfo(rawValue: alphaInfo.rawValue)
    return switch image.samples {
    case .uint8: alpha
    case .uint16: [alpha, .byteOrder16Little]
    case .half: [alpha, .floatComponents, .byteOrder16Little]
    case .float: [alpha, .floatComponents, .byteOrder32Little]
    }
  }
  /// The byte order of a sample.
  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.intersection(.byteOrderMask).rawValue)
      ?? .orderDefault
  }
  /// The color space of the samples.
  public var colorSpace: CGColorSpace? { CGColorSpace(image.colorSpace) }
  /// Always false: masks are not supported.
  public var isMask: Bool { false }
  /// Always true; the context determines interpolation.
  public var shouldInterpolate: Bool { true }
  /// Always the default: colors are not converted.
  public var renderingIntent: CGColorRenderingIntent { .defaultIntent }

  /// The image itself, which is immutable.
  public func copy() -> CGImage? { self }

  /// The same sample values in another color space.
  public func copy(colorSpace space: CGColorSpace) -> CGImage? {
    guard !space.isGray else { return nil }
    return CGImage(
      RenderedImage(
        width: width, height: height, samples: image.samples, colorSpace: space.space),
      opacity: opacity, utType: utType)
  }

  /// The pixels within a rectangle with its origin in the upper left corner; nil if there are none.
  public func cropping(to rect: CGRect) -> CGImage? {
    // `part(_:)` has its origin in the lower left corner.
    let whole = rect.integral
    let turned = CGRect(
      x: whole.minX, y: CGFloat(height) - whole.maxY, width: whole.width, height: whole.height)
    return arranged { $0.part(turned) }
  }

  /// The image rotated upright from a file's orientation.
  func turned(_ orientation: PhotoMetadata.Orientation) -> CGImage {
    orientation == .up ? self : arranged { $0.turned(orientation) } ?? self
  }

  /// The image with its pixels rearranged; nil if none are left.
  private func arranged(_ arrange: (RenderedImage) -> RenderedImage?) -> CGImage? {
    guard let colors = arrange(image) else { return nil }
    // Alpha is rearranged as a gray image.
    let alpha = opacity.flatMap { arrange(RenderedImage(gray: $0, like: image)) }
    return CGImage(colors, opacity: alpha?.first, utType: utType)
  }
}

extension RenderedImage {
  /// An image with the same sample for all colors.
  init(gray samples: Samples, like other: RenderedImage) {
    func triple<Sample>(_ values: [Sample]) -> [Sample] { values.flatMap { [$0, $0, $0] } }
    let all: Samples =
      switch samples {
      case .uint8(let values): .uint8(triple(values))
      case .uint16(let values): .uint16(triple(values))
      case .half(let values): .half(triple(values))
      case .float(let values): .float(triple(values))
      }
    self.init(
      width: other.width, height: other.height, samples: all, colorSpace: other.colorSpace)
  }

  /// The first sample of each pixel.
  var first: Samples {
    func third<Sample>(_ values: [Sample]) -> [Sample] {
      stride(from: 0, to: values.count, by: 3).map { values[$0] }
    }
    return switch samples {
    case .uint8(let values): .uint8(third(values))
    case .uint16(let values): .uint16(third(values))
    case .half(let values): .half(third(values))
    case .float(let values): .float(third(values))
    }
  }
}

/// The position of alpha in a pixel, with Apple's numbers.
public enum CGImageAlphaInfo: UInt32, Sendable, Hashable {
  case none = 0
  case premultipliedLast = 1
  case premultipliedFirst = 2
  case last = 3
  case first = 4
  case noneSkipLast = 5
  case noneSkipFirst = 6
  case alphaOnly = 7
}
