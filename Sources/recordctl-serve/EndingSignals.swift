import CSignals
import Foundation

/// SIGINT and SIGTERM, as they arrive.
struct EndingSignals: Sendable {
  private let numbers: AsyncStream<Int32>

  init() {
    let (numbers, tell) = AsyncStream<Int32>.makeStream()
    self.numbers = numbers
    for number in [SIGINT, SIGTERM] { _ = signal_watch(number) }
    let thread = Thread {
      while case let number = signal_next(), number > 0 {
        tell.yield(number)
        signal_heard()
      }
      tell.finish()
    }
    thread.name = "signals"
    thread.start()
  }

  /// The next one.
  func next() async -> Int32 {
    for await number in numbers { return number }
    return SIGTERM
  }
}
