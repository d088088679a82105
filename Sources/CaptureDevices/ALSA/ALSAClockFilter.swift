import MediaCore

/// Time stamps of a sample clock, smoothed.
///
/// A driver tells when so many frames were ready, some tens of microseconds to some milliseconds
/// wrong each time. A delay-locked loop of second order follows the clock's true rate and gives
/// each run its time; time and rate converge within some seconds.
struct ALSAClockFilter {
  private let sampleRate: Double
  private var next: Double = 0
  private var secondsPerFrame: Double
  private var isLocked = false

  /// How quickly the loop follows, in hertz.
  private static let bandwidth = 0.2

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
    self.secondsPerFrame = 1 / Double(sampleRate)
  }

  /// The nanosecond that the frame after the last one is expected at; nil at the beginning.
  var expected: Int64? { isLocked ? Int64(saturating: (next * 1e9).rounded()) : nil }

  /// Forgets where the stream was, not how fast the clock runs.
  mutating func reset() { isLocked = false }

  /// The smoothed time of a run's first frame.
  ///
  /// - Parameters:
  ///   - nanoseconds: Its time as measured.
  ///   - frames: Frames of the run.
  mutating func take(nanoseconds: Int64, frames: Int) -> Int64 {
    let measured = Double(nanoseconds) * 1e-9
    let run = Double(frames)
    guard isLocked else {
      isLocked = true
      next = measured + run * secondsPerFrame
      return nanoseconds
    }
    let error = measured - next
    let start = next
    let omega = min(2 * 3.141592653589793 * Self.bandwidth * run / sampleRate, 0.5)
    next += run * secondsPerFrame + 1.414 * omega * error
    secondsPerFrame += omega * omega * error / run
    // No crystal is off by more than a thousandth.
    let nominal = 1 / sampleRate
    secondsPerFrame = min(max(secondsPerFrame, nominal * 0.999), nominal * 1.001)
    return Int64(saturating: (start * 1e9).rounded())
  }
}
