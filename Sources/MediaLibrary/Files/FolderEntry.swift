/// What a folder lists.
package struct FolderEntry: Sendable, Hashable {
  package var name: String
  /// True for what is known to be a regular file: not all file systems say it.
  package var isRegularFile: Bool

  package init(name: String, isRegularFile: Bool) {
    (self.name, self.isRegularFile) = (name, isRegularFile)
  }
}
