import MediaCore

/// Skips frames so that a consumer gets at most a given number per second.
///
/// Camera clocks jitter, so a frame may be early by an eighth of the interval. The next one is due as if it had been
/// punctual, so the mean rate never exceeds the one asked for.
struct FramePacing: Sendable {
  /// The shortest time between two frames, as requested.
  let wanted: MediaTime
  /// In seconds; 0 for no limit.
  private let least: Double
  private var due: Double?
  private var last = -Double.infinity

  /// - Parameter wanted: The shortest time between two frames. No limit if it is not numeric, 0 or negative.
  init(_ wanted: MediaTime = .invalid) {
    self.wanted = wanted
    least = wanted.isNumeric ? max(wanted.seconds, 0) : 0
  }

  /// True if a frame at `time` is due.
  func isDue(_ time: MediaTime) -> Bool {
    guard least > 0, time.isNumeric else { return true }
    // Start over when the clock was set back.
    guard let due, time.seconds >= last else { return true }
    return time.seconds + least / 8 >= due
  }

  /// Notes that a due frame was delivered.
  mutating func give(_ time: MediaTime) {
    guard least > 0, time.isNumeric else { return }
    let now = time.seconds
    due = (now >= last ? max(due ?? now, now) : now) + least
    last = now
  }
}
