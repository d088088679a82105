import MediaCore

/// The file names that the library's disk accepts.
enum NameRules: Sendable, Hashable {
  /// All that Linux accepts.
  case any
  /// FAT, exFAT and NTFS: some characters are excluded, and so are a trailing dot and space.
  case windows

  /// The rules of a file system by its type (linux/magic.h).
  init(fileSystemType type: Int?) {
    let fat = 0x4d44
    let exFAT = 0x2011_BAB0
    let ntfs3 = 0x7366_746E
    self = [fat, exFAT, ntfs3].contains(type) ? .windows : .any
  }

  /// Checks that the disk will store the name unchanged.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check(_ name: String) throws(MediaLibraryError) {
    guard self == .windows, let reason = Self.windowsObjection(to: name) else { return }
    throw Self.refusal(of: name, reason)
  }

  /// The error for a name that a disk refused, although its rules are unknown.
  static func refusal(of name: String) -> MediaLibraryError {
    refusal(of: name, windowsObjection(to: name) ?? "it")
  }

  private static func refusal(of name: String, _ reason: String) -> MediaLibraryError {
    MediaLibraryError(
      .invalidPath,
      "'\(name)': the library's disk does not accept \(reason) in a name; rename the file, or use a "
        + "library on another disk")
  }

  /// What FAT, exFAT and NTFS do not accept in a name; nil if they accept it.
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
