import Glibc
import MediaCore

/// A file that a new one is to replace. It is held open and locked, so that nobody begins to write it
/// meanwhile.
final class ReplacedFile {
  /// The path that was given; it may be a link.
  let path: String
  /// The path of the file itself.
  let target: String
  let identity: FileIdentity
  private let descriptor: Int32
  private let calls: any FileCalls

  /// Opens a file that exists.
  ///
  /// - Throws: What keeps it from being replaced: it is not a regular file, is read-only, or
  ///   another process writes it.
  init(path: String, calls: any FileCalls) throws(QuickTimeError) {
    self.path = path
    self.calls = calls
    descriptor = try PosixMovieFile.open(path, O_RDWR, calls)
    do throws(QuickTimeError) {
      identity = try PosixMovieFile.regularFile(descriptor, path, calls)
      try PosixMovieFile.lock(descriptor, path, calls)
    } catch {
      try? calls.close(descriptor)
      throw error
    }
    // A link stays one: what it leads to is replaced, where that lies.
    target = calls.path(of: descriptor).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path
  }

  deinit {
    calls.unlock(descriptor)
    try? calls.close(descriptor)
  }

  /// A name for a file beside it, from 1: `take.new.mov`, `take.new-2.mov`.
  func neighbor(_ number: Int) -> String {
    PosixMovieFile.neighbor(of: target, word: "new", number)
  }
}
