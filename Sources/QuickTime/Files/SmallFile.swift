import Glibc
package import MediaCore
import SystemPackage

/// A small file that is replaced atomically: written under a temporary name, synced,
/// and renamed.
package struct SmallFile {
  package let path: String
  private let calls: any FileCalls

  /// A file by its path.
  package init(path: String, calls: any FileCalls = SystemFileCalls()) {
    self.path = path
    self.calls = calls
  }

  /// The temporary name. If it is taken, a number is added.
  package var temporaryPath: String { path + ".part" }
  /// Numbers that are tried.
  private static let nameLimit = 100

  /// The identity of the present file; nil if there is none.
  package var identity: FileIdentity? {
    (try? calls.status(ofPath: path)).map { FileIdentity($0) }
  }

  /// Replaces the file's contents. Other files in the folder are not changed, even those with names like the
  /// temporary one.
  ///
  /// - Parameters:
  ///   - content: The contents in consecutive pieces, each made when it is written, so that only one is held in
  ///     memory.
  ///   - isExclusive: True to fail if the file exists.
  ///   - synchronizes: False to leave the sync of the file and its name to the caller.
  /// - Returns: The identity of the file that was written, even if another one has its name by now.
  /// - Throws: Errors of the disk, ``QuickTimeError/Code/fileExists``. The old file is then unchanged.
  @discardableResult
  package func write(
    _ content: some Sequence<[UInt8]>, isExclusive: Bool = false, synchronizes: Bool = true
  ) throws(QuickTimeError) -> FileIdentity {
    let (descriptor, temporary) = try openTemporary()
    let identity: FileIdentity
    do throws(Errno) {
      try write(content, to: descriptor, synchronizes)
      identity = FileIdentity(try calls.status(ofPath: temporary))
      try rename(temporary, isExclusive: isExclusive)
    } catch {
      try? calls.unlink(temporary)
      throw PosixMovieFile.failure("write", path, error)
    }
    if synchronizes {
      try PosixMovieFile.synchronizeFolder(PosixMovieFile.parent(of: path), calls)
    }
    return identity
  }

  private func rename(_ temporary: String, isExclusive: Bool) throws(Errno) {
    if isExclusive {
      do throws(Errno) { return try calls.renameExclusively(temporary, path) } catch {
        // File systems that cannot tell: look first, then.
        guard error == .invalidArgument || error == .noFunction else { throw error }
        if identity != nil { throw .fileExists }
      }
    }
    try calls.rename(temporary, path)
  }

  private func openTemporary() throws(QuickTimeError) -> (descriptor: Int32, path: String) {
    var number = 1
    while true {
      let name = number == 1 ? temporaryPath : "\(temporaryPath)-\(number)"
      do throws(Errno) {
        return (try calls.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644), name)
      } catch {
        guard error == .fileExists, number < Self.nameLimit else {
          throw PosixMovieFile.failure("write", path, error)
        }
        number += 1
      }
    }
  }

  /// Writes and closes.
  private func write(
    _ content: some Sequence<[UInt8]>, to descriptor: Int32, _ synchronizes: Bool
  ) throws(Errno) {
    do throws(Errno) {
      var offset = 0
      for piece in content {
        try piece.span.bytes.withUnsafeBytes { bytes throws(Errno) in
          try calls.writeAll(descriptor, bytes, at: offset)
        }
        offset += piece.count
      }
      if synchronizes { try calls.synchronize(descriptor) }
    } catch {
      try? calls.close(descriptor)
      throw error
    }
    // Network file systems tell of a full disk here.
    try calls.close(descriptor)
  }

  /// The file's contents; nil if there is no file.
  ///
  /// - Throws: ``QuickTimeError/Code/unsupported`` if it is larger than `limit`, and errors of the
  ///   disk.
  package func read(limit: Int) throws(QuickTimeError) -> [UInt8]? {
    let file: PosixMovieFile
    do throws(QuickTimeError) {
      file = try PosixMovieFile(path: path, mode: .read, calls: calls)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
    let size = try file.size()
    guard size <= UInt64(limit) else {
      throw QuickTimeError(.unsupported, "\(path): has \(size) bytes; the limit is \(limit)")
    }
    return try file.bytes(at: 0, count: Int(size))
  }

  /// Removes the file; a missing one is not an error.
  package func remove() { try? calls.unlink(path) }
}
