import CSignals
import Foundation

/// SIGINT, SIGTERM and SIGHUP, as they arrive.
struct ProcessSignals: Sendable {
  private let numbers: AsyncStream<Int32>

  init() {
    let (numbers, tell) = AsyncStream<Int32>.makeStream()
    self.numbers = numbers
    _ = Self.beganAtTerminal
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal_watch(number) }
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

  private static let beganAtTerminal = isatty(STDIN_FILENO) == 1

  private static var isTerminalGone: Bool {
    beganAtTerminal && isatty(STDIN_FILENO) != 1
  }

  /// The next one. A SIGHUP that comes because the terminal is gone counts as SIGTERM.
  func next() async -> Int32 {
    for await number in numbers {
      return number == SIGHUP && Self.isTerminalGone ? SIGTERM : number
    }
    return SIGTERM
  }
}
