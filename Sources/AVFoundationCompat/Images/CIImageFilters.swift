public import Foundation
import RawDevelop

/// Applies a Gaussian blur to an image.
public final class CIGaussianBlur: CIFilter {
  /// The image.
  public var inputImage: CIImage?
  /// The standard deviation in pixels, 0 for no change; default 10.
  public var radius: Float = 10

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CIGaussianBlur.inputImage), .number(\CIGaussianBlur.radius, kCIInputRadiusKey)]
  }

  /// As ``CIImage/applyingGaussianBlur(sigma:)``; nil without an image.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.applyingGaussianBlur(sigma: Double(radius)) : nil
  }
}

/// Scales an image with a three-lobed Lanczos filter, which keeps edges sharp.
public final class CILanczosScaleTransform: CIFilter {
  /// The image.
  public var inputImage: CIImage?
  /// The scale, at least 1/16384; default 1.
  public var scale: Float = 1
  /// An additional horizontal scale; the product must be at least 1/16384; default 1.
  public var aspectRatio: Float = 1

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CILanczosScaleTransform.inputImage),
      .number(\CILanczosScaleTransform.scale, kCIInputScaleKey),
      .number(\CILanczosScaleTransform.aspectRatio, kCIInputAspectRatioKey),
    ]
  }

  override var unusable: RawDevelopError? {
    // At smaller scales an image is one pixel, and each source pixel would count thousands of times.
    let least: Float = 1 / 16_384
    guard scale >= least, scale * aspectRatio >= least, scale.isFinite,
      (scale * aspectRatio).isFinite
    else {
      return RawDevelopError(
        .invalidArgument,
        "an image cannot be scaled to less than 1/16384 of its sides; inputScale is \(scale), and "
          + "inputAspectRatio \(aspectRatio)")
    }
    return nil
  }

  /// The result, computed in linear light; nil without an image. Edge pixels are repeated beyond the edges.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage else { return nil }
    return inputImage.lanczosScaled(x: Double(scale) * Double(aspectRatio), y: Double(scale))
  }
}

/// Scales, translates, mirrors or rotates an image.
public final class CIAffineTransform: CIFilter {
  /// The image.
  public var inputImage: CIImage?
  /// The transform; default identity.
  public var transform = CGAffineTransform.identity

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIAffineTransform.inputImage),
      .exactly(\CIAffineTransform.transform, kCIInputTransformKey),
    ]
  }

  /// As ``CIImage/transformed(by:)``; nil without an image.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.transformed(by: transform) : nil
  }
}

/// Crops an image, which keeps its position.
public final class CICrop: CIFilter {
  /// The image.
  public var inputImage: CIImage?
  /// The rectangle; default infinite.
  public var rectangle = CGRect.infinite

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CICrop.inputImage), .rectangle(\CICrop.rectangle, "inputRectangle")]
  }

  /// As ``CIImage/cropped(to:)``; nil without an image.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.cropped(to: rectangle) : nil
  }
}

/// Draws an image over another one.
public final class CISourceOverCompositing: CIFilter {
  /// The image on top.
  public var inputImage: CIImage?
  /// The image below; nil for black.
  public var backgroundImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CISourceOverCompositing.inputImage),
      .image(\CISourceOverCompositing.backgroundImage, kCIInputBackgroundImageKey),
    ]
  }

  /// As ``CIImage/composited(over:)``; nil without an image.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.composited(over: backgroundImage ?? .empty()) : nil
  }
}

/// Blends an image over another one where a mask is bright.
public final class CIBlendWithMask: CIFilter {
  /// The image.
  public var inputImage: CIImage?
  /// The image visible where the mask is black; nil for black.
  public var backgroundImage: CIImage?
  /// The mask: the luminance of its linear light is the weight of `inputImage`. Outside its extent it counts as black.
  /// Nil shows only the background.
  public var maskImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIBlendWithMask.inputImage),
      .image(\CIBlendWithMask.backgroundImage, kCIInputBackgroundImageKey),
      .image(\CIBlendWithMask.maskImage, kCIInputMaskImageKey),
    ]
  }

  /// The blended images, in linear light; nil without `inputImage`.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage else { return nil }
    return CIImage.blended(inputImage, backgroundImage ?? .empty(), maskImage ?? .empty())
  }
}
