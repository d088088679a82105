public import Foundation
import RawDevelop

/// Blurs a picture by a Gaussian curve.
public final class CIGaussianBlur: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The curve's standard deviation in pixels, 0 for no change; 10.
  public var radius: Float = 10

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CIGaussianBlur.inputImage), .number(\CIGaussianBlur.radius, kCIInputRadiusKey)]
  }

  /// As ``CIImage/applyingGaussianBlur(sigma:)``; nil without a picture.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.applyingGaussianBlur(sigma: Double(radius)) : nil
  }
}

/// Scales a picture by Lanczos' filter of three lobes, which keeps edges sharp.
public final class CILanczosScaleTransform: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The scale, 1/16384 or more; 1.
  public var scale: Float = 1
  /// What the width is scaled by besides, to 1/16384 or more in all; 1.
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
    // Made smaller still, a picture is one pixel, and each of its own counts thousands of times.
    let least: Float = 1 / 16_384
    guard scale >= least, scale * aspectRatio >= least, scale.isFinite,
      (scale * aspectRatio).isFinite
    else {
      return RawDevelopError(
        .invalidArgument,
        "a picture is scaled to 1/16384 of its sides or more; inputScale is \(scale), and "
          + "inputAspectRatio \(aspectRatio)")
    }
    return nil
  }

  /// The picture, computed in linear light; nil without one. Pixels at the edges count beyond them.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage else { return nil }
    return inputImage.lanczosScaled(x: Double(scale) * Double(aspectRatio), y: Double(scale))
  }
}

/// Scales, moves, mirrors or turns a picture.
public final class CIAffineTransform: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The transform; that which changes nothing.
  public var transform = CGAffineTransform.identity

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIAffineTransform.inputImage),
      .exactly(\CIAffineTransform.transform, kCIInputTransformKey),
    ]
  }

  /// As ``CIImage/transformed(by:)``; nil without a picture.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.transformed(by: transform) : nil
  }
}

/// Cuts a part out of a picture, which keeps its place.
public final class CICrop: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The part; all.
  public var rectangle = CGRect.infinite

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CICrop.inputImage), .rectangle(\CICrop.rectangle, "inputRectangle")]
  }

  /// As ``CIImage/cropped(to:)``; nil without a picture.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.cropped(to: rectangle) : nil
  }
}

/// Puts a picture on another one.
public final class CISourceOverCompositing: CIFilter {
  /// The picture on top.
  public var inputImage: CIImage?
  /// The picture below; nil for black.
  public var backgroundImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CISourceOverCompositing.inputImage),
      .image(\CISourceOverCompositing.backgroundImage, kCIInputBackgroundImageKey),
    ]
  }

  /// As ``CIImage/composited(over:)``; nil without a picture.
  public override var outputImage: CIImage? {
    error == nil ? inputImage?.composited(over: backgroundImage ?? .empty()) : nil
  }
}

/// Shows a picture on another one where a mask is bright.
public final class CIBlendWithMask: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// What is seen where the mask is black; nil for black.
  public var backgroundImage: CIImage?
  /// The mask: the luminance of its linear light is the picture's share. Where it has no pixel, it is black. Nil
  /// shows the background alone.
  public var maskImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIBlendWithMask.inputImage),
      .image(\CIBlendWithMask.backgroundImage, kCIInputBackgroundImageKey),
      .image(\CIBlendWithMask.maskImage, kCIInputMaskImageKey),
    ]
  }

  /// The pictures, mixed in linear light; nil without the first.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage else { return nil }
    return CIImage.blended(inputImage, backgroundImage ?? .empty(), maskImage ?? .empty())
  }
}
