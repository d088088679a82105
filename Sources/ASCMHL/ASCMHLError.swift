public import MediaCore
import SystemPackage

/// What can go wrong with copies and their manifests.
public struct ASCMHLError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// There is no such file or folder.
    public static let fileNotFound = Self(name: "fileNotFound")
    /// The system refused access.
    public static let accessDenied = Self(name: "accessDenied")
    /// A path that leads out of its folder, goes through a symbolic link, or names something that
    /// cannot be copied.
    public static let invalidPath = Self(name: "invalidPath")
    /// A manifest or a chain that is missing, cannot be read, or was changed.
    public static let invalidManifest = Self(name: "invalidManifest")
    /// A name that a manifest cannot hold.
    public static let invalidName = Self(name: "invalidName")
    /// A copy does not have the bytes that it should have.
    public static let verificationFailed = Self(name: "verificationFailed")
    /// No space or quota is left (ENOSPC, EDQUOT).
    public static let diskFull = Self(name: "diskFull")
    /// Another system call failed.
    public static let ioFailed = Self(name: "ioFailed")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}

extension ASCMHLError {
  /// The error for a failed system call.
  ///
  /// - Parameter room: Returns the free space of a folder's file system; tests replace it.
  static func system(
    _ verb: String, _ path: String, _ error: Errno,
    room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> ASCMHLError {
    let (code, remedy): (Code, String) =
      switch error {
      case .noSuchFileOrDirectory: (.fileNotFound, "name one that exists")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.accessDenied, "check the permissions of the file and its folder")
      case .noSpace, .diskQuotaExceeded: (.diskFull, "free some space on the disk")
      case .isDirectory, .notDirectory, .tooManySymbolicLinkLevels:
        (.invalidPath, "links are not followed, and a file is not a folder")
      case .fileNameTooLong: (.invalidPath, "shorten the name")
      case .invalidArgument where ["open", "rename", "make"].contains(verb):
        (.invalidPath, "the disk does not take the name; rename it, or copy to another disk")
      case .fileTooLarge:
        (.ioFailed, "the disk cannot hold so large a file (FAT: below 4 GiB); copy to another disk")
      default: (.ioFailed, "check the disk")
      }
    let words = error.remedy(writing: path, room: room) ?? remedy
    return ASCMHLError(code, "\(path): cannot \(verb): \(error); \(words)", errno: error)
  }
}
