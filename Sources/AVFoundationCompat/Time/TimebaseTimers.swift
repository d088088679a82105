import Dispatch
import MediaCore
import Synchronization

/// Timers that fire when a timeline reaches a time.
final class TimebaseTimers: Sendable {
  /// Unchecked: `DispatchSourceTimer` is not declared `Sendable`, but Dispatch sources may be used from any thread.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
    /// Nil if it is not scheduled, or has fired.
    var fireTime: CMTime?
    /// When it fires at the present rate; nil for never.
    var deadline: DispatchTime?

    init(_ source: any DispatchSourceTimer) { self.source = source }

    mutating func schedule(_ newDeadline: DispatchTime?) {
      deadline = newDeadline
      source.schedule(deadline: newDeadline ?? .distantFuture)
    }
  }

  private let timers = Mutex<[ObjectIdentifier: Timer]>([:])

  private static func name(_ source: any DispatchSourceTimer) -> ObjectIdentifier {
    ObjectIdentifier(source as AnyObject)
  }

  /// Adds a timer, which does not fire before a time is set.
  func add(_ source: any DispatchSourceTimer) {
    let name = Self.name(source)
    // See `Timer`: Dispatch sources may be used from any thread.
    nonisolated(unsafe) let source = source
    timers.withLock { timers in
      guard timers[name] == nil else { return }
      timers[name] = Timer(source)
      timers[name]?.schedule(nil)
    }
  }

  /// Removes a timer, which then no longer fires; false if it is unknown.
  func remove(_ source: any DispatchSourceTimer) -> Bool {
    let name = Self.name(source)
    return timers.withLock { timers in
      timers[name]?.schedule(nil)
      return timers.removeValue(forKey: name) != nil
    }
  }

  /// Makes a timer fire once; false if it is unknown.
  ///
  /// - Parameters:
  ///   - source: The timer.
  ///   - time: When, on the timeline; nil for now.
  ///   - timeline: The timeline. It is read under the lock, so that the last of concurrent changes applies.
  func fire(
    _ source: any DispatchSourceTimer, at time: CMTime?,
    on timeline: @autoclosure () -> (time: CMTime, rate: Double)
  ) -> Bool {
    let name = Self.name(source)
    return timers.withLock { timers in
      guard timers[name] != nil else { return false }
      timers[name]?.fireTime = time
      timers[name]?.schedule(time.map { Self.deadline($0, on: timeline()) } ?? .now())
      return true
    }
  }

  /// Stops a timer from firing; false if it is unknown.
  func silence(_ source: any DispatchSourceTimer) -> Bool {
    let name = Self.name(source)
    return timers.withLock { timers in
      timers[name]?.fireTime = nil
      timers[name]?.schedule(nil)
      return timers[name] != nil
    }
  }

  /// Reschedules all timers after a change of the timeline. A timer whose deadline has passed has fired.
  func follow(_ timeline: @autoclosure () -> (time: CMTime, rate: Double)) {
    timers.withLock { timers in
      guard !timers.isEmpty else { return }
      let (timeline, now) = (timeline(), DispatchTime.now())
      for name in timers.keys {
        if let deadline = timers[name]?.deadline, deadline <= now {
          timers[name]?.fireTime = nil
          timers[name]?.deadline = nil
        } else if let time = timers[name]?.fireTime {
          timers[name]?.schedule(Self.deadline(time, on: timeline))
        }
      }
    }
  }

  /// When a timeline reaches a time: now if it is past it, nil if it is stopped.
  private static func deadline(
    _ time: CMTime, on timeline: (time: CMTime, rate: Double)
  ) -> DispatchTime? {
    guard timeline.rate != 0 else { return nil }
    let seconds = (time - timeline.time).seconds / timeline.rate
    // Limits delays to about a century.
    return .now() + min(max(seconds, 0), 3e9)
  }
}
