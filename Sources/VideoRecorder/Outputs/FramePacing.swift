import MediaCore

/// Leaves out pictures that come sooner than asked for, so that there are at most so many a second.
///
/// A picture may come an eighth of the time too soon, as clocks of cameras do; the next one is due as if it had
/// not, and the mean rate is never above the one asked for.
struct FramePacing: Sendable {
  /// The least time from one picture to the next, as it was asked for.
  let wanted: MediaTime
  /// In seconds; 0 for no limit.
  private let least: Double
  private var due: Double?
  private var last = -Double.infinity

  /// - Parameter wanted: What is no number, or 0 or less, stands for no limit.
  init(_ wanted: MediaTime = .invalid) {
    self.wanted = wanted
    least = wanted.isNumeric ? max(wanted.seconds, 0) : 0
  }

  /// True where a picture of a time may be given.
  func isDue(_ time: MediaTime) -> Bool {
    guard least > 0, time.isNumeric else { return true }
    // A clock that was set back begins anew.
    guard let due, time.seconds >= last else { return true }
    return time.seconds + least / 8 >= due
  }

  /// Notes that a picture that was due is given.
  mutating func give(_ time: MediaTime) {
    guard least > 0, time.isNumeric else { return }
    let now = time.seconds
    due = (now >= last ? max(due ?? now, now) : now) + least
    last = now
  }
}
