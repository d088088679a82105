import Glibc
import MediaCore

/// The file's name: how it takes the place of another file, and what others do to it.
extension PosixMovieFile {
  /// False while the file that this one replaces still has the name.
  public var hasName: Bool { replacing == nil }

  /// Renames the file over the one that it replaces, and syncs the folder.
  ///
  /// - Throws: ``QuickTimeError`` where the rename or the sync fails, or another file has taken the name; both files
  ///   are then there.
  public func adoptName() throws(QuickTimeError) {
    guard let replaced = replacing else { return }
    defer { replacing = nil }
    var status = stat()
    let isThere = calls.status(ofPath: replaced.target, &status) == 0
    // A file that was put there since is not the one that may be replaced.
    guard !isThere || FileIdentity(status) == replaced.identity else {
      throw QuickTimeError(
        .fileExists,
        "\(replaced.path): another file was put there; the new movie stays in \(path)",
        errno: EEXIST)
    }
    guard calls.rename(path, replaced.target) == 0 else {
      let error = Self.failure("replace", replaced.path, errno)
      throw QuickTimeError(
        error.code, "\(error.message); the new movie stays in \(path)", from: error)
    }
    path = replaced.path
    // The rename holds without it, but for a power cut.
    try? synchronizeParentDirectory()
  }

  /// Looks at the name, the size and the marks: two calls of `stat`, and a few bytes read.
  public func noticeChange(
    size: UInt64, marks: [(offset: UInt64, code: String)]
  ) -> MovieFileChange? {
    var own = stat()
    guard descriptor >= 0, calls.status(descriptor, &own) == 0 else { return nil }
    let isCut = UInt64(max(own.st_size, 0)) < size
    if isCut || marks.contains(where: { !holds($0.code, at: $0.offset) }) { return .emptied }
    var there = stat()
    let isTaken = calls.status(ofPath: path, &there) == 0
    if own.st_nlink == 0 { return isTaken ? .replaced : .deleted }
    guard !isTaken || FileIdentity(there) != FileIdentity(own) else { return nil }
    guard let now = calls.path(of: descriptor), now != path else { return nil }
    // Network and user-space file systems keep a deleted file that is open under such a name.
    let name = now.split(separator: "/").last ?? ""
    if name.hasPrefix(".nfs") || name.hasPrefix(".fuse_hidden") {
      return isTaken ? .replaced : .deleted
    }
    // Count it only if the new name leads to this file: some file systems renumber files.
    var moved = stat()
    guard calls.status(ofPath: now, &moved) == 0, FileIdentity(moved) == FileIdentity(own) else {
      return nil
    }
    path = now
    return .moved
  }

  private func holds(_ code: String, at offset: UInt64) -> Bool {
    guard let bytes = try? bytes(at: offset, count: 4) else { return true }
    return bytes.elementsEqual(code.utf8)
  }

  /// Makes the folder of the file again, where it and the one above lay on the file's disk.
  ///
  /// - Throws: ``QuickTimeError`` where the folder lay on another disk or cannot be created.
  public func restoreFolder() throws(QuickTimeError) {
    try restoreFolder(Self.parent(of: path), depth: 0)
  }

  private func restoreFolder(_ folder: String, depth: Int) throws(QuickTimeError) {
    var status = stat()
    if calls.status(ofPath: folder, &status) == 0 {
      // Never on another disk: one that was taken out would be written to the disk below.
      guard depth == 0 || identity.map({ $0.isOnDisk(of: FileIdentity(status)) }) ?? false else {
        throw Self.failure("restore the folder of", path, EXDEV)
      }
      return
    }
    guard errno == ENOENT, depth < 16, folder != "/", folder != "." else {
      throw Self.failure("restore the folder of", path, errno)
    }
    try restoreFolder(Self.parent(of: folder), depth: depth + 1)
    guard calls.makeFolder(folder) == 0 || errno == EEXIST else {
      throw Self.failure("restore the folder of", path, errno)
    }
  }

  /// Copies the open file to its own name, or to a free one: `take.restored.mov`.
  ///
  /// - Throws: ``QuickTimeError`` of a failed system call; no copy is left then.
  public func restore() throws(QuickTimeError) {
    try restoreFolder()
    for number in 0... {
      let name = number == 0 ? path : Self.neighbour(of: path, word: "restored", number)
      let target: Int32
      do throws(QuickTimeError) {
        target = try Self.open(name, O_RDWR | O_CREAT | O_EXCL, calls)
      } catch {
        guard error.code == .fileExists || error.code == .invalidArgument, number < 1000 else {
          throw error
        }
        continue
      }
      do throws(QuickTimeError) {
        defer { _ = calls.close(target) }
        try copy(to: target, name)
      } catch {
        _ = calls.unlink(name)
        throw error
      }
      path = name
      try? synchronizeParentDirectory()
      return
    }
  }

  private func copy(to target: Int32, _ name: String) throws(QuickTimeError) {
    let size = Int(clamping: try size())
    var done = 0
    while done < size {
      let count = calls.copy(descriptor, target, done, min(size - done, 64 << 20))
      if count < 0, errno == EINTR { continue }
      if count < 0, [ENOSYS, EXDEV, EINVAL, EOPNOTSUPP].contains(errno) {
        done += try copyBlock(at: done, to: target, name)
        continue
      }
      guard count > 0 else { throw Self.failure("restore", name, count < 0 ? errno : EIO) }
      done += count
    }
    guard calls.synchronize(target) == 0 else { throw Self.failure("restore", name, errno) }
  }

  /// Copies a MiB through memory, where the system cannot copy by itself.
  private func copyBlock(
    at offset: Int, to target: Int32, _ name: String
  ) throws(QuickTimeError) -> Int {
    let block = try bytes(at: UInt64(offset), count: 1 << 20)
    var done = 0
    while done < block.count {
      let count = block.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        var vector = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
        return calls.write(target, &vector, 1, offset + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("restore", name, count < 0 ? errno : EIO) }
      done += count
    }
    guard done > 0 else { throw Self.failure("restore", name, EIO) }
    return done
  }

  /// A name like another one, in the same folder: `take.mov`, `new` and 2 make `take.new-2.mov`.
  static func neighbour(of path: String, word: String, _ number: Int) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    let stem = dot.map { name[..<$0] } ?? name
    let suffix = dot.map { name[$0...] } ?? ""
    return "\(folder)\(stem).\(word)" + (number > 1 ? "-\(number)" : "") + suffix
  }
}
