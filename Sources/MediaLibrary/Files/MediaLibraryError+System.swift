import MediaCore
import SystemPackage

extension MediaLibraryError {
  /// The error of a system call.
  static func system(_ verb: String, _ path: String, _ number: Errno) -> MediaLibraryError {
    let (code, remedy): (Code, String) =
      switch number {
      // Invalid UTF-8 was read as U+FFFD, and the file is not found under that name.
      case .noSuchFileOrDirectory where path.unicodeScalars.contains("\u{FFFD}"):
        (.fileNotFound, "a name has to be UTF-8; rename the file")
      case .noSuchFileOrDirectory: (.fileNotFound, "name a file that is there")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.accessDenied, "see to the permissions of the file and its folder")
      case .noSpace, .diskQuotaExceeded:
        (.diskFull, "make room on the disk, or name a library on another one")
      case .isDirectory, .notDirectory, .tooManySymbolicLinkLevels:
        (.invalidPath, "name a file, not a folder or a link")
      case .invalidArgument where ["open", "make"].contains(verb):
        (.invalidPath, "the disk does not take the name; rename the file, or name another disk")
      case .fileTooLarge:
        (.ioFailed, "the disk takes no file of that size, FAT none of 4 GiB; name another disk")
      default: (.ioFailed, "see to the disk")
      }
    return MediaLibraryError(
      code, "\(path): cannot \(verb): \(number); \(remedy)", errno: number)
  }

  /// Makes a system call.
  ///
  /// - Throws: What it throws, with what was tried on which file.
  static func attempt<Result>(
    _ verb: String, _ path: String, _ call: () throws(Errno) -> Result
  ) throws(MediaLibraryError) -> Result {
    do throws(Errno) { return try call() } catch { throw .system(verb, path, error) }
  }

  /// The error told of the file that was to be taken in, where the library's disk has no room for it:
  /// the file in the library that could not be written means nothing to whoever reads it.
  func naming(_ file: String, library: String) -> MediaLibraryError {
    guard code == .diskFull else { return self }
    let reason = errno.map { " (\($0))" } ?? ""
    return MediaLibraryError(
      .diskFull,
      "\(file): the disk of the library \(library) is full\(reason); make room on it, or name a "
        + "library on another one", from: self)
  }

  /// The error told of a copy, where the disk of its folder has no room for it.
  func naming(folder: String) -> MediaLibraryError {
    guard code == .diskFull else { return self }
    let reason = errno.map { " (\($0))" } ?? ""
    return MediaLibraryError(
      .diskFull,
      "\(folder): its disk is full\(reason); make room on it, or name a folder on another one",
      from: self)
  }
}
