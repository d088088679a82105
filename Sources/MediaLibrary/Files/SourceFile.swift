import Glibc
import MediaCore

/// A file to be added to the library, once it is known to be suitable.
struct SourceFile: ~Copyable {
  let file: OpenFile
  let path: String
  /// Its status when it was opened.
  let status: FileStatus

  /// Opens a file to be copied or moved.
  ///
  /// - Throws: ``MediaLibraryError/Code/fileNotFound``, ``MediaLibraryError/Code/accessDenied``,
  ///   ``MediaLibraryError/Code/invalidResource`` if it is not a regular file,
  ///   ``MediaLibraryError/Code/fileInUse`` if it cannot be moved.
  init(_ path: String, isMoved: Bool, files: LibraryFiles) throws(MediaLibraryError) {
    let file = try files.open(path, O_RDONLY)
    let status = try file.status()
    guard status.isRegularFile else {
      throw MediaLibraryError(
        .invalidResource, "\(path): not a regular file; name a movie, a photo or an audio file")
    }
    if isMoved { try Self.checkMovable(path, file, status, files) }
    self.file = file
    self.path = path
    self.status = status
  }

  /// Checks that the file, and what its path leads to, are unchanged.
  func checkUnchanged(files: LibraryFiles) throws(MediaLibraryError) {
    var now = try files.status(path)
    if now?.isSymbolicLink == true { now = try file.status() }
    guard let now, now.isUnchanged(since: status) else {
      throw MediaLibraryError(
        .fileChanged, "\(path): changed while it was being added; wait until it is complete")
    }
  }

  private static func checkMovable(
    _ path: String, _ file: borrowing OpenFile, _ status: FileStatus, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    if try files.status(path)?.isSymbolicLink == true {
      throw MediaLibraryError(
        .fileInUse, "\(path): is a link and cannot be moved; name the file itself, or copy it")
    }
    guard status.linkCount == 1 else {
      throw MediaLibraryError(
        .fileInUse,
        "\(path): has \(status.linkCount) names (hard links) and cannot be moved; copy it")
    }
    var attempt = 0
    while try isWritten(file, status) {
      attempt += 1
      guard attempt < attempts else {
        throw MediaLibraryError(
          .fileInUse, "\(path): is open for writing and cannot be moved; wait until it is complete")
      }
      usleep(pause)
    }
  }

  /// The retries, and the pause between them in microseconds. Between fork and exec, a child of
  /// this process still has its descriptors, which makes a file just written look as if it had a
  /// writer.
  private static let (attempts, pause): (Int, UInt32) = (6, 10_000)

  /// True if somebody is known to have the file open for writing.
  private static func isWritten(
    _ file: borrowing OpenFile, _ status: FileStatus
  ) throws(MediaLibraryError) -> Bool {
    if let isUnwritten = file.isUnwritten() { return !isUnwritten }
    // The recorder locks the files that it writes.
    if try !file.lock(exclusively: false, waits: false) { return true }
    return hasWriter(status)
  }

  /// Looks for the file among the descriptors of all processes that may be inspected.
  private static func hasWriter(_ status: FileStatus) -> Bool {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    for process in (try? files.names(in: "/proc")) ?? [] where Int(process) != nil {
      let folder = "/proc/\(process)/fd"
      for descriptor in (try? files.names(in: folder)) ?? [] {
        var facts = stat()
        guard stat("\(folder)/\(descriptor)", &facts) == 0,
          UInt64(facts.st_ino) == status.inode, UInt64(facts.st_dev) == status.device
        else { continue }
        // The permissions of the link are the descriptor's access mode.
        guard lstat("\(folder)/\(descriptor)", &facts) == 0 else { continue }
        if facts.st_mode & S_IWUSR != 0 { return true }
      }
    }
    return false
  }
}
