import Foundation

/// Enter, typed at the terminal.
enum EnterKey {
  /// True where standard input is a terminal.
  static var isPresent: Bool { isatty(STDIN_FILENO) == 1 }

  /// Waits for Enter. For a thread that may wait for ever.
  ///
  /// - Returns: False where none will come: the terminal is gone, or its input was ended.
  static func wait() -> Bool {
    TypedInput.mayBeInBackground()
    let input = TypedInput()
    while let byte = input.next() {
      if byte == UInt8(ascii: "\n") { return true }
    }
    return false
  }
}
