import Synchronization

/// A limit in bytes per second that several connections share. A single connection can use all of
/// it.
package final class SpeedLimit: Sendable {
  package let bytesPerSecond: Int64
  private let clock: @Sendable () -> Double
  private let sleep: @Sendable (Double) -> Void
  /// The clock time at which the next byte may be sent.
  private let next: Mutex<Double>
  /// How much unused time may be made up for, in seconds, because sleeping threads wake up late.
  private static let slack = 0.1
  /// The interval between checks for cancellation while waiting, in seconds.
  private static let slice = 0.2

  /// - Parameters:
  ///   - bytesPerSecond: At least 1.
  ///   - clock: A monotonic clock, in seconds.
  ///   - sleep: Sleeps for a number of seconds.
  package init(
    _ bytesPerSecond: Int64, clock: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Double) -> Void
  ) {
    self.bytesPerSecond = max(bytesPerSecond, 1)
    (self.clock, self.sleep) = (clock, sleep)
    next = Mutex(clock())
  }

  /// The number of bytes to send at a time: a twentieth of a second's worth, so that connections
  /// take turns.
  var chunk: Int { Int(min(max(bytesPerSecond / 20, 512), 256 << 10)) }

  /// Waits until a number of bytes may be sent, in the order of calls.
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
