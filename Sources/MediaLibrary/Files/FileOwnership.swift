import Glibc

/// Who may write to a file: its owner and permissions.
struct FileOwnership: Sendable, Hashable {
  /// The owner's user ID.
  var owner: UInt32
  var group: UInt32
  /// Kind and permissions.
  var mode: UInt32

  init(_ status: stat) {
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode
  }

  var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
}
