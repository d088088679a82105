import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A new file with a temporary name until it is complete.
///
/// Its writer holds its lock until it has its final name: two writers of the same file would
/// otherwise mistake each other's files for their own.
final class PartFile {
  /// Written and read back through the descriptor, which refers to this file wherever its name
  /// leads.
  let file: OpenFile
  private let target: String
  private let identity: FileIdentity
  private let files: LibraryFiles

  /// Creates an empty file, replacing any leftover.
  ///
  /// - Parameter target: The final path.
  /// - Throws: ``MediaLibraryError/Code/fileInUse`` if somebody else is writing a file of that
  ///   name.
  init(of target: String, files: LibraryFiles) throws(MediaLibraryError) {
    let path = LibraryFiles.parent(target) + "/." + LibraryFiles.name(target) + ".part"
    try Self.removeLeftover(path, of: target, files)
    let file = try Self.open(path, O_RDWR | O_CREAT | O_EXCL, of: target, files)
    let identity = try file.identity()
    // Before it was locked, another process may have taken it for a leftover.
    guard file.tryLock() != false, try files.identity(path) == identity else {
      throw Self.inUse(target)
    }
    self.file = file
    self.target = target
    self.identity = identity
    self.files = files
  }

  // Unlock explicitly: a program being started by another thread briefly inherits the descriptor,
  // so closing alone would release the lock later.
  deinit { file.unlock() }

  /// Removes what an interrupted export left, but nothing that is still being written.
  private static func removeLeftover(
    _ path: String, of target: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    guard let there = try files.status(path) else { return }
    // An export only writes regular files: a link or a pipe with that name is not being written.
    guard there.isRegularFile else { return try files.remove(path) }
    let old = try open(path, O_RDWR | O_NOFOLLOW, of: target, files)
    // Without support for locks, the identity alone keeps files apart.
    guard old.tryLock() != false, try files.identity(path) == old.identity() else {
      throw inUse(target)
    }
    try files.remove(path)
    old.unlock()
  }

  /// - Throws: ``MediaLibraryError/Code/fileInUse`` if the file appeared or disappeared since it
  ///   was checked.
  private static func open(
    _ path: String, _ flags: Int32, of target: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) -> OpenFile {
    do throws(MediaLibraryError) { return try files.open(path, flags) } catch {
      guard error.errno == .fileExists || error.errno == .noSuchFileOrDirectory else { throw error }
      throw inUse(target)
    }
  }

  private static func inUse(_ target: String) -> MediaLibraryError {
    MediaLibraryError(
      .fileInUse, "\(target): another export is writing this file; try again when it has finished")
  }

  /// Gives the file its final name, and releases its lock.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` if another file now has its name.
  func giveName() throws(MediaLibraryError) {
    try check(file.path)
    guard try files.rename(file.path, to: target) else {
      throw MediaLibraryError(.ioFailed, "\(target): another process created this file; try again")
    }
    // Without locks, it may have been replaced at the last moment.
    try check(target)
    file.unlock()
  }

  /// Checks that a path leads to this file.
  private func check(_ path: String) throws(MediaLibraryError) {
    guard try files.identity(path) == identity else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(target): the file was replaced or removed before it was complete; make sure that nothing "
          + "else writes there, and try again")
    }
  }

  /// Removes the file if it still has its temporary name; a file that replaced it stays.
  func remove() {
    guard (try? files.identity(file.path)) == identity else { return }
    try? files.remove(file.path)
  }
}
