import Foundation
import Synchronization

/// Tells a tone which pattern plays beside it and, where that has no pace, what time it is there.
///
/// A pattern without a pace runs through its time as fast as its pictures are taken. The tone plays
/// along: it never runs ahead of the pattern, and the pattern waits where the tone falls behind.
final class PatternConductor: @unchecked Sendable {
  // Unchecked: `condition` guards what may change.
  let schedule: PatternSchedule
  let isRealTime: Bool
  private let condition = NSCondition()
  private var now: Int64?
  private var followers: [Int: Int64] = [:]
  private var joined = 0

  /// Nanoseconds by which the tone may be behind.
  private static let lead: Int64 = 250_000_000

  /// The pattern that was opened last; nil where there is none any more.
  static var current: PatternConductor? { latest.withLock { $0.value } }
  private static let latest = Mutex(Latest())
  private struct Latest { weak var value: PatternConductor? }

  init(schedule: PatternSchedule, isRealTime: Bool) {
    self.schedule = schedule
    self.isRealTime = isRealTime
    Self.latest.withLock { $0.value = self }
  }

  // MARK: The pattern

  /// The time of the pattern is an instant of CLOCK_MONOTONIC now. Waits for the tones.
  func advance(to instant: Int64, unless isOver: () -> Bool) {
    condition.withLock {
      now = instant
      condition.broadcast()
      while let slowest = followers.values.min(), slowest < instant - Self.lead, !isOver() {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
      }
    }
  }

  // MARK: The tone

  /// Follows the pattern from its first frame on, or from now. The pattern goes no further until
  /// the follower has begun.
  ///
  /// - Returns: The follower's number.
  func join() -> Int {
    condition.withLock {
      joined += 1
      followers[joined] = .min
      return joined
    }
  }

  /// Begins to follow.
  ///
  /// - Returns: The instant at which the pattern is; nil where the stream ended meanwhile.
  func begin(_ follower: Int, unless isOver: () -> Bool) -> Int64? {
    condition.withLock {
      while now == nil, !isOver() {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
      }
      guard let now else { return nil }
      followers[follower] = now
      condition.broadcast()
      return now
    }
  }

  /// Waits until the pattern has come to an instant.
  ///
  /// - Returns: False where the stream ended meanwhile.
  func wait(for instant: Int64, follower: Int, unless isOver: () -> Bool) -> Bool {
    condition.withLock {
      followers[follower] = instant
      condition.broadcast()
      while (now ?? 0) < instant, !isOver() {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
      }
      return !isOver()
    }
  }

  /// Does not follow any longer.
  func leave(_ follower: Int) {
    condition.withLock {
      followers[follower] = nil
      condition.broadcast()
    }
  }
}
