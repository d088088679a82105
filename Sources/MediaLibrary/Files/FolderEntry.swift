/// An entry in a folder.
package struct FolderEntry: Sendable, Hashable {
  package var name: String
  /// True if it is known to be a regular file; not all file systems tell.
  package var isRegularFile: Bool
  /// False if the name is not UTF-8: ``name`` is then only an approximation, and does not lead to
  /// the file.
  package var isUTF8: Bool

  package init(name: String, isRegularFile: Bool, isUTF8: Bool = true) {
    (self.name, self.isRegularFile, self.isUTF8) = (name, isRegularFile, isUTF8)
  }
}
