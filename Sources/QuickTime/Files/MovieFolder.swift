import Glibc
import MediaCore
import SystemPackage

/// The folder that a take's movies are made in.
///
/// It is held open, so that it is found again where others rename it while no movie is open that would
/// lead to it.
package final class MovieFolder: Sendable {
  /// What others did to the folder.
  package enum Change: Sendable {
    /// It was moved or renamed: the folder under its new path.
    case moved(MovieFolder)
    /// It was deleted, and nothing has its name.
    case deleted
  }

  /// Where it lay when it was opened.
  package let path: String
  private let descriptor: Int32
  private let identity: FileIdentity

  /// O_PATH, which the C library declares for _GNU_SOURCE only.
  private static let pathOnly: Int32 = 0o10000000

  /// Opens a folder, to look where it is and not into it; nil where it is none.
  private init?(path: String) {
    let calls = SystemFileCalls()
    let flags = Self.pathOnly | O_DIRECTORY | O_CLOEXEC
    guard let descriptor = try? calls.open(path, flags, 0) else { return nil }
    guard let status = try? calls.status(descriptor) else {
      try? calls.close(descriptor)
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    identity = FileIdentity(status)
  }

  /// Opens the folder of a movie; nil where there is none.
  package convenience init?(ofMovie movie: String) {
    self.init(path: PosixMovieFile.parent(of: movie))
  }

  deinit { try? SystemFileCalls().close(descriptor) }

  /// Checks whether another program has moved or deleted the folder. Costs one `stat` while none has.
  ///
  /// - Returns: What happened; nil for nothing, and if a deleted folder's name belongs to another one.
  package func noticeChange() -> Change? {
    let calls = SystemFileCalls()
    let there = try? calls.status(ofPath: path)
    if let there, FileIdentity(there) == identity { return nil }
    if let now = calls.path(of: descriptor), now != path, let moved = MovieFolder(path: now),
      moved.identity == identity
    {
      return .moved(moved)
    }
    return there == nil ? .deleted : nil
  }

  /// Makes a deleted folder again, and those above it, where they lay on the same disk.
  ///
  /// - Returns: The new folder; nil where it is gone again.
  /// - Throws: ``QuickTimeError`` where it lay on another disk or cannot be created.
  package func restored() throws(QuickTimeError) -> MovieFolder? {
    try Self.restore(path, onDiskOf: identity, named: path, SystemFileCalls())
    return MovieFolder(path: path)
  }

  /// Makes a folder where it is gone, and those above it.
  ///
  /// - Parameters:
  ///   - identity: What the folder held, or was; nil where the system did not say.
  ///   - name: What an error tells of.
  /// - Throws: ``QuickTimeError`` where the first that is left lies on another disk, or a call fails.
  static func restore(
    _ folder: String, onDiskOf identity: FileIdentity?, named name: String, _ calls: any FileCalls,
    depth: Int = 0
  ) throws(QuickTimeError) {
    let verb = "restore the folder of"
    do throws(Errno) {
      let status = try calls.status(ofPath: folder)
      // Never on another disk: one that was taken out would be written to the disk below.
      guard depth == 0 || identity.map({ $0.isOnDisk(of: FileIdentity(status)) }) ?? false else {
        throw .improperLink
      }
      return
    } catch {
      guard error == .noSuchFileOrDirectory, depth < 16, folder != "/", folder != "." else {
        throw PosixMovieFile.failure(verb, name, error)
      }
    }
    try restore(
      PosixMovieFile.parent(of: folder), onDiskOf: identity, named: name, calls, depth: depth + 1)
    do throws(Errno) { try calls.makeFolder(folder) } catch {
      if error != .fileExists { throw PosixMovieFile.failure(verb, name, error) }
    }
  }
}
