import DNG
public import Foundation
public import RawDevelop

/// A picture in memory: red, green and blue, and how opaque each pixel is where not all are. Grays have equal parts.
public final class CGImage: Sendable {
  /// Its colors, which are not multiplied by alpha.
  public let picture: RenderedPicture
  /// How opaque each pixel is, a sample each in the picture's own format; nil where all are.
  let opacity: RenderedPicture.Samples?
  /// The kind of the file that the picture was read of, by its uniform type identifier; nil where it was made here.
  public let utType: CFString?

  init(
    _ picture: RenderedPicture, opacity: RenderedPicture.Samples? = nil, utType: CFString? = nil
  ) {
    (self.picture, self.opacity, self.utType) = (picture, opacity, utType)
  }

  convenience init(_ picture: RenderedPicture) { self.init(picture, opacity: nil) }

  /// Pixels in a row.
  public var width: Int { picture.width }
  /// Rows.
  public var height: Int { picture.height }
  /// Bits of a sample.
  public var bitsPerComponent: Int { picture.samples.format.bitDepth }
  /// Bits of a pixel: of its three samples, and of alpha.
  public var bitsPerPixel: Int { (opacity == nil ? 3 : 4) * bitsPerComponent }
  /// Bytes of a row.
  public var bytesPerRow: Int { width * bitsPerPixel / 8 }
  /// None, or behind the colors, which are not multiplied by it.
  public var alphaInfo: CGImageAlphaInfo { opacity == nil ? .none : .last }
  /// Where alpha is, floats where samples are, and the machine's order of bytes where they are longer than one.
  public var bitmapInfo: CGBitmapInfo {
    let alpha = CGBitmapInfo(rawValue: alphaInfo.rawValue)
    return switch picture.samples {
    case .uint8: alpha
    case .uint16: [alpha, .byteOrder16Little]
    case .half: [alpha, .floatComponents, .byteOrder16Little]
    case .float: [alpha, .floatComponents, .byteOrder32Little]
    }
  }
  /// The order of a sample's bytes.
  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.intersection(.byteOrderMask).rawValue)
      ?? .orderDefault
  }
  /// What the samples mean.
  public var colorSpace: CGColorSpace? { CGColorSpace(picture.colorSpace) }
  /// False: it has colors.
  public var isMask: Bool { false }
  /// True: a context says how it draws.
  public var shouldInterpolate: Bool { true }
  /// The usual one: no color is converted.
  public var renderingIntent: CGColorRenderingIntent { .defaultIntent }

  /// The picture itself, which never changes.
  public func copy() -> CGImage? { self }

  /// The same numbers in another space.
  public func copy(colorSpace space: CGColorSpace) -> CGImage? {
    guard !space.isGray else { return nil }
    return CGImage(
      RenderedPicture(
        width: width, height: height, samples: picture.samples, colorSpace: space.space),
      opacity: opacity, utType: utType)
  }

  /// The pixels within a rectangle, whose coordinates begin in the upper left corner; nil where there
  /// are none.
  public func cropping(to rect: CGRect) -> CGImage? {
    // A part's coordinates begin in the lower left corner.
    let whole = rect.integral
    let turned = CGRect(
      x: whole.minX, y: CGFloat(height) - whole.maxY, width: whole.width, height: whole.height)
    return arranged { $0.part(turned) }
  }

  /// The picture turned upright, of which a file says that it lies so.
  func turned(_ orientation: PhotoMetadata.Orientation) -> CGImage {
    orientation == .up ? self : arranged { $0.turned(orientation) } ?? self
  }

  /// The picture with its pixels in other places; nil where there are none.
  private func arranged(_ arrange: (RenderedPicture) -> RenderedPicture?) -> CGImage? {
    guard let colors = arrange(picture) else { return nil }
    // Alpha is arranged as a picture of its own.
    let alpha = opacity.flatMap { arrange(RenderedPicture(gray: $0, like: picture)) }
    return CGImage(colors, opacity: alpha?.first, utType: utType)
  }
}

extension RenderedPicture {
  /// A picture of one sample for all colors.
  init(gray samples: Samples, like other: RenderedPicture) {
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

/// Where a pixel's alpha is, with Apple's numbers.
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
