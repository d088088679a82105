import Dispatch
import MediaCore
import Synchronization

/// Polls a timeline every few milliseconds, and reports when it reaches a time.
final class TimelineObserver: Sendable {
  private enum Occasion: Sendable {
    case every(CMTime)
    case times([CMTime])
    case from(CMTime)
  }

  /// A timeline step that exceeds the clock's step since the last check by more than this, in seconds at the timeline's
  /// rate, is a jump.
  private static let longestStep = 1.0

  private struct Look: Sendable {
    let time: CMTime
    /// The time of the source clock.
    let instant: CMTime

    init(_ timebase: CMTimebase) {
      time = timebase.time
      instant = timebase.sourceClock.time
    }
  }

  private let timebase: CMTimebase
  private let occasion: Occasion
  private let queue: DispatchQueue
  private let last: Mutex<Look>
  private let isOver = Mutex(false)

  init(_ timebase: CMTimebase, interval: CMTime, queue: DispatchQueue?) {
    (self.timebase, occasion) = (timebase, .every(interval))
    self.queue = queue ?? .main
    last = Mutex(Look(timebase))
  }

  init(_ timebase: CMTimebase, times: [CMTime], queue: DispatchQueue?) {
    (self.timebase, occasion) = (timebase, .times(times))
    self.queue = queue ?? .global()
    last = Mutex(Look(timebase))
  }

  /// Reports repeatedly while the timeline is at or after a time.
  init(_ timebase: CMTimebase, from time: CMTime) {
    (self.timebase, occasion, queue) = (timebase, .from(time), .global())
    last = Mutex(Look(timebase))
  }

  /// Starts polling.
  func begin(_ block: @escaping @Sendable (CMTime) -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
      guard let self, !isOver.withLock({ $0 }) else { return }
      let now = Look(timebase)
      let before = last.withLock { last in
        defer { last = now }
        return last
      }
      if isOccasion(from: before, to: now) { block(now.time) }
      begin(block)
    }
  }

  /// Ends the calls.
  func end() { isOver.withLock { $0 = true } }

  private func isOccasion(from lastLook: Look, to look: Look) -> Bool {
    let (before, now) = (lastLook.time, look.time)
    if case .from(let time) = occasion { return now >= time }
    guard before != now else { return false }
    let rate = timebase.rate
    let isOtherWay = rate < 0 ? now > before : now < before
    let step = abs((now - before).seconds)
    // A long delay of the queue is not a jump.
    let passed = (look.instant - lastLook.instant).seconds
    let isJump = isOtherWay || step > (passed + Self.longestStep) * max(abs(rate), 1)
    let (first, end) = (min(before, now), max(before, now))
    switch occasion {
    case .every(let interval):
      guard interval.isNumeric, interval > .zero else { return false }
      let length = interval.seconds
      let steps = (before.seconds / length).rounded(.down) - (now.seconds / length).rounded(.down)
      return isJump || steps != 0
    case .times(let times):
      return !isJump && times.contains { $0 > first && $0 <= end }
    case .from: return false
    }
  }
}
