import Foundation
import RawDevelop

/// Changes exposure by stops, of an image or as ``CIRAWFilter/linearSpaceFilter``.
public final class CIExposureAdjust: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?
  /// In EV; default 0.
  public var ev: Float = 0

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CIExposureAdjust.inputImage), .number(\CIExposureAdjust.ev, kCIInputEVKey)]
  }

  /// The result, computed in linear light with sRGB primaries; nil without an image.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let factor = Float(exp2(Double(ev)))
    return { $0 * factor }
  }
}

/// Multiplies colors by a matrix, of an image or as ``CIRAWFilter/linearSpaceFilter``. Alpha stays 1 because images
/// here are opaque.
public final class CIColorMatrix: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?
  /// The weights for red.
  public var rVector = CIVector(x: 1, y: 0, z: 0, w: 0)
  /// The weights for green.
  public var gVector = CIVector(x: 0, y: 1, z: 0, w: 0)
  /// The weights for blue.
  public var bVector = CIVector(x: 0, y: 0, z: 1, w: 0)
  /// The weights for alpha. Has no effect: images are opaque.
  public var aVector = CIVector(x: 0, y: 0, z: 0, w: 1)
  /// Added to the result.
  public var biasVector = CIVector(x: 0, y: 0, z: 0, w: 0)

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIColorMatrix.inputImage),
      .vector(\CIColorMatrix.rVector, "inputRVector"),
      .vector(\CIColorMatrix.gVector, "inputGVector"),
      .vector(\CIColorMatrix.bVector, "inputBVector"),
      .vector(\CIColorMatrix.aVector, "inputAVector"),
      .vector(\CIColorMatrix.biasVector, "inputBiasVector"),
    ]
  }

  /// The result, computed in linear light with sRGB primaries; nil without an image.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let rows = [rVector, gVector, bVector]
    let weights = rows.map { SIMD3(Float($0.x), Float($0.y), Float($0.z)) }
    let bias = SIMD3(Float(biasVector.x), Float(biasVector.y), Float(biasVector.z))
    // Alpha is 1.
    let alpha = SIMD3(Float(rVector.w), Float(gVector.w), Float(bVector.w))
    return { color in
      SIMD3((weights[0] * color).sum(), (weights[1] * color).sum(), (weights[2] * color).sum())
        + alpha + bias
    }
  }
}

/// Changes saturation, then brightness, then contrast, in linear light.
public final class CIColorControls: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?
  /// 0 for gray, 1 for no change, above for more color.
  public var saturation: Float = 1
  /// Added to the linear values, usually -1 to 1; default 0.
  public var brightness: Float = 0
  /// The factor for distances from 0.5 in linear light; default 1.
  public var contrast: Float = 1

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIColorControls.inputImage),
      .number(\CIColorControls.saturation, kCIInputSaturationKey),
      .number(\CIColorControls.brightness, kCIInputBrightnessKey),
      .number(\CIColorControls.contrast, kCIInputContrastKey),
    ]
  }

  /// The result; nil without an image.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let (saturation, brightness, contrast) = (saturation, brightness, contrast)
    return { color in
      let gray = SIMD3(repeating: color.luminance)
      let colored = gray + (color - gray) * saturation + brightness
      return (colored - 0.5) * contrast + 0.5
    }
  }
}

/// Inverts colors, in linear light.
public final class CIColorInvert: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] { [.image(\CIColorInvert.inputImage)] }

  /// The result; nil without an image.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? { { 1 - $0 } }
}

/// Tints an image sepia, in linear light. The matrix is this package's own because Apple's is not published.
public final class CISepiaTone: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?
  /// From 0, no change, to 1, full effect.
  public var intensity: Float = 1

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CISepiaTone.inputImage), .number(\CISepiaTone.intensity, kCIInputIntensityKey)]
  }

  /// The result; nil without an image.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let intensity = min(max(intensity, 0), 1)
    // Its luminance is 1, so grays keep theirs.
    let tone = SIMD3<Float>(1.4, 0.93, 0.5163)
    return { color in
      let brown = color.luminance * tone
      return color + (brown - color) * intensity
    }
  }
}

extension SIMD3<Float> {
  /// Rec. 709 weights for linear light.
  var luminance: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}

extension CIFilter {
  /// Applies the filter's color function to an image; nil without an image, or if the filter has no such function.
  func changed(_ image: CIImage?) -> CIImage? {
    guard error == nil, let image, let change else { return nil }
    return CIImage(.changed(image, .linearSRGB, change), extent: image.extent)
  }
}
