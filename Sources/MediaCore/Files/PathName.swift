/// The parts of a path by its bytes, as the system reads it: to `String` a slash and a mark that combines with
/// it are one character, and no slash.
extension String {
  /// True where a slash is in it.
  package var hasSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

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
