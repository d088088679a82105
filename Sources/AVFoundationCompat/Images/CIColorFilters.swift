public import Foundation
import RawDevelop

/// Raises light by stops. Here it serves as ``CIRAWFilter/linearSpaceFilter`` alone, so it has no picture of
/// its own to work on.
public final class CIExposureAdjust: CIFilter {
  /// EV; 0.
  public var ev: Float = 0

  init() { super.init(raw: nil) }

  /// Sets `inputEV`.
  public override func setValue(_ value: Any?, forKey key: String) {
    guard key == "inputEV", let number = RAWFilter.number(value) else {
      return super.setValue(value, forKey: key)
    }
    ev = number
  }

  /// The value of `inputEV`; nil for another key.
  public override func value(forKey key: String) -> Any? { key == "inputEV" ? ev : nil }

  override var change: RAWFilter.LinearSpaceFilter? {
    let factor = Float(exp2(Double(ev)))
    return { $0 * factor }
  }
}

/// Mixes colors by a matrix. Here it serves as ``CIRAWFilter/linearSpaceFilter`` alone, so it has no picture
/// of its own to work on; alpha, which a photo has none of, stays 1.
public final class CIColorMatrix: CIFilter {
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

  /// Sets one of the vectors: `inputRVector`, `inputGVector`, `inputBVector` or `inputBiasVector`.
  public override func setValue(_ value: Any?, forKey key: String) {
    guard let path = Self.inputs[key], let vector = value as? CIVector else {
      return super.setValue(value, forKey: key)
    }
    self[keyPath: path] = vector
  }

  /// One of the vectors; nil for another key.
  public override func value(forKey key: String) -> Any? {
    Self.inputs[key].map { self[keyPath: $0] }
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
