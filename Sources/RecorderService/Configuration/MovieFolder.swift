import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Folders that movies go to.
enum MovieFolder {
  /// True if there is a folder at a path.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
  }
}

extension ServiceConfiguration.Channel {
  /// The name of its folder; nil if none is configured.
  var folderName: String? { folder?.pathParts().last.map { String($0) } }
}

extension ServiceConfiguration {
  /// Folders that are missing now, a line each. That is no error, since a disk may be mounted later.
  public var folderWarnings: [String] {
    channels.flatMap { channel in
      [("folder", channel.folder), ("second-folder", channel.secondFolder)]
        .compactMap { key, path in
          guard let path, !MovieFolder.isThere(path) else { return nil }
          return "channel \(channel.name): \(key) \(path) does not exist: no take can start; "
            + "create it, or mount its disk"
        }
    }
  }
}
