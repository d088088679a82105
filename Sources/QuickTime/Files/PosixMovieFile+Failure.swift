import Glibc
import MediaCore
import SystemPackage

/// How failed system calls become errors that name the file and the remedy.
extension PosixMovieFile {
  /// What a call gives, or its failure as an error that names the file.
  static func attempt<Result>(
    _ verb: String, _ path: String, _ call: () throws(Errno) -> Result
  ) throws(QuickTimeError) -> Result {
    do throws(Errno) { return try call() } catch { throw failure(verb, path, error) }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that holds a path.
  static func parent(of path: String) -> String { path.parentPath }

  /// An error from a failed call, with the remedy that fits its number.
  ///
  /// - Parameter room: The room of a folder's file system; a test puts its own here.
  static func failure(
    _ verb: String, _ path: String, _ error: Errno,
    room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> QuickTimeError {
    let (code, remedy): (QuickTimeError.Code, String) =
      switch error {
      case .fileExists: (.fileExists, "choose another name or allow overwriting")
      case .noSuchFileOrDirectory, .notDirectory: (.notFound, "check the path")
      case .permissionDenied, .notPermitted, .readOnlyFileSystem:
        (.permissionDenied, "choose a folder that you can write to")
      case .isDirectory: (.invalidArgument, "name a file in it")
      case .noSpace: (.diskFull, "free space or choose another disk")
      case .diskQuotaExceeded: (.diskFull, "raise the quota")
      case .fileTooLarge: (.fileTooLarge, "record in segments or choose another file system")
      default: (.ioFailed, "check the disk")
      }
    let words = error.remedy(writing: path, room: room) ?? remedy
    return QuickTimeError(code, "\(path): cannot \(verb): \(error); \(words)", errno: error)
  }
}
