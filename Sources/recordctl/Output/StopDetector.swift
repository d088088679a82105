/// Detects that the process was suspended, by a late beat of a timer together with SIGCONT, in either order. SIGCONT
/// alone is not enough, because it is also sent when a terminal hangs up, nor is a late beat.
struct StopDetector {
  typealias Instant = ContinuousClock.Instant

  /// A beat that comes later than this was held up.
  private static let longestBeat = Duration.milliseconds(500)
  /// How long a late beat and the signal may be apart on a machine that is busy.
  private static let longestDelay = Duration.seconds(3)

  private var lastBeat: Instant
  private var gap: (duration: Duration, end: Instant)?
  private var continued: Instant?

  init(at now: Instant = .now) { lastBeat = now }

  /// A beat; how long the process was stopped before it, where it was.
  mutating func beat(at now: Instant) -> Duration? {
    let duration = now - lastBeat
    lastBeat = now
    if duration > Self.longestBeat { gap = (duration, now) }
    return stop(by: now)
  }

  /// Handles SIGCONT. Returns how long the process was suspended, if the late beat came first.
  mutating func wasContinued(at now: Instant) -> Duration? {
    continued = now
    return stop(by: now)
  }

  private mutating func stop(by now: Instant) -> Duration? {
    if let end = gap?.end, now - end > Self.longestDelay { gap = nil }
    if let continued, now - continued > Self.longestDelay { self.continued = nil }
    guard let gap, continued != nil else { return nil }
    (self.gap, continued) = (nil, nil)
    return gap.duration
  }
}
