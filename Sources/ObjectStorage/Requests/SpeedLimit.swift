import Synchronization

/// Bytes a second of several connections together: one that is alone has all of them.
package final class SpeedLimit: Sendable {
  package let bytesPerSecond: Int64
  private let clock: @Sendable () -> Double
  private let sleep: @Sendable (Double) -> Void
  /// When the next byte may go, by the clock.
  private let next: Mutex<Double>
  /// Seconds for which what was not used may be made up: whoever sleeps wakes late.
  private static let slack = 0.1
  /// Seconds after which somebody who waits asks whether to go on.
  private static let slice = 0.2

  /// - Parameters:
  ///   - bytesPerSecond: At least 1.
  ///   - clock: Seconds of a clock that is never set.
  ///   - sleep: Sleeps for so many seconds.
  package init(
    _ bytesPerSecond: Int64, clock: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Double) -> Void
  ) {
    self.bytesPerSecond = max(bytesPerSecond, 1)
    (self.clock, self.sleep) = (clock, sleep)
    next = Mutex(clock())
  }

  /// Bytes to hand over at once: a twentieth of a second's, so that connections take turns.
  var chunk: Int { Int(min(max(bytesPerSecond / 20, 512), 256 << 10)) }

  /// Waits until so many bytes may go, in the order of those who ask.
  func wait(for count: Int, isCancelled: () -> Bool) {
    guard count > 0 else { return }
    let now = clock()
    let begin = next.withLock { next in
      let begin = max(next, now - Self.slack)
      next = begin + Double(count) / Double(bytesPerSecond)
      return begin
    }
    var seconds = begin - now
    while seconds > 0, !isCancelled() {
      sleep(min(seconds, Self.slice))
      seconds -= Self.slice
    }
  }
}
