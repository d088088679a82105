import Dispatch
import Foundation

/// Calls a handler when the wall clock shows a time, also where the clock is set meanwhile.
final class WallTimer {
  private let source: any DispatchSourceTimer

  /// - Parameter unixTime: The time, in seconds since 1970 UTC.
  init(at unixTime: Double, _ handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(
      flags: .strict, queue: DispatchQueue(label: "recordctl.start"))
    let delay = unixTime - Date().timeIntervalSince1970
    source.schedule(wallDeadline: .now() + delay, leeway: .nanoseconds(0))
    source.setEventHandler(handler: handler)
    source.resume()
  }

  deinit { source.cancel() }
}
