import Glibc

/// A small file that is there in full, or as it was before: written under another name, brought to
/// the disk, and renamed.
package struct SmallFile {
  /// Its path.
  package let path: String
  private let calls: any FileCalls

  /// A file by its path.
  package init(path: String, calls: any FileCalls = SystemFileCalls()) {
    self.path = path
    self.calls = calls
  }

  /// The name under which it is written.
  package var temporaryPath: String { path + ".part" }

  /// Puts the content in place of what was there.
  ///
  /// - Parameter content: In pieces that follow one another, each made when it is written: none but
  ///   the last is held in memory.
  /// - Throws: Errors of the disk; the file is then what it was.
  package func write(_ content: some Sequence<[UInt8]>) throws(QuickTimeError) {
    do throws(QuickTimeError) {
      try writeTemporary(content)
      guard calls.rename(temporaryPath, path) == 0 else {
        throw PosixMovieFile.failure("write", path, errno)
      }
    } catch {
      _ = calls.unlink(temporaryPath)
      throw error
    }
    try synchronizeFolder()
  }

  private func writeTemporary(_ content: some Sequence<[UInt8]>) throws(QuickTimeError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let descriptor = calls.open(temporaryPath, flags, 0o644)
    guard descriptor >= 0 else { throw PosixMovieFile.failure("write", path, errno) }
    var failure: Int32?
    var offset = 0
    for piece in content {
      failure = piece.withUnsafeBytes { write($0, at: offset, to: descriptor) }
      if failure != nil { break }
      offset += piece.count
    }
    if failure == nil, calls.synchronize(descriptor) != 0 { failure = errno }
    // Network file systems tell of a full disk here.
    if calls.close(descriptor) != 0, failure == nil { failure = errno }
    if let failure { throw PosixMovieFile.failure("write", path, failure) }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32
  ) -> Int32? {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      var vector = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
      let count = calls.write(descriptor, &vector, 1, offset + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      done += count
    }
    return nil
  }

  private func synchronizeFolder() throws(QuickTimeError) {
    let folder = PosixMovieFile.parent(of: path)
    let directory = calls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard directory >= 0 else { throw PosixMovieFile.failure("open", folder, errno) }
    defer { _ = calls.close(directory) }
    // Some file systems (network, FUSE) cannot sync a folder and say EINVAL.
    guard calls.synchronize(directory) == 0 || errno == EINVAL || errno == EROFS else {
      throw PosixMovieFile.failure("sync", folder, errno)
    }
  }

  /// What the file holds; nil where there is none.
  ///
  /// - Throws: ``QuickTimeError/Code/unsupported`` where it is larger than `limit`, and errors of the
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
      throw QuickTimeError(.unsupported, "\(path): has \(size) bytes; \(limit) are read at most")
    }
    return try file.bytes(at: 0, count: Int(size))
  }

  /// Takes the file away; none there is no error.
  package func remove() {
    _ = calls.unlink(temporaryPath)
    _ = calls.unlink(path)
  }
}
