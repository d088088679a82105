import Dispatch
import Foundation
import Synchronization

/// Single keys typed in the command's terminal, without Enter and without echo.
/// Ctrl-C and similar keys still send signals.
final class TerminalKeys: Sendable {
  private let former: Mutex<termios?>

  /// Calls a handler with each key; nil if standard input is not a terminal, or the command is not in its
  /// foreground.
  init?(_ handler: @escaping @Sendable (UInt8) -> Void) {
    var settings = termios()
    // A program in the background would be stopped for touching the terminal that controls it.
    let owner = tcgetpgrp(STDIN_FILENO)
    guard isatty(STDIN_FILENO) == 1, owner == -1 || owner == getpgrp(),
      tcgetattr(STDIN_FILENO, &settings) == 0
    else { return nil }
    TypedInput.mayBeInBackground()
    former = Mutex(settings)
    Self.takeKeys(with: settings)
    // A thread that waits for a key for ever ends with the program.
    DispatchQueue(label: "recordctl.keys").async { [weak self] in
      let input = TypedInput()
      while let key = input.next(whenBack: { self?.takeKeysAgain() }) { handler(key) }
    }
  }

  deinit { restore() }

  private static func takeKeys(with settings: termios) {
    var settings = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Resumes in the foreground, after a shell has set the terminal to whole lines.
  private func takeKeysAgain() {
    former.withLock { former in
      guard let former else { return }
      Self.takeKeys(with: former)
    }
  }

  /// Restores the terminal's settings.
  func restore() {
    former.withLock { former in
      guard var settings = former.take() else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }
}
