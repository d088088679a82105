import MediaCore

/// Tells a tone which pattern plays beside it and, where that has no pace, what time it is there.
///
/// A pattern without a pace runs through its time as fast as its frames are taken. The tone plays
/// along: it never runs ahead of the pattern, and the pattern waits if the tone falls behind.
final class PatternConductor: Sendable {
  private struct State {
    var now: Int64?
    var followers: [Int: Int64] = [:]
    var joined = 0
  }

  let schedule: PatternSchedule
  let isRealTime: Bool
  private let shared = WaitableMutex(State())

  /// Nanoseconds by which the tone may be behind.
  private static let lead: Int64 = 250_000_000

  /// From one look to the next whether a stream has ended, which nobody signals.
  private static let pollInterval: Int64 = 50_000_000

  init(schedule: PatternSchedule, isRealTime: Bool) {
    self.schedule = schedule
    self.isRealTime = isRealTime
  }

  // MARK: The pattern

  /// The time of the pattern is an instant of CLOCK_MONOTONIC now. Waits for the tones.
  func advance(to instant: Int64, unless isOver: () -> Bool) {
    shared.update { $0.now = instant }
    wait(unless: isOver) { state in
      guard let slowest = state.followers.values.min() else { return true }
      return slowest >= instant - Self.lead
    }
  }

  // MARK: The tone

  /// Follows the pattern from its first frame on, or from now. The pattern goes no further until
  /// the follower has begun.
  ///
  /// - Returns: The follower's number.
  func join() -> Int {
    shared.withLock { state in
      state.joined += 1
      state.followers[state.joined] = .min
      return state.joined
    }
  }

  /// Begins to follow.
  ///
  /// - Returns: The instant at which the pattern is; nil where the stream ended meanwhile.
  func begin(_ follower: Int, unless isOver: () -> Bool) -> Int64? {
    wait(unless: isOver) { $0.now != nil }
    return shared.update { state in
      guard let now = state.now else { return nil }
      state.followers[follower] = now
      return now
    }
  }

  /// Waits until the pattern has come to an instant.
  ///
  /// - Returns: False where the stream ended meanwhile.
  func wait(for instant: Int64, follower: Int, unless isOver: () -> Bool) -> Bool {
    shared.update { $0.followers[follower] = instant }
    wait(unless: isOver) { ($0.now ?? 0) >= instant }
    return !isOver()
  }

  /// Does not follow any longer.
  func leave(_ follower: Int) {
    shared.update { $0.followers[follower] = nil }
  }

  private func wait(unless isOver: () -> Bool, until isTime: (State) -> Bool) {
    while !isOver() {
      let deadline = MonotonicClock.now + Self.pollInterval
      if shared.wait(deadline: deadline, until: { isTime($0) ? true : nil }) != nil { return }
    }
  }
}
