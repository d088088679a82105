import Foundation

/// What a descriptor can show.
struct Terminal: Sendable {
  /// The terminal, or not, that standard error leads to.
  static let standardError = Terminal(STDERR_FILENO, ProcessInfo.processInfo.environment)

  let descriptor: Int32
  /// False for files, pipes and devices.
  let isTerminal: Bool
  /// True if the cursor can be moved, to redraw. False for a terminal whose type is `dumb` or
  /// unknown.
  let hasCursor: Bool
  /// True where colors are shown and wanted: see no-color.org.
  let hasColors: Bool
  /// True where the meters' block characters are shown.
  let hasBlocks: Bool

  init(_ descriptor: Int32, _ environment: [String: String]) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    let said = environment["TERM"] ?? ""
    let type = said.isEmpty ? "dumb" : said
    hasCursor = isTerminal && type != "dumb"
    hasColors = isTerminal && type != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    // The font of the kernel's own console has no such blocks.
    hasBlocks = isTerminal && !["dumb", "linux"].contains(type) && Self.isUTF8(environment)
  }

  /// As the C library chooses a locale: the first of the three that is set.
  static func isUTF8(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let name = locale?.lowercased() ?? ""
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Columns at present; 80 where that is unknown.
  var columns: Int {
    // struct winsize: rows, columns, and two unused fields. Several C modules define it, so
    // its fields cannot be named reliably.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.columns > 0 else { return 80 }
    return Int(size.columns)
  }

  /// Rows at present; 24 where that is unknown.
  var rows: Int {
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.rows > 0 else { return 24 }
    return Int(size.rows)
  }

  /// True where the terminal is another job's at present: what we draw would be in its way.
  var isOtherJobs: Bool {
    let group = tcgetpgrp(descriptor)
    return group > 0 && group != getpgrp()
  }
}
