import MediaCore
import SystemPackage

extension MediaLibraryError {
  /// The error of a system call.
  ///
  /// - Parameter room: Returns the free space of a folder's file system; tests substitute it.
  static func system(
    _ verb: String, _ path: String, _ number: Errno,
    room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> MediaLibraryError {
    let (code, remedy): (Code, String) =
      switch number {
      // Invalid UTF-8 was decoded as U+FFFD, so the file is not found under that name.
      case .noSuchFileOrDirectory where path.unicodeScalars.contains("\u{FFFD}"):
        (.fileNotFound, "a name in it is not UTF-8; rename it")
      case .noSuchFileOrDirectory: (.fileNotFound, "name an existing file")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.accessDenied, "check the permissions of the file and its folder")
      case .noSpace, .diskQuotaExceeded:
        (.diskFull, "make room on the disk, or name a library on another one")
      case .isDirectory, .notDirectory, .tooManySymbolicLinkLevels:
        (.invalidPath, "name a file, not a folder or a link")
      case .invalidArgument where ["open", "make"].contains(verb):
        (.invalidPath, "the disk does not accept the name; rename the file, or name another disk")
      case .fileTooLarge:
        (.ioFailed, "the disk cannot hold so large a file (FAT: below 4 GiB); name another disk")
      default: (.ioFailed, "check the disk")
      }
    let words = number.remedy(writing: path, room: room) ?? remedy
    return MediaLibraryError(
      code, "\(path): cannot \(verb): \(number); \(words)", errno: number)
  }

  /// Makes a system call.
  ///
  /// - Throws: The call's error, with the action and the file.
  static func attempt<Result>(
    _ verb: String, _ path: String, _ call: () throws(Errno) -> Result
  ) throws(MediaLibraryError) -> Result {
    do throws(Errno) { return try call() } catch { throw .system(verb, path, error) }
  }

  /// The error named after the imported file, if the library's disk is full: the name of the file
  /// being written in the library would mean nothing to the user.
  func naming(_ file: String, library: String) -> MediaLibraryError {
    guard code == .diskFull else { return self }
    let fullness = fullness(of: library, else: "make room on it, or name a library on another one")
    return MediaLibraryError(
      .diskFull, "\(file): the disk of the library \(library) \(fullness)", from: self)
  }

  /// The error named after the destination folder, if its disk is full.
  func naming(folder: String) -> MediaLibraryError {
    guard code == .diskFull else { return self }
    let fullness = fullness(of: folder, else: "make room on it, or name a folder on another one")
    return MediaLibraryError(.diskFull, "\(folder): its disk \(fullness)", from: self)
  }

  /// Why a disk accepts no more data, and the remedy.
  ///
  /// - Parameter remedy: The remedy for a full disk.
  private func fullness(of folder: String, else remedy: String) -> String {
    let reason = errno.map { " (\($0))" } ?? ""
    if let words = errno?.remedy(writing: folder + "/") {
      return "accepts nothing more\(reason); \(words)"
    }
    return "is full\(reason); \(remedy)"
  }
}
