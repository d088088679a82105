import Glibc
import MediaCore

/// A file's status.
package struct FileFacts: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// The modification time in nanoseconds since 1970.
  package var modified: Int64
  /// Distinguishes the file from all others.
  let identity: FileIdentity
  private var mode: UInt32

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    // Times after the year 2262, which a file may have, are clamped.
    modified = Int64(status.st_mtim.tv_sec).multipliedSaturating(by: 1_000_000_000)
      .addingSaturating(Int64(status.st_mtim.tv_nsec))
    identity = FileIdentity(status)
    mode = status.st_mode
  }

  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
}
