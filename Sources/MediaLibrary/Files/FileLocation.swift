import Glibc

/// A file as passed to system calls: a path, or a name in an open folder.
package struct FileLocation: Sendable, Hashable {
  /// The open folder, or AT_FDCWD.
  package let folder: Int32
  /// A name in the folder, or any path with AT_FDCWD.
  package let name: String

  package init(_ name: String, in folder: Int32) {
    self.folder = folder
    self.name = name
  }

  /// A path as seen by the process.
  package init(path: String) { self.init(path, in: AT_FDCWD) }
}
