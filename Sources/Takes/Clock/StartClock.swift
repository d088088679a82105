import FoundationEssentials
import MediaCore

/// The settable system clock compared with the monotonic one, for starts at a time of day.
package struct StartClock: Sendable {
  /// What both show at one moment.
  package struct Reading: Sendable, Hashable {
    /// Seconds since 1970 UTC.
    package var unixTime: Double
    /// Nanoseconds of CLOCK_MONOTONIC.
    package var instant: Int64

    package init(unixTime: Double, instant: Int64) {
      (self.unixTime, self.instant) = (unixTime, instant)
    }
  }

  /// Reads both.
  package let read: @Sendable () -> Reading

  package init(_ read: @escaping @Sendable () -> Reading) { self.read = read }

  /// This system's.
  package static let system = StartClock {
    Reading(unixTime: Date().timeIntervalSince1970, instant: MonotonicClock.now)
  }
}

/// Notices that the system's clock was set, from look to look.
package struct ClockSteps: Sendable {
  private var last: StartClock.Reading

  /// Seconds by which a clock that is only made slower or faster never differs from look to look.
  private static let least = 0.1

  /// A message that the clock was set: `the system's clock was set back by 600.000 s`.
  package static func words(_ seconds: Double) -> String {
    let size = Int64(saturating: (seconds.magnitude * 1000).rounded())
    let thousandths = "\(1000 + size % 1000)".dropFirst()
    return "the system's clock was set \(seconds < 0 ? "back" : "forward") by "
      + "\(size / 1000).\(thousandths) s"
  }

  /// - Parameter reading: What the clocks show now.
  package init(from reading: StartClock.Reading) { last = reading }

  /// Compares a new reading with the last one.
  ///
  /// - Returns: The seconds by which the clock was set forward, negative for back; nil if it was not set.
  package mutating func step(to reading: StartClock.Reading) -> Double? {
    let passed = Double(reading.instant - last.instant) * 1e-9
    let step = reading.unixTime - last.unixTime - passed
    last = reading
    return step.magnitude >= Self.least ? step : nil
  }
}
