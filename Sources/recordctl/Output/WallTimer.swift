import Dispatch
import Foundation
import Synchronization
import Takes

/// Calls a handler when the wall clock shows a time, also where the clock is set meanwhile, which is told.
final class WallTimer {
  private let source: any DispatchSourceTimer
  private let looks: any DispatchSourceTimer

  /// Seconds between two looks whether the clock was set.
  private static let interval = 0.5

  /// - Parameters:
  ///   - unixTime: The time, in seconds since 1970 UTC.
  ///   - isAwaited: False once nobody waits for it any more.
  init(
    at unixTime: Double, isAwaited: @escaping @Sendable () -> Bool = { true },
    _ handler: @escaping @Sendable () -> Void
  ) {
    let queue = DispatchQueue(label: "recordctl.start")
    let looks = DispatchSource.makeTimerSource(queue: queue)
    let steps = Mutex(ClockSteps(from: StartClock.system.read()))
    looks.schedule(deadline: .now(), repeating: Self.interval)
    let look: @Sendable () -> Void = {
      let step = steps.withLock { $0.step(to: StartClock.system.read()) }
      guard let step, isAwaited() else { return }
      Console.note(
        "\(ClockSteps.words(step)): the recording starts when it shows the requested time")
    }
    looks.setEventHandler(handler: look)
    looks.resume()
    self.looks = looks
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    let delay = unixTime - Date().timeIntervalSince1970
    source.schedule(wallDeadline: .now() + delay, leeway: .nanoseconds(0))
    source.setEventHandler {
      look()
      looks.cancel()
      handler()
    }
    source.resume()
  }

  deinit {
    source.cancel()
    looks.cancel()
  }
}
