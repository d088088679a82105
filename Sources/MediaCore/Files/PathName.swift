/// The parts of a path by its bytes, as the system reads it: to `String` a slash and a mark that combines with
/// it are one character, and no slash.
extension String {
  /// True where a slash is in it.
  package var hasSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

  /// True where it begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The names on the way to what it is the path of.
  ///
  /// - Parameter keepsEmpty: True for those that are empty, too, as between two slashes.
  package func pathParts(keepsEmpty: Bool = false) -> [Substring] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: !keepsEmpty)
      .map { Substring($0) }
  }

  /// True for a folder itself, and for what is in it. Neither has links or a slash at its end.
  package func isPath(in folder: String) -> Bool {
    let folder = folder == "/" ? "" : folder
    guard utf8.starts(with: folder.utf8) else { return false }
    let next = utf8.dropFirst(folder.utf8.count).first
    return next == nil || next == UInt8(ascii: "/")
  }

  /// Where the name begins that a path ends with: behind its last slash.
  package var nameStart: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }

  /// The name that a path ends with; empty behind a slash.
  package var pathName: String { String(self[nameStart...]) }

  /// The path of the folder that a path's name stands in.
  package var parentPath: String {
    let start = nameStart
    guard start > startIndex else { return "." }
    let folder = self[..<utf8.index(before: start)]
    return folder.isEmpty ? "/" : String(folder)
  }
}
