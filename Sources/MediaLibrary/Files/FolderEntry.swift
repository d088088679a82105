/// What a folder lists.
package struct FolderEntry: Sendable, Hashable {
  package var name: String
  /// True for what is known to be a regular file: not all file systems say it.
  package var isRegularFile: Bool
  /// False for a name that is not UTF-8: ``name`` is then what can be told of it, and leads nowhere.
  package var isUTF8: Bool

  package init(name: String, isRegularFile: Bool, isUTF8: Bool = true) {
    (self.name, self.isRegularFile, self.isUTF8) = (name, isRegularFile, isUTF8)
  }
}
