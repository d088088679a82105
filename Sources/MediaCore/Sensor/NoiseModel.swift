/// The noise of a sensor's samples, as a function of what they measure.
///
/// Samples are normalized: 0 is black and 1 is white. The variance of a sample whose mean is `x`
/// is `scale * x + offset`: shot noise grows with the light, read noise is always there. It is
/// the model of DNG's NoiseProfile.
public struct NoiseModel: Sendable, Hashable {
  /// Variance for each unit of signal.
  public var scale: Double
  /// Variance in the dark.
  public var offset: Double

  /// A model from its two figures, both at a gain of one.
  public init(scale: Double, offset: Double) {
    self.scale = scale
    self.offset = offset
  }

  /// The variance of a sample with a mean of `signal`.
  public func variance(_ signal: Double) -> Double { max(scale * max(signal, 0) + offset, 0) }

  /// The model at a gain: a sample stands for fewer electrons, and their noise is amplified.
  public func amplified(by gain: Double) -> NoiseModel {
    NoiseModel(scale: scale * gain, offset: offset * gain * gain)
  }
}
