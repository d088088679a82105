import Dispatch
import MediaCore
import Synchronization

/// Timers that fire when a timeline comes to a time.
final class TimebaseTimers: Sendable {
  /// Unchecked because Dispatch does not say that its sources are: they can be used from any thread.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
    /// Nil if it is not to fire, and once it has.
    var fireTime: CMTime?
    /// When it fires as things are; nil for never.
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

  /// Takes a timer, which does not fire before it has a time.
  func add(_ source: any DispatchSourceTimer) {
    let name = Self.name(source)
    nonisolated(unsafe) let source = source
    timers.withLock { timers in
      guard timers[name] == nil else { return }
      timers[name] = Timer(source)
      timers[name]?.schedule(nil)
    }
  }

  /// Lets go of a timer, which does not fire any more; false if it was not here.
  func remove(_ source: any DispatchSourceTimer) -> Bool {
    let name = Self.name(source)
    return timers.withLock { timers in
      timers[name]?.schedule(nil)
      return timers.removeValue(forKey: name) != nil
    }
  }

  /// Has a timer fire once; false if it is not here.
  ///
  /// - Parameters:
  ///   - source: The timer.
  ///   - time: When, on the timeline; nil for at once.
  ///   - timeline: The timeline, looked at under the lock: of changes at the same time the last one counts.
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

  /// Has a timer not fire; false if it is not here.
  func silence(_ source: any DispatchSourceTimer) -> Bool {
    let name = Self.name(source)
    return timers.withLock { timers in
      timers[name]?.fireTime = nil
      timers[name]?.schedule(nil)
      return timers[name] != nil
    }
  }

  /// Schedules all timers anew for a timeline that has changed. One whose time had come has fired.
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

  /// When a timeline comes to a time: now if it is past that, nil if it stands still.
  private static func deadline(
    _ time: CMTime, on timeline: (time: CMTime, rate: Double)
  ) -> DispatchTime? {
    guard timeline.rate != 0 else { return nil }
    let seconds = (time - timeline.time).seconds / timeline.rate
    // No timer waits for longer than a century.
    return .now() + min(max(seconds, 0), 3e9)
  }
}
