import Foundation
import Glibc
import MediaCore
import SystemPackage

/// The library's file operations, on top of the replaceable system calls.
///
/// With a ``root``, paths inside that folder follow no symbolic links. Other paths, such as those
/// of files to add, are the user's choice, and may.
struct LibraryFiles: Sendable {
  let calls: any LibraryFileCalls
  /// The folder in which no links are followed.
  var root: LibraryRoot?
  /// Takes the library's lock, and reports long waits for it.
  var lockWait = LockWait()

  /// The same operations, which follow no links in `root`.
  func confined(to root: LibraryRoot) -> LibraryFiles {
    LibraryFiles(calls: calls, root: root, lockWait: lockWait)
  }

  private func call<Result>(
    _ path: String, _ body: (FileLocation) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    if let root, root.holds(path) { return try root.call(path, body) }
    return try body(FileLocation(path: path))
  }

  private func call(
    _ first: String, _ second: String, _ body: (FileLocation, FileLocation) throws(Errno) -> Void
  ) throws(Errno) {
    try call(first) { first throws(Errno) in
      try call(second) { second throws(Errno) in try body(first, second) }
    }
  }

  /// Opens a file. Inside the library, symbolic links are refused, also as a part of the path.
  func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o644
  ) throws(MediaLibraryError) -> OpenFile {
    // O_NONBLOCK keeps the opening of a FIFO from waiting; it has no effect on regular files.
    var flags = flags | O_CLOEXEC | O_NONBLOCK
    if root?.holds(path) == true { flags |= O_NOFOLLOW }
    let given = flags
    let descriptor = try MediaLibraryError.attempt("open", path) { () throws(Errno) in
      try Errno.retrying { () throws(Errno) in
        try call(path) { place throws(Errno) in try calls.open(place, given, mode) }
      }
    }
    return OpenFile(descriptor: descriptor, path: path, calls: calls)
  }

  /// Opens one of the library's own files, which must be a regular file with a single name.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath`` for a link, a pipe, a device, or a file with
  ///   another name (a hard link), which may be someone else's file.
  func openOwn(_ path: String, _ flags: Int32) throws(MediaLibraryError) -> OpenFile {
    let file = try open(path, flags)
    let status = try file.status()
    guard status.isRegularFile, status.linkCount <= 1 else {
      throw MediaLibraryError(
        .invalidPath,
        status.isRegularFile
          ? "\(path): has another name (a hard link), so it may be someone else's file; move it away"
          : "\(path): is not a regular file; move it away")
    }
    return file
  }

  /// The status of a path, without following a link; nil if there is nothing.
  func status(_ path: String) throws(MediaLibraryError) -> FileStatus? {
    try facts(path).map { FileStatus($0) }
  }

  /// FAT, exFAT and FUSE. They may invent a new inode each time they meet a file, and round times
  /// to two seconds once nobody has it open.
  private static let forgetfulTypes: Set<Int> = [0x4D44, 0x2011_BAB0, 0x6573_5546]

  /// True if a path leads to the expected file, unchanged.
  ///
  /// - Parameter afterRestart: True if the system may have restarted in between.
  func holds(
    _ meant: FileStatus, at path: String, afterRestart: Bool
  ) throws(MediaLibraryError) -> Bool {
    guard let present = try status(path) else { return false }
    if present.isUnchanged(beforeRestart: meant) {
      return afterRestart || present.device == meant.device
    }
    guard afterRestart || present.device == meant.device, present.resembles(meant),
      let type = calls.fileSystemType(path)
    else { return false }
    return Self.forgetfulTypes.contains(type)
  }

  /// The identity of the file at a path, without following a link; nil if there is nothing.
  func identity(_ path: String) throws(MediaLibraryError) -> FileIdentity? {
    try facts(path).map { FileIdentity($0) }
  }

  /// The ownership of a file, or of a link itself; nil if there is none.
  func ownership(_ path: String) throws(MediaLibraryError) -> FileOwnership? {
    try facts(path).map { FileOwnership($0) }
  }

  private func facts(_ path: String) throws(MediaLibraryError) -> stat? {
    do throws(Errno) {
      return try call(path) { place throws(Errno) in try calls.status(of: place) }
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw .system("look at", path, error)
    }
  }

  /// All bytes of one of the library's own files, up to a limit.
  func contents(of path: String, limit: Int = 1 << 30) throws(MediaLibraryError) -> [UInt8] {
    let file = try openOwn(path, O_RDONLY)
    let size = Int(try file.status().size)
    guard size <= limit else {
      throw MediaLibraryError(.catalogueDamaged, "\(path): too large for a file of the library")
    }
    return try file.bytes(at: 0, count: size)
  }

  /// Writes a new file, optionally flushing it to the disk.
  func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, synchronizes: Bool
  ) throws(MediaLibraryError) {
    let file = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    try file.write(bytes)
    if synchronizes { try file.synchronize() }
  }

  /// Replaces a file atomically, even across a power cut. The caller holds a lock: the temporary
  /// name is always the same, so the next call removes what a killed process left.
  func replace(_ path: String, with bytes: [UInt8]) throws(MediaLibraryError) {
    let temporary = path + ".new"
    try remove(temporary)
    try write(bytes, to: temporary, synchronizes: true)
    try replace(path, withFileAt: temporary)
  }

  /// Replaces a file with another one.
  func replace(_ path: String, withFileAt other: String) throws(MediaLibraryError) {
    try MediaLibraryError.attempt("rename", other) { () throws(Errno) in
      try call(other, path) { from, to throws(Errno) in try calls.replace(from, to) }
    }
    try synchronizeFolder(Self.parent(path))
  }

  /// Renames a file.
  ///
  /// - Returns: False if the new name is taken.
  func rename(_ from: String, to path: String) throws(MediaLibraryError) -> Bool {
    do throws(Errno) {
      try call(from, path) { from, to throws(Errno) in try calls.rename(from, to) }
      return true
    } catch {
      if error == .fileExists { return false }
      throw .system("rename", from, error)
    }
  }

  /// Removes a file, if it exists.
  func remove(_ path: String) throws(MediaLibraryError) {
    do throws(Errno) { try unlink(path) } catch {
      guard error == .noSuchFileOrDirectory else { throw .system("remove", path, error) }
    }
  }

  private func unlink(_ path: String) throws(Errno) {
    try call(path) { place throws(Errno) in try calls.unlink(place) }
  }

  /// Tries to remove an entry of a folder.
  ///
  /// - Returns: True if the entry is a folder, which is left alone.
  private func isFolderAfterRemoval(_ path: String, isRegularFile: Bool) -> Bool {
    do throws(Errno) {
      try unlink(path)
      return false
    } catch { return !isRegularFile && error == .isDirectory }
  }

  /// Creates a folder. An existing folder is accepted, a link is not.
  ///
  /// - Returns: True if it was created.
  @discardableResult
  func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(MediaLibraryError) -> Bool {
    do throws(Errno) {
      try call(path) { place throws(Errno) in try calls.makeFolder(place, mode) }
      return true
    } catch {
      guard error == .fileExists else { throw .system("make", path, error) }
    }
    guard try status(path)?.isFolder == true else {
      throw MediaLibraryError(
        .invalidPath, "\(path): is a file or a link, but must be a folder; move it away")
    }
    return false
  }

  /// Creates a folder and its missing parents.
  func makeFolders(_ path: String) throws(MediaLibraryError) {
    var missing: [String] = []
    var present = path
    while !Self.isFolder(present), Self.parent(present) != present {
      missing.append(present)
      present = Self.parent(present)
    }
    for folder in missing.reversed() {
      try makeFolder(folder)
      try synchronizeFolder(Self.parent(folder))
    }
  }

  /// Removes a folder with its contents, as far as possible.
  func removeFolder(_ path: String) {
    for entry in (try? entries(in: path)) ?? [] {
      let inner = path + "/" + entry.name
      if isFolderAfterRemoval(inner, isRegularFile: entry.isRegularFile) { removeFolder(inner) }
    }
    try? call(path) { place throws(Errno) in try calls.removeFolder(place) }
  }

  /// Removes the files in a folder and its subfolders, as far as possible; the folders stay.
  ///
  /// - Returns: False if there were no files.
  func removeFiles(in path: String) -> Bool {
    var hadFiles = false
    for entry in (try? entries(in: path)) ?? [] {
      let inner = path + "/" + entry.name
      if isFolderAfterRemoval(inner, isRegularFile: entry.isRegularFile) {
        hadFiles = removeFiles(in: inner) || hadFiles
      } else {
        hadFiles = true
      }
    }
    return hadFiles
  }

  /// True if a folder or its subfolders contain anything but folders.
  func holdsFiles(_ path: String) throws(MediaLibraryError) -> Bool {
    for entry in try entries(in: path) {
      let inner = path + "/" + entry.name
      guard !entry.isRegularFile, try status(inner)?.isFolder == true else { return true }
      if try holdsFiles(inner) { return true }
    }
    return false
  }

  /// The names in a folder, without `.` and `..`, sorted; empty if the folder is missing.
  func names(in path: String) throws(MediaLibraryError) -> [String] {
    try entries(in: path).map(\.name)
  }

  /// The entries of a folder, without `.` and `..`, by name; empty if the folder is missing.
  func entries(in path: String) throws(MediaLibraryError) -> [FolderEntry] {
    let flags =
      O_RDONLY | O_DIRECTORY | O_CLOEXEC | (root?.holds(path) == true ? O_NOFOLLOW : 0)
    do throws(Errno) {
      let folder = try call(path) { place throws(Errno) in try calls.open(place, flags, 0) }
      defer { try? calls.close(folder) }
      return try calls.entries(folder).sorted { $0.name < $1.name }
    } catch {
      if error == .noSuchFileOrDirectory { return [] }
      throw .system("list", path, error)
    }
  }

  /// Flushes the names in a folder to the disk.
  func synchronizeFolder(_ path: String) throws(MediaLibraryError) {
    let folder = try open(path, O_RDONLY | O_DIRECTORY)
    try folder.synchronize()
  }

  /// A path with its links resolved, as far as it exists.
  func resolved(_ path: String) -> String {
    var present = path
    var missing = ""
    while present != "/", present != "." {
      if let resolved = realpath(present, nil) {
        defer { free(resolved) }
        return (String(cString: resolved) + missing).replacing("//", with: "/")
      }
      missing = "/" + Self.name(present) + missing
      present = Self.parent(present)
    }
    return path
  }

  /// An unused path: the given one with a timestamp, and a number if that is taken.
  ///
  /// - Parameter time: Seconds since 1970.
  func freePath(_ path: String, at time: Double) throws(MediaLibraryError) -> String {
    let stamp = Date(timeIntervalSince1970: time)
      .formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    let first = path + "-" + stamp
    var free = first
    var number = 2
    while try status(free) != nil {
      free = first + "-\(number)"
      number += 1
    }
    return free
  }

  /// The folder of a path.
  static func parent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  static func name(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
      String(path[path.utf8.index(after: $0)...])
    } ?? path
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension OpenFile {
  func write(_ bytes: [UInt8]) throws(MediaLibraryError) {
    var failure: MediaLibraryError?
    bytes.withUnsafeBytes { buffer in
      do throws(MediaLibraryError) { try write(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
