import DNG
public import Foundation
import ImageFiles
public import RawDevelop
import Synchronization

/// An option for reading a file.
public struct CIImageOption: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Whether to apply the image's orientation. For a DNG file it is always applied.
  public static let applyOrientationProperty = Self(rawValue: "kCIImageApplyOrientationProperty")
  /// The matte of people, instead of the image.
  public static let auxiliaryPortraitEffectsMatte = Self(
    rawValue: "kCIImageAuxiliaryPortraitEffectsMatte")
  /// The skin matte, instead of the image.
  public static let auxiliarySemanticSegmentationSkinMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationSkinMatte")
  /// The hair matte, instead of the image.
  public static let auxiliarySemanticSegmentationHairMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationHairMatte")
  /// The glasses matte, instead of the image.
  public static let auxiliarySemanticSegmentationGlassesMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationGlassesMatte")
  /// The sky matte, instead of the image.
  public static let auxiliarySemanticSegmentationSkyMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationSkyMatte")
  /// The teeth matte, instead of the image.
  public static let auxiliarySemanticSegmentationTeethMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationTeethMatte")

  fileprivate static let mattes: [(CIImageOption, RAWFilter.Matte)] = [
    (.auxiliaryPortraitEffectsMatte, .portraitEffects),
    (.auxiliarySemanticSegmentationSkinMatte, .skin),
    (.auxiliarySemanticSegmentationHairMatte, .hair),
    (.auxiliarySemanticSegmentationGlassesMatte, .glasses),
    (.auxiliarySemanticSegmentationSkyMatte, .sky),
    (.auxiliarySemanticSegmentationTeethMatte, .teeth),
  ]
}

/// An image or the recipe for one: pixels are computed when a ``CIContext`` renders it.
///
/// The origin is the lower left corner, as in Core Image.
public final class CIImage: Sendable {
  enum Content: Sendable {
    /// A DNG file with the filter's settings.
    case raw(RAWFilter)
    case image(RenderedImage)
    /// A rotated or mirrored image.
    case turned(CIImage, PhotoMetadata.Orientation)
    /// A part of an image.
    case cropped(CIImage)
    /// A scaled, translated or mirrored image, or one rotated by quarter turns.
    case transformed(CIImage, CGAffineTransform)
    /// An infinite color.
    case color(CIColor)
    /// Images on top of each other, bottom first.
    case layers([CIImage])
    /// An image with its edge pixels repeated infinitely.
    case clamped(CIImage)
    /// An image blurred in linear light.
    case blurred(CIImage, GaussianBlur)
    /// An image scaled with a Lanczos filter.
    case scaled(CIImage, x: Double, y: Double)
    /// An image with a function applied to its colors in a color space.
    case changed(CIImage, ImageColorSpace, RAWFilter.LinearSpaceFilter)
    /// An image blended over another one by a mask.
    case blended(CIImage, CIImage, mask: CIImage)
    /// No image, with the error.
    case failed(RawDevelopError)
  }

  let content: Content
  /// The image's position and size.
  public let extent: CGRect
  /// The source of the file that the image was read from.
  private let origin = Mutex<CGImageSource?>(nil)

  /// The file's properties by Image I/O's names; empty for an image that was not read from a file, and for one derived
  /// from another image.
  public var properties: [String: Any] {
    guard let source = origin.withLock({ $0 }) else { return [:] }
    let index = CGImageSourceGetPrimaryImageIndex(source)
    return CGImageSourceCopyPropertiesAtIndex(source, index, nil) ?? [:]
  }

  /// The image of a file that ``CGImageSource`` reads, or the matte of a DNG file that an option requests; nil if the
  /// file is not supported, is damaged, or lacks the matte. A DNG file's default rendering has its orientation applied;
  /// any other image only with ``CIImageOption/applyOrientationProperty``. Transparent pixels are blended over black.
  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    guard let source = CGImageSourceCreateWithURL(url, nil) else { return nil }
    self.init(source, options)
  }

  /// The image of a file in memory, as ``init(contentsOf:options:)``.
  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    guard let source = CGImageSourceCreateWithData(data, nil) else { return nil }
    self.init(source, options)
  }

  private convenience init?(_ source: CGImageSource, _ options: [CIImageOption: Any]?) {
    switch source.content {
    case .none: return nil
    case .negative(let negative): self.init(negative.filter, options)
    case .file(let file):
      guard CIImageOption.mattes.allSatisfy({ options?[$0.0] as? Bool != true }),
        let image = source.image(at: file.primary)
      else { return nil }
      let isTurned = options?[.applyOrientationProperty] as? Bool == true
      let turn = UInt16(exactly: file.images[file.primary].orientation)
      self.init(
        cgImage: isTurned
          ? image.turned(turn.flatMap(PhotoMetadata.Orientation.init) ?? .up) : image)
    }
    origin.withLock { $0 = source }
  }

  private convenience init?(_ filter: RAWFilter, _ options: [CIImageOption: Any]?) {
    let asked = CIImageOption.mattes.first { options?[$0.0] as? Bool == true }
    guard let asked else {
      self.init(filter)
      return
    }
    guard let mask = try? filter.matte(asked.1) else { return nil }
    self.init(mask.image)
  }

  /// An image from a Core Graphics image. Transparent pixels are blended over black.
  public convenience init(cgImage: CGImage) { self.init(cgImage.laid(on: .zero)) }

  /// An image from a Core Graphics image. Options have no effect: it has its own color space, and no mattes.
  public convenience init(cgImage: CGImage, options: [CIImageOption: Any]?) {
    self.init(cgImage: cgImage)
  }

  /// The image itself: it is opaque.
  public func premultiplyingAlpha() -> CIImage { self }
  /// The image itself: it is opaque.
  public func unpremultiplyingAlpha() -> CIImage { self }

  /// An image from rendered pixels.
  public init(_ image: RenderedImage) {
    content = .image(image)
    extent = CGRect(x: 0, y: 0, width: image.width, height: image.height)
  }

  init(_ filter: RAWFilter) {
    content = .raw(filter)
    let size = filter.outputSize
    extent = CGRect(x: 0, y: 0, width: size.width, height: size.height)
  }

  private init(_ image: CIImage, turned orientation: PhotoMetadata.Orientation) {
    content = .turned(image, orientation)
    let size = image.pixels.size
    extent =
      orientation.isTransposed
      ? CGRect(x: 0, y: 0, width: size.height, height: size.width)
      : CGRect(origin: .zero, size: size)
  }

  /// The image rotated upright from a file's orientation.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    orientation == .up ? self : CIImage(self, turned: orientation.base)
  }

  init(_ content: Content, extent: CGRect) { (self.content, self.extent) = (content, extent) }

  /// The image rotated and mirrored by an EXIF orientation, 1 to 8; unchanged for any other value.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    oriented(UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init) ?? .up)
  }

  /// The color space of a rendering without color conversion.
  public var colorSpace: CGColorSpace? {
    switch content {
    case .raw(let filter): CGColorSpace(filter.colorSpace)
    case .image(let bitmap): CGColorSpace(bitmap.colorSpace)
    case .turned(let image, _), .cropped(let image), .transformed(let image, _),
      .clamped(let image), .blurred(let image, _), .scaled(let image, _, _),
      .changed(let image, _, _), .blended(let image, _, _):
      image.colorSpace
    case .color, .failed: CGColorSpace(.sRGB)
    case .layers(let layers): layers.first?.colorSpace
    }
  }

  /// Renders the image's ``pixels``, converted to a color space if one is given.
  func rendered(
    _ space: ImageColorSpace?, _ format: RenderedImage.SampleFormat
  ) throws(RawDevelopError) -> RenderedImage {
    switch content {
    case .raw(var filter):
      filter.sampleFormat = format
      if let space { filter.colorSpace = space }
      return try filter.outputImage()
    case .image(let bitmap):
      return bitmap.converted(to: space ?? bitmap.colorSpace, format: format)
    case .turned(let image, let orientation):
      guard !image.extent.isInfinite else {
        throw RawDevelopError(
          .invalidArgument, "an orientation cannot be applied to an infinite image; crop it first")
      }
      return try image.rendered(space, format).turned(orientation)
    case .transformed(let image, let transform) where !extent.isInfinite:
      if transform.isMoveByPixels { return try image.rendered(space, format) }
      return try image.rendered(space, .float).transformed(
        transform, from: image.pixels, to: pixels, as: format)
    case .scaled(let image, let x, let y):
      return try scaled(image, x: x, y: y)
        .converted(to: space ?? colorSpace?.space ?? .sRGB, format: format)
    case .cropped(let image):
      guard !extent.isNull else {
        throw RawDevelopError(.invalidArgument, "the cropped image has no pixels")
      }
      return try image.rendered(in: pixels, space, format)
    case .layers(let layers):
      return try Self.flattened(layers, in: pixels, space ?? colorSpace?.space ?? .sRGB, format)
    case .failed, .color, .clamped, .blurred, .changed, .blended, .transformed:
      return try rendered(in: pixels, space, format)
    }
  }
}
