/// How much light a sensor's frame was made with.
public struct SensorExposure: Sendable, Hashable {
  /// Seconds for which the sensor gathers light.
  public var duration: Double
  /// Amplification, 1 for none.
  public var gain: Double

  /// An exposure from its parts.
  public init(duration: Double, gain: Double = 1) {
    self.duration = duration
    self.gain = gain
  }

  /// What the exposure makes of light: codes are proportional to it.
  public var amount: Double { duration * gain }
}
