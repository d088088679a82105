import Foundation
import RawDevelop

/// Raises light by stops: of a picture, or as ``CIRAWFilter/linearSpaceFilter``.
public final class CIExposureAdjust: CIFilter {
  /// The picture; nil where the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// EV; 0.
  public var ev: Float = 0

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CIExposureAdjust.inputImage), .number(\CIExposureAdjust.ev, kCIInputEVKey)]
  }

  /// The picture, computed in linear light of sRGB's primaries; nil without one.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let factor = Float(exp2(Double(ev)))
    return { $0 * factor }
  }
}

/// Mixes colors by a matrix: of a picture, or as ``CIRAWFilter/linearSpaceFilter``. Alpha, which pictures have none
/// of here, stays 1.
public final class CIColorMatrix: CIFilter {
  /// The picture; nil where the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// What red is made of.
  public var rVector = CIVector(x: 1, y: 0, z: 0, w: 0)
  /// What green is made of.
  public var gVector = CIVector(x: 0, y: 1, z: 0, w: 0)
  /// What blue is made of.
  public var bVector = CIVector(x: 0, y: 0, z: 1, w: 0)
  /// What alpha is made of. Changes nothing: pictures are opaque.
  public var aVector = CIVector(x: 0, y: 0, z: 0, w: 1)
  /// What is added.
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

  /// The picture, computed in linear light of sRGB's primaries; nil without one.
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
  /// The picture; nil if the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// 0 for gray, 1 for no change, above for more color.
  public var saturation: Float = 1
  /// What is added to light: 0, usually -1 to 1.
  public var brightness: Float = 0
  /// What distances from half of white's light are multiplied by; 1.
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

  /// The picture; nil without one.
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

/// Makes a negative, in linear light.
public final class CIColorInvert: CIFilter {
  /// The picture; nil if the filter serves a RAW developer.
  public var inputImage: CIImage?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] { [.image(\CIColorInvert.inputImage)] }

  /// The picture; nil without one.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? { { 1 - $0 } }
}

/// Makes a picture brown, in linear light: by a matrix of its own, for Apple's is not published.
public final class CISepiaTone: CIFilter {
  /// The picture; nil if the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// From 0, no change, to 1.
  public var intensity: Float = 1

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [.image(\CISepiaTone.inputImage), .number(\CISepiaTone.intensity, kCIInputIntensityKey)]
  }

  /// The picture; nil without one.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    let intensity = min(max(intensity, 0), 1)
    // Of luminance 1: a gray keeps its own.
    let tone = SIMD3<Float>(1.4, 0.93, 0.5163)
    return { color in
      let brown = color.luminance * tone
      return color + (brown - color) * intensity
    }
  }
}

extension SIMD3<Float> {
  /// Rec. 709's weights of linear light.
  var luminance: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}

extension CIFilter {
  /// A picture with another color in place of each; nil without one, and if the filter has none for colors.
  func changed(_ image: CIImage?) -> CIImage? {
    guard error == nil, let image, let change else { return nil }
    return CIImage(.changed(image, .linearSRGB, change), extent: image.extent)
  }
}
