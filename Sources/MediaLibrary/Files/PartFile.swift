import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A new file, which has another name until it is whole.
///
/// Whoever writes one holds its lock until it has its own name: two that write the same file at the
/// same time would otherwise take each other's for theirs.
final class PartFile {
  /// Written, and read again: by the descriptor, which is of this file whatever its name leads to.
  let file: OpenFile
  private let target: String
  private let identity: FileIdentity
  private let files: LibraryFiles

  /// Makes an empty file; one that was left behind goes.
  ///
  /// - Parameter target: The name that it has in the end.
  /// - Throws: ``MediaLibraryError/Code/fileInUse`` where somebody else writes a file of that name.
  init(of target: String, files: LibraryFiles) throws(MediaLibraryError) {
    let path = LibraryFiles.parent(target) + "/." + LibraryFiles.name(target) + ".part"
    try Self.removeLeftover(path, of: target, files)
    let file = try Self.open(path, O_RDWR | O_CREAT | O_EXCL, of: target, files)
    let identity = try file.identity()
    // Between the two, another one may have taken it for a leftover.
    guard file.tryLock() != false, try files.identity(path) == identity else {
      throw Self.inUse(target)
    }
    self.file = file
    self.target = target
    self.identity = identity
    self.files = files
  }

  // Closing alone does that later where another thread starts a program at this moment.
  deinit { file.unlock() }

  /// Removes what an export that ended early left, and nothing that is still being written.
  private static func removeLeftover(
    _ path: String, of target: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) {
    guard let there = try files.status(path) else { return }
    // An export writes into regular files alone: a link or a pipe of that name is not being written.
    guard there.isRegularFile else { return try files.remove(path) }
    let old = try open(path, O_RDWR | O_NOFOLLOW, of: target, files)
    // A file system without locks tells nothing; then the identity alone keeps files apart.
    guard old.tryLock() != false, try files.identity(path) == old.identity() else {
      throw inUse(target)
    }
    try files.remove(path)
    old.unlock()
  }

  /// - Throws: As for a file in use where it came or went since it was looked at.
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
      .fileInUse, "\(target): another export writes this file now; try again when it has ended")
  }

  /// Gives the file its own name, and its lock back.
  ///
  /// - Throws: ``MediaLibraryError/Code/verificationFailed`` where another file has its name now.
  func giveName() throws(MediaLibraryError) {
    try check(file.path)
    guard try files.rename(file.path, to: target) else {
      throw MediaLibraryError(.ioFailed, "\(target): somebody put a file there; try again")
    }
    // Without locks it may have been replaced in the last moment.
    try check(target)
    file.unlock()
  }

  /// Makes sure that a path leads to this file.
  private func check(_ path: String) throws(MediaLibraryError) {
    guard try files.identity(path) == identity else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(target): what was written was replaced or removed before it was whole; see that nothing "
          + "else writes there, and try again")
    }
  }

  /// Removes the file where it has no name of its own yet; another one that took its place stays.
  func remove() {
    guard (try? files.identity(file.path)) == identity else { return }
    try? files.remove(file.path)
  }
}
