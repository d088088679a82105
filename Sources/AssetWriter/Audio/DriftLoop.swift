/// Measures by how much a sound card's clock differs from the video's.
///
/// A control loop of second order, as in a phase-locked loop: its input is the audio's offset
/// from its place, its output the stretch to apply. A constant clock difference leaves no lasting
/// error. The bandwidth is narrow, so timestamp jitter is not heard: a step of 100 ppm displaces audio
/// by less than half a millisecond before it is compensated.
package struct DriftLoop: Sendable {
  /// The rate at which the loop follows, in hertz.
  package static let bandwidth = 0.02
  /// The largest stretch. Crystals differ by less than 200 ppm; a thousandth is 1.7 cents of pitch.
  package static let largestStretch = 1000e-6

  /// The lasting part of the stretch: positive if the audio clock is slow.
  package private(set) var rate = 0.0

  /// The stretch that corrects the displacement of samples.
  ///
  /// - Parameters:
  ///   - error: The seconds by which their place is behind the track's end.
  ///   - duration: Its length in seconds.
  package mutating func stretch(for error: Double, over duration: Double) -> Double {
    let omega = 2 * Double.pi * Self.bandwidth
    let limit = Self.largestStretch
    rate = min(max(rate + error * omega * omega * duration, -limit), limit)
    return min(max(rate + 2.0.squareRoot() * omega * error, -limit), limit)
  }
}
