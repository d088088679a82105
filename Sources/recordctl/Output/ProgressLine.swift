import Foundation
import Synchronization

/// One line that is redrawn on standard error, if that is a terminal. Callers never wait for the
/// terminal.
final class ProgressLine: Sendable {
  private let terminal = Terminal.standardError
  private let writer = MessageWriter.standardError
  private let lastDrawn = Mutex(0.0)

  /// True where the meters' block characters are shown.
  var hasBlocks: Bool { terminal.hasBlocks }

  /// Draws the line, at most ten times a second unless `immediately`. `text` is only made where it is drawn.
  func show(immediately: Bool = false, _ text: () -> String) {
    show(immediately: immediately) { _ in StatusText(text()) }
  }

  /// Draws a line made for the terminal's number of columns.
  func show(immediately: Bool = false, fitting line: (Int) -> StatusText) {
    guard terminal.isTerminal else { return }
    let now = ProcessInfo.processInfo.systemUptime
    let isDue = lastDrawn.withLock { last in
      guard immediately || now - last >= 0.1 else { return false }
      last = now
      return true
    }
    guard isDue, !terminal.isOtherJobs else { return }
    // The last column stays free: some terminals go on to the next line when it is written.
    let width = max(terminal.columns - 1, 1)
    writer.draw(
      line(width).prefix(columns: width), columns: width, inColor: terminal.hasColors)
  }

  /// Rings the bell, where there is a terminal.
  func ring() { if terminal.isTerminal { writer.ring() } }

  /// Takes the line away.
  func clear() { if terminal.isTerminal { writer.removeLine() } }
}
