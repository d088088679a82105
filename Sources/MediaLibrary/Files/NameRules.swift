import MediaCore

/// Which names the disk of a library takes.
enum NameRules: Sendable, Hashable {
  /// All that Linux takes.
  case any
  /// FAT, exFAT and NTFS: not all characters, and no dot or space at the end.
  case windows

  /// The rules of a file system by its type (linux/magic.h).
  init(fileSystemType type: Int?) {
    let fat = 0x4d44
    let exFAT = 0x2011_BAB0
    let ntfs3 = 0x7366_746E
    self = [fat, exFAT, ntfs3].contains(type) ? .windows : .any
  }

  /// Makes sure that a name is one that the disk keeps as it is.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check(_ name: String) throws(MediaLibraryError) {
    guard self == .windows, let reason = Self.windowsObjection(to: name) else { return }
    throw Self.refusal(of: name, reason)
  }

  /// The error for a name that a disk refused, though it keeps to no rules that are known here.
  static func refusal(of name: String) -> MediaLibraryError {
    refusal(of: name, windowsObjection(to: name) ?? "it")
  }

  private static func refusal(of name: String, _ reason: String) -> MediaLibraryError {
    MediaLibraryError(
      .invalidPath,
      "'\(name)': the library's disk does not take \(reason) in a name; rename the file, or name a "
        + "library on another disk")
  }

  /// What FAT, exFAT and NTFS do not take of a name; nil for nothing.
  private static func windowsObjection(to name: String) -> String? {
    let refused: [Unicode.Scalar] = ["\\", ":", "*", "?", "\"", "<", ">", "|"]
    if let character = name.unicodeScalars.first(where: refused.contains) {
      return "'\(character)'"
    }
    switch name.utf8.last {
    case UInt8(ascii: "."): return "a dot at the end"
    case UInt8(ascii: " "): return "a space at the end"
    default: return nil
    }
  }
}
