import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Folders that movies go to.
enum MovieFolder {
  /// True where two paths lead to one folder, as far as they can be followed.
  static func isSame(_ first: String, _ second: String) -> Bool {
    if let (one, other) = status(first).flatMap({ one in status(second).map { (one, $0) } }) {
      return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
    return FilePath(first).lexicallyNormalized() == FilePath(second).lexicallyNormalized()
  }

  /// True where a folder is at a path.
  static func isThere(_ path: String) -> Bool {
    status(path).map { $0.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) } ?? false
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}

extension ServiceConfiguration {
  /// Folders that are not there now, a line each. A disk may be mounted later, so that it is no fault.
  public var folderWarnings: [String] {
    channels.flatMap { channel in
      [("folder", channel.folder), ("second-folder", channel.secondFolder)]
        .compactMap { key, path in
          guard let path, !MovieFolder.isThere(path) else { return nil }
          return "channel \(channel.name): \(key) \(path) is not there: no take can begin; "
            + "make it, or mount its disk"
        }
    }
  }
}
