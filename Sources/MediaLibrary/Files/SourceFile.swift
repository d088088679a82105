import Glibc
import MediaCore

/// A file that is taken into the library, and whether it may be.
struct SourceFile: ~Copyable {
  let file: OpenFile
  let path: String
  /// As it was when it was opened.
  let status: FileStatus

  /// Opens a file that is to be copied, or moved.
  ///
  /// - Throws: ``MediaLibraryError/Code/fileNotFound``, ``MediaLibraryError/Code/accessDenied``,
  ///   ``MediaLibraryError/Code/invalidResource`` for a folder and the like,
  ///   ``MediaLibraryError/Code/fileInUse`` for a file that may not be moved.
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

  /// Makes sure that the file is what it was, by its name too.
  func checkUnchanged(files: LibraryFiles) throws(MediaLibraryError) {
    var now = try files.status(path)
    if now?.isSymbolicLink == true { now = try file.status() }
    guard let now, now.isUnchanged(since: status) else {
      throw MediaLibraryError(
        .fileChanged, "\(path): changed while it was taken in; wait until it is complete")
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

  /// A process that this one starts has its descriptors for a moment, until it begins its program: of a
  /// file that was just written it looks like a writer.
  private static let (attempts, pause): (Int, UInt32) = (6, 10_000)

  /// True where somebody has the file open for writing, as far as that can be told.
  private static func isWritten(
    _ file: borrowing OpenFile, _ status: FileStatus
  ) throws(MediaLibraryError) -> Bool {
    if let isUnwritten = file.isUnwritten() { return !isUnwritten }
    // The recorder holds a lock on what it writes.
    if try !file.lock(exclusively: false, waits: false) { return true }
    return hasWriter(status)
  }

  /// Looks for the file among the descriptors of the processes that may be looked at.
  private static func hasWriter(_ status: FileStatus) -> Bool {
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    for process in (try? files.names(in: "/proc")) ?? [] where Int(process) != nil {
      let folder = "/proc/\(process)/fd"
      for descriptor in (try? files.names(in: folder)) ?? [] {
        var facts = stat()
        guard stat("\(folder)/\(descriptor)", &facts) == 0,
          UInt64(facts.st_ino) == status.inode, UInt64(facts.st_dev) == status.device
        else { continue }
        // The rights of the link are those of the descriptor.
        guard lstat("\(folder)/\(descriptor)", &facts) == 0 else { continue }
        if facts.st_mode & S_IWUSR != 0 { return true }
      }
    }
    return false
  }
}
