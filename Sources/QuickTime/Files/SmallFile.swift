import Glibc
import MediaCore

/// A small file that is there in full, or as it was before: written under another name, brought to
/// the disk, and renamed.
package struct SmallFile {
  package let path: String
  private let calls: any FileCalls

  /// A file by its path.
  package init(path: String, calls: any FileCalls = SystemFileCalls()) {
    self.path = path
    self.calls = calls
  }

  /// The name under which it is written where nobody has it: else another number follows.
  package var temporaryPath: String { path + ".part" }
  /// Numbers that are tried.
  private static let nameLimit = 100

  /// What lies there now; nil for nothing.
  package var identity: FileIdentity? {
    var status = stat()
    return calls.status(ofPath: path, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Puts the content in place of what was there. Other files of the folder, those with names like
  /// the temporary one among them, stay as they are.
  ///
  /// - Parameters:
  ///   - content: In pieces that follow one another, each made when it is written: none but the last
  ///     is held in memory.
  ///   - isExclusive: True to write no file that is there already.
  /// - Throws: Errors of the disk, ``QuickTimeError/Code/fileExists``; the file is then what it was.
  package func write(
    _ content: some Sequence<[UInt8]>, isExclusive: Bool = false
  ) throws(QuickTimeError) {
    let (descriptor, temporary) = try openTemporary()
    do throws(QuickTimeError) {
      try write(content, to: descriptor)
      guard rename(temporary, isExclusive: isExclusive) == 0 else {
        throw PosixMovieFile.failure("write", path, errno)
      }
    } catch {
      _ = calls.unlink(temporary)
      throw error
    }
    try synchronizeFolder()
  }

  private func rename(_ temporary: String, isExclusive: Bool) -> Int32 {
    guard isExclusive else { return calls.rename(temporary, path) }
    let status = calls.renameExclusively(temporary, path)
    // File systems that cannot tell: look first, then.
    guard status != 0, errno == EINVAL || errno == ENOSYS else { return status }
    guard identity == nil else {
      errno = EEXIST
      return -1
    }
    return calls.rename(temporary, path)
  }

  private func openTemporary() throws(QuickTimeError) -> (descriptor: Int32, path: String) {
    for number in 1... {
      let name = number == 1 ? temporaryPath : "\(temporaryPath)-\(number)"
      let descriptor = calls.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      if descriptor >= 0 { return (descriptor, name) }
      guard errno == EEXIST, number < Self.nameLimit else { break }
    }
    throw PosixMovieFile.failure("write", path, errno)
  }

  private func write(
    _ content: some Sequence<[UInt8]>, to descriptor: Int32
  ) throws(QuickTimeError) {
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

  /// Removes the file; a missing one is not an error.
  package func remove() { _ = calls.unlink(path) }
}
