import Glibc
import MediaCore
import SystemPackage

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
    let there = try? calls.status(ofPath: replaced.target)
    // A file that was put there since is not the one that may be replaced.
    guard there.map({ FileIdentity($0) == replaced.identity }) ?? true else {
      throw QuickTimeError(
        .fileExists,
        "\(replaced.path): another program created a file there; the new movie remains in \(path)",
        errno: .fileExists)
    }
    // Nor is a file that has the new movie's own name by now what may replace it.
    if let own = try? calls.status(ofPath: path), let open = try? calls.status(descriptor),
      FileIdentity(own) != FileIdentity(open)
    {
      throw QuickTimeError(
        .fileExists, "\(path): another program created a file there; \(replaced.path) is unchanged",
        errno: .fileExists)
    }
    do throws(QuickTimeError) {
      try Self.attempt("replace", replaced.path) { () throws(Errno) in
        try calls.rename(path, replaced.target)
      }
    } catch {
      throw QuickTimeError(
        error.code, "\(error.message); the new movie remains in \(path)", from: error)
    }
    path = replaced.path
    // The rename holds without it, but for a power cut.
    try? synchronizeParentDirectory()
  }

  /// Gives up replacing the other file.
  public func forgoName() { replacing = nil }

  /// Looks at the name, the size and the marks: two calls of `stat`, and a few bytes read.
  public func noticeChange(
    size: UInt64, marks: [(offset: UInt64, code: String)]
  ) -> MovieFileChange? {
    guard descriptor >= 0, let own = try? calls.status(descriptor) else { return nil }
    let isCut = UInt64(max(own.st_size, 0)) < size
    if isCut || marks.contains(where: { !holds($0.code, at: $0.offset) }) { return .emptied }
    let there = try? calls.status(ofPath: path)
    if own.st_nlink == 0 { return there != nil ? .replaced : .deleted }
    guard there.map({ FileIdentity($0) != FileIdentity(own) }) ?? true else { return nil }
    guard let now = calls.path(of: descriptor), now != path else { return nil }
    // Network and user-space file systems keep a deleted file that is open under such a name.
    let name = now.pathName
    if name.hasPrefix(".nfs") || name.hasPrefix(".fuse_hidden") {
      return there != nil ? .replaced : .deleted
    }
    // Count it only if the new name leads to this file: some file systems renumber files.
    guard let moved = try? calls.status(ofPath: now), FileIdentity(moved) == FileIdentity(own)
    else {
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
    try MovieFolder.restore(
      Self.parent(of: path), onDiskOf: identity, named: path, calls)
  }

  /// Copies the open file to its own name, or to a free one: `take.restored.mov`.
  ///
  /// - Throws: ``QuickTimeError`` of a failed system call; no copy is left then.
  public func restore() throws(QuickTimeError) {
    try restoreFolder()
    for number in 0... {
      let name = number == 0 ? path : Self.neighbor(of: path, word: "restored", number)
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
        defer { try? calls.close(target) }
        try copy(to: target, name)
      } catch {
        try? calls.unlink(name)
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
      let count: Int
      do throws(Errno) {
        count = try Errno.retrying { () throws(Errno) in
          try calls.copy(descriptor, target, done, min(size - done, 64 << 20))
        }
      } catch {
        let unable: [Errno] = [.noFunction, .improperLink, .invalidArgument, .notSupported]
        guard unable.contains(error) else { throw Self.failure("restore", name, error) }
        done += try copyBlock(at: done, to: target, name)
        continue
      }
      guard count > 0 else { throw Self.failure("restore", name, .ioError) }
      done += count
    }
    try Self.attempt("restore", name) { () throws(Errno) in try calls.synchronize(target) }
  }

  /// Copies a MiB through memory, where the system cannot copy by itself.
  private func copyBlock(
    at offset: Int, to target: Int32, _ name: String
  ) throws(QuickTimeError) -> Int {
    let block = try bytes(at: UInt64(offset), count: 1 << 20)
    try Self.attempt("restore", name) { () throws(Errno) in
      if block.isEmpty { throw Errno.ioError }
      try block.span.bytes.withUnsafeBytes { bytes throws(Errno) in
        try calls.writeAll(target, bytes, at: offset)
      }
    }
    return block.count
  }

  /// A name like another one, in the same folder: `take.mov`, `new` and 2 make `take.new-2.mov`.
  static func neighbor(of path: String, word: String, _ number: Int) -> String {
    let (folder, name) = (path[..<path.nameStart], path[path.nameStart...])
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    let stem = dot.map { name[..<$0] } ?? name
    let suffix = dot.map { name[$0...] } ?? ""
    return "\(folder)\(stem).\(word)" + (number > 1 ? "-\(number)" : "") + suffix
  }
}
