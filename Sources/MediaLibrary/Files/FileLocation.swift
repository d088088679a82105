import Glibc

/// A file as the system's calls name it: by a path, or by a name in an open folder.
package struct FileLocation: Sendable, Hashable {
  /// The open folder, or AT_FDCWD.
  package let folder: Int32
  /// A name in the folder; with AT_FDCWD any path.
  package let name: String

  /// A name in an open folder.
  package init(_ name: String, in folder: Int32) {
    self.folder = folder
    self.name = name
  }

  /// A path, as the process sees it.
  package init(path: String) { self.init(path, in: AT_FDCWD) }
}
