package import SystemPackage

extension Errno {
  /// What helps where a file cannot be written to a disk or a share that gave out; nil for every other error, and for
  /// a disk that is merely full.
  ///
  /// - Parameters:
  ///   - path: The file that could not be made or written.
  ///   - room: The room of a folder's file system; a test puts its own here.
  package func remedy(
    writing path: String, room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> String? {
    switch self {
    case .noSpace where room(path.parentPath)?.lacksFiles == true:
      "the disk has space but no free inodes: delete files, or choose "
        + "another disk"
    case .diskQuotaExceeded:
      "your quota is used up: delete some of your files, raise the quota or choose another disk"
    case .readOnlyFileSystem:
      "the disk is mounted read-only, which Linux also does after a disk error: mount it for writing, "
        + "or choose a folder that you can write to"
    case .staleNFSFileHandle:
      "the server of the share has replaced or removed it: mount the share again"
    case .ioError:
      "the disk or its connection fails: check the disk and the kernel's messages (dmesg)"
    default: nil
    }
  }
}
