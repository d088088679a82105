import CSignals
import Foundation

/// Input that is typed at the terminal on standard input.
struct TypedInput: Sendable {
  /// The system calls behind it, which tests replace.
  struct Calls: Sendable {
    /// `read(2)` of one byte: what it returned, the byte, and the error number.
    var read: @Sendable () -> (count: Int, byte: UInt8, errno: Int32) = {
      var byte: UInt8 = 0
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      return (count, byte, count < 0 ? errno : 0)
    }
    /// True while the terminal is another job's.
    var isOtherJobs: @Sendable () -> Bool = { Terminal(STDIN_FILENO, [:]).isOtherJobs }
    /// Waits until a terminal that does not block has something to read.
    var waitUntilReadable: @Sendable () -> Void = {
      var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      _ = poll(&state, 1, -1)
    }
    /// The time between two looks whether a terminal that is another job's is ours again.
    var pause: @Sendable () -> Void = { Thread.sleep(forTimeInterval: 0.3) }
  }

  var calls = Calls()

  /// From now on reading in the background fails, rather than stop the process.
  static func mayBeInBackground() { signal_ignore(SIGTTIN) }

  /// Waits for the next byte, and as long as the terminal is another job's. For a thread that may wait for ever.
  ///
  /// - Parameter whenBack: Called when a terminal that was another job's is ours again: it may have been set
  ///   otherwise meanwhile.
  /// - Returns: nil where none will come: the terminal is gone, or its input was ended.
  func next(whenBack: () -> Void = {}) -> UInt8? {
    while true {
      let (count, byte, error) = calls.read()
      if count == 1 { return byte }
      guard count < 0 else { return nil }
      switch error {
      case EINTR: continue
      case EAGAIN: calls.waitUntilReadable()
      case EIO where calls.isOtherJobs():
        repeat { calls.pause() } while calls.isOtherJobs()
        whenBack()
      default: return nil
      }
    }
  }
}
