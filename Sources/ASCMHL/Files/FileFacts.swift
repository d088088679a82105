import Glibc
import MediaCore

/// What the system says of a file.
package struct FileFacts: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// When the content changed last, in nanoseconds since 1970.
  package var modified: Int64
  /// What tells it from all other files.
  let identity: FileIdentity
  private var mode: UInt32

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    // A time of the year 2262 or later, which a file may have, is told as the last one that there is.
    modified = Int64(status.st_mtim.tv_sec).multipliedSaturating(by: 1_000_000_000)
      .addingSaturating(Int64(status.st_mtim.tv_nsec))
    identity = FileIdentity(status)
    mode = status.st_mode
  }

  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
}
