import CSignals
import Foundation

/// Enter, typed at the terminal.
enum EnterKey {
  /// True where standard input is a terminal.
  static var isPresent: Bool { isatty(STDIN_FILENO) == 1 }

  /// Seconds between two looks whether a terminal that is another job's is ours again.
  private static let retryInterval = 0.3

  /// Waits for Enter. For a thread that may wait for ever.
  ///
  /// - Returns: False where none will come: the terminal is gone, or its input was ended.
  static func wait() -> Bool {
    // In the background reading fails, rather than stop the process.
    signal_ignore(SIGTTIN)
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 {
        if byte == UInt8(ascii: "\n") { return true }
        continue
      }
      guard count < 0 else { return false }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&state, 1, -1)
      case EIO where Terminal(STDIN_FILENO, [:]).isOtherJobs:
        Thread.sleep(forTimeInterval: retryInterval)
      default: return false
      }
    }
  }
}
