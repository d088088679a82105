import Foundation
import Synchronization

/// One line on standard error that is written over and over, where that is a terminal.
final class ProgressLine: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  private struct State {
    var lastDrawn = 0.0
    var width = 0
  }

  /// Draws the line, at most ten times a second. `text` is only made where it is drawn.
  func show(_ text: () -> String) { show(fitting: { _ in text() }) }

  /// Draws a line that is made to fit so many columns.
  func show(fitting text: (Int) -> String) {
    guard isTerminal else { return }
    let now = ProcessInfo.processInfo.systemUptime
    let isDue = state.withLock { state in
      guard now - state.lastDrawn >= 0.1 else { return false }
      state.lastDrawn = now
      return true
    }
    guard isDue else { return }
    // The last column stays free: some terminals go on to the next line when it is written.
    let width = max(Self.terminalWidth - 1, 20)
    let line = String(text(width).visible.prefix(width))
    let padding = state.withLock { state in
      defer { state.width = line.count }
      return max(0, state.width - line.count)
    }
    write("\r" + line + String(repeating: " ", count: padding))
  }

  /// Takes the line away.
  func clear() {
    let width = state.withLock { state in
      defer { state.width = 0 }
      return state.width
    }
    if width > 0 { write("\r" + String(repeating: " ", count: width) + "\r") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  private static var terminalWidth: Int {
    // struct winsize: rows, columns, and two that nobody fills. Several C modules define it, so
    // that its fields cannot be named dependably.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.columns > 0 else { return 80 }
    return Int(size.columns)
  }
}
