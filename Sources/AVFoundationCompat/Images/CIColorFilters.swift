public import Foundation
import RawDevelop

/// Raises light by stops: of a picture, or as ``CIRAWFilter/linearSpaceFilter``.
public final class CIExposureAdjust: CIFilter {
  /// The picture; nil where the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// EV; 0.
  public var ev: Float = 0

  init() { super.init(raw: nil) }

  /// The picture, in linear light of sRGB's primaries; nil without one, and where it cannot be rendered.
  public override var outputImage: CIImage? { inputImage?.changed(by: change) }

  /// Sets `inputEV` or `inputImage`.
  public override func setValue(_ value: Any?, forKey key: String) {
    if key == "inputImage", let image = value as? CIImage {
      inputImage = image
    } else if key == "inputEV", let number = RAWFilter.number(value) {
      ev = number
    } else {
      super.setValue(value, forKey: key)
    }
  }

  /// The value of `inputEV` or `inputImage`; nil for another key.
  public override func value(forKey key: String) -> Any? {
    switch key {
    case "inputEV": ev
    case "inputImage": inputImage
    default: nil
    }
  }

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
  /// What is added.
  public var biasVector = CIVector(x: 0, y: 0, z: 0, w: 0)

  private static let inputs:
    [String: any ReferenceWritableKeyPath<CIColorMatrix, CIVector> & Sendable] = [
      "inputRVector": \.rVector, "inputGVector": \.gVector, "inputBVector": \.bVector,
      "inputBiasVector": \.biasVector,
    ]

  init() { super.init(raw: nil) }

  /// The picture, in linear light of sRGB's primaries; nil without one, and where it cannot be rendered.
  public override var outputImage: CIImage? { inputImage?.changed(by: change) }

  /// Sets `inputImage`, or one of the vectors: `inputRVector`, `inputGVector`, `inputBVector` or
  /// `inputBiasVector`.
  public override func setValue(_ value: Any?, forKey key: String) {
    if key == "inputImage", let image = value as? CIImage {
      inputImage = image
      return
    }
    guard let path = Self.inputs[key], let vector = value as? CIVector else {
      return super.setValue(value, forKey: key)
    }
    self[keyPath: path] = vector
  }

  /// The picture or one of the vectors; nil for another key.
  public override func value(forKey key: String) -> Any? {
    key == "inputImage" ? inputImage : Self.inputs[key].map { self[keyPath: $0] }
  }

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

extension CIImage {
  /// The picture with another color in place of each, in linear light; nil where it cannot be rendered.
  fileprivate func changed(by change: RAWFilter.LinearSpaceFilter?) -> CIImage? {
    guard let change, let light = try? rendered(.linearSRGB, .float),
      case .float(var samples) = light.samples
    else { return nil }
    for place in stride(from: 0, to: samples.count - 2, by: 3) {
      let color = change(SIMD3(samples[place], samples[place + 1], samples[place + 2]))
      for component in 0..<3 { samples[place + component] = color[component] }
    }
    let changed = RenderedPicture(
      width: light.width, height: light.height, samples: .float(samples),
      colorSpace: light.colorSpace)
    return CIImage(.picture(changed), extent: extent)
  }
}

/// Four numbers, as filters take them.
public struct CIVector: Sendable, Hashable {
  /// The first number.
  public let x: CGFloat
  /// The second number.
  public let y: CGFloat
  /// The third number.
  public let z: CGFloat
  /// The fourth number.
  public let w: CGFloat

  /// A vector of four numbers.
  public init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }
}
