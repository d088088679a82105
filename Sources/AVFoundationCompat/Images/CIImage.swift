import DNG
public import Foundation
import PictureFiles
public import RawDevelop
import Synchronization

/// What to read of a file.
public struct CIImageOption: RawRepresentable, Sendable, Hashable {
  /// Apple's word for it.
  public let rawValue: String
  /// An option by its word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Whether to turn the picture as it is to be seen. That of a DNG file always is.
  public static let applyOrientationProperty = Self(rawValue: "kCIImageApplyOrientationProperty")
  /// People, in place of the picture.
  public static let auxiliaryPortraitEffectsMatte = Self(
    rawValue: "kCIImageAuxiliaryPortraitEffectsMatte")
  /// Skin of people, in place of the picture.
  public static let auxiliarySemanticSegmentationSkinMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationSkinMatte")
  /// Hair of people, in place of the picture.
  public static let auxiliarySemanticSegmentationHairMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationHairMatte")
  /// Glasses, in place of the picture.
  public static let auxiliarySemanticSegmentationGlassesMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationGlassesMatte")
  /// The sky, in place of the picture.
  public static let auxiliarySemanticSegmentationSkyMatte = Self(
    rawValue: "kCIImageAuxiliarySemanticSegmentationSkyMatte")
  /// Teeth, in place of the picture.
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

/// A picture, or the recipe of one: pixels are made when a ``CIContext`` renders it.
///
/// Coordinates begin in the lower left corner, as with Core Image.
public final class CIImage: Sendable {
  enum Content: Sendable {
    /// A DNG file with the settings that the filter had.
    case raw(RAWFilter)
    case picture(RenderedPicture)
    /// Another picture, turned.
    case turned(CIImage, PhotoMetadata.Orientation)
    /// A part of another picture.
    case cropped(CIImage)
    /// Another picture, scaled, moved, mirrored or turned by quarters.
    case transformed(CIImage, CGAffineTransform)
    /// A color everywhere.
    case color(CIColor)
    /// Pictures on one another, the lowest first.
    case layers([CIImage])
    /// Another picture, its edges repeated without end.
    case clamped(CIImage)
    /// Another picture, blurred in linear light.
    case blurred(CIImage, GaussianBlur)
    /// Another picture, scaled by Lanczos' filter.
    case scaled(CIImage, x: Double, y: Double)
    /// Another picture, with other colors in place of its own: numbers of a space.
    case changed(CIImage, PictureColorSpace, RAWFilter.LinearSpaceFilter)
    /// A picture on another one, as bright as a mask is.
    case blended(CIImage, CIImage, mask: CIImage)
    /// None, for a reason.
    case failed(RawDevelopError)
  }

  let content: Content
  /// The picture's place and size.
  public let extent: CGRect
  /// The source of the file that the picture was read of.
  private let origin = Mutex<CGImageSource?>(nil)

  /// What the file says of the picture, by Image I/O's names; empty for a picture of no file, and for what is made of one.
  public var properties: [String: Any] {
    guard let source = origin.withLock({ $0 }) else { return [:] }
    let index = CGImageSourceGetPrimaryImageIndex(source)
    return CGImageSourceCopyPropertiesAtIndex(source, index, nil) ?? [:]
  }

  /// The picture of a file that ``CGImageSource`` reads, or the matte of a DNG file that an option asks for; nil where the
  /// file is none, is damaged, or lacks the matte. A DNG file's default look is turned as it is to be seen, another
  /// file's picture where ``CIImageOption/applyOrientationProperty`` asks for that. What is transparent lies on black.
  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    guard let source = CGImageSourceCreateWithURL(url, nil) else { return nil }
    self.init(source, options)
  }

  /// The picture of a file's bytes, as ``init(contentsOf:options:)`` has it.
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
      let turn = UInt16(exactly: file.pictures[file.primary].orientation)
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
    self.init(mask.picture)
  }

  /// A picture in memory. What is transparent lies on black.
  public convenience init(cgImage: CGImage) { self.init(cgImage.laid(on: .zero)) }

  /// A picture in memory. Options change nothing: it has its color space, and no mattes.
  public convenience init(cgImage: CGImage, options: [CIImageOption: Any]?) {
    self.init(cgImage: cgImage)
  }

  /// The picture: it is opaque.
  public func premultiplyingAlpha() -> CIImage { self }
  /// The picture: it is opaque.
  public func unpremultiplyingAlpha() -> CIImage { self }

  /// A picture in memory.
  public init(_ picture: RenderedPicture) {
    content = .picture(picture)
    extent = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
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

  /// The picture turned upright, of which a file says that it lies so.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    orientation == .up ? self : CIImage(self, turned: orientation.base)
  }

  init(_ content: Content, extent: CGRect) { (self.content, self.extent) = (content, extent) }

  /// The image rotated and mirrored by an EXIF orientation, 1 to 8; unchanged for any other value.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    oriented(UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init) ?? .up)
  }

  /// The space that rendering into no space keeps.
  public var colorSpace: CGColorSpace? {
    switch content {
    case .raw(let filter): CGColorSpace(filter.colorSpace)
    case .picture(let picture): CGColorSpace(picture.colorSpace)
    case .turned(let image, _), .cropped(let image), .transformed(let image, _),
      .clamped(let image), .blurred(let image, _), .scaled(let image, _, _),
      .changed(let image, _, _), .blended(let image, _, _):
      image.colorSpace
    case .color, .failed: CGColorSpace(.sRGB)
    case .layers(let layers): layers.first?.colorSpace
    }
  }

  /// Its ``pixels``, converted to a space where one is given.
  func rendered(
    _ space: PictureColorSpace?, _ format: RenderedPicture.SampleFormat
  ) throws(RawDevelopError) -> RenderedPicture {
    switch content {
    case .raw(var filter):
      filter.sampleFormat = format
      if let space { filter.colorSpace = space }
      return try filter.outputImage()
    case .picture(let picture):
      return picture.converted(to: space ?? picture.colorSpace, format: format)
    case .turned(let image, let orientation):
      guard !image.extent.isInfinite else {
        throw RawDevelopError(
          .invalidArgument, "an image without end is not turned by an orientation; crop it first")
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
        throw RawDevelopError(.invalidArgument, "nothing is left of a picture that was cropped")
      }
      return try image.rendered(in: pixels, space, format)
    case .layers(let layers):
      return try Self.flattened(layers, in: pixels, space ?? colorSpace?.space ?? .sRGB, format)
    case .failed, .color, .clamped, .blurred, .changed, .blended, .transformed:
      return try rendered(in: pixels, space, format)
    }
  }
}
