import Glibc
import MediaCore
import SystemPackage

/// An open folder that holds a copy, or a card. Every path is resolved name by name from the open
/// folder, so neither `..` nor a symbolic link leads out of it.
package final class CopyFolder: Sendable {
  /// The folder's path, for messages.
  package let path: String
  let calls: any FolderCalls
  private let root: Int32
  /// The file system that can be synchronized as a whole; nil if each file has to be synchronized.
  private let wholeDevice: UInt64?

  /// Opens a folder. Symbolic links on the way to it are followed, because the user named them.
  ///
  /// - Throws: ``ASCMHLError/Code/fileNotFound`` and other system errors.
  package init(
    _ path: String, calls: any FolderCalls = SystemFolderCalls()
  ) throws(ASCMHLError) {
    self.path = path
    self.calls = calls
    do throws(Errno) { root = try calls.open(path: path, O_RDONLY | O_DIRECTORY) } catch {
      throw .system("open", path, error)
    }
    let isAsGood = WholeSynchronization.isAsGood(onType: calls.fileSystemType(path))
    wholeDevice = isAsGood ? (try? calls.status(root)).map { FileFacts($0).device } : nil
  }

  /// True if ``synchronizeAll()`` covers the file.
  func reachesAll(_ file: borrowing FileInFolder) -> Bool {
    guard let wholeDevice, let facts = try? file.facts() else { return false }
    // Another file system may be mounted inside the folder.
    return facts.device == wholeDevice
  }

  /// Flushes all files and names written so far to the disk. With many small files this is faster
  /// than synchronizing each one.
  func synchronizeAll() throws(ASCMHLError) {
    do throws(Errno) { try calls.synchronizeFileSystem(root) } catch {
      throw .system("sync", path, error)
    }
  }

  deinit { calls.close(root) }

  /// The status of the folder itself.
  package func facts() throws(ASCMHLError) -> FileFacts {
    do throws(Errno) { return FileFacts(try calls.status(root)) } catch {
      throw .system("look at", path, error)
    }
  }

  /// The full path of an item in the folder, for messages.
  package func path(of relative: String) -> String {
    relative.isEmpty ? path : path + "/" + relative
  }

  /// Splits a path into its components.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidPath`` if the path is absolute, or has `..` or an empty
  ///   component.
  private func names(of relative: String) throws(ASCMHLError) -> [String] {
    // Split by bytes: in a String, a slash and a following combining accent are one Character.
    let names = relative.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) })
    else {
      throw ASCMHLError(
        .invalidPath, "'\(relative)' leads out of \(path); paths go down from the folder")
    }
    return names
  }

  /// Opens the parent folder of a path, and calls `work` with it and the last component.
  private func within<Result>(
    _ relative: String, makingFolders: Bool = false,
    _ work: (Int32, String) throws(Errno) -> Result, _ verb: String
  ) throws(ASCMHLError) -> Result {
    var names = try names(of: relative)
    let last = names.removeLast()
    var folder = root
    defer { if folder != root { calls.close(folder) } }
    do throws(Errno) {
      for name in names {
        let next = try openFolder(name, in: folder, makes: makingFolders)
        if folder != root { calls.close(folder) }
        folder = next
      }
      while true {
        do throws(Errno) { return try work(folder, last) } catch {
          if error != .interrupted { throw error }
        }
      }
    } catch {
      throw .system(verb, path(of: relative), error)
    }
  }

  private func openFolder(_ name: String, in folder: Int32, makes: Bool) throws(Errno) -> Int32 {
    do throws(Errno) { return try calls.open(name, in: folder, O_RDONLY | O_DIRECTORY, 0) } catch {
      guard makes, error == .noSuchFileOrDirectory else { throw error }
    }
    do throws(Errno) { try calls.makeFolder(name, in: folder) } catch {
      if error != .fileExists { throw error }
    }
    try calls.synchronize(folder)
    return try calls.open(name, in: folder, O_RDONLY | O_DIRECTORY, 0)
  }

  /// Opens a file for reading.
  package func open(_ relative: String) throws(ASCMHLError) -> FileInFolder {
    try open(relative, O_RDONLY)
  }

  /// Opens a file for locking. Network file systems lock only files that are open for writing.
  func openToLock(_ relative: String) throws(ASCMHLError) -> FileInFolder {
    try open(relative, O_RDWR)
  }

  /// Creates a file for writing and reading back, and its missing parent folders.
  func createToReadBack(_ relative: String) throws(ASCMHLError) -> FileInFolder {
    try open(relative, O_RDWR | O_CREAT | O_EXCL, makingFolders: true)
  }

  /// Creates a file for writing, and its missing parent folders.
  package func create(_ relative: String) throws(ASCMHLError) -> FileInFolder {
    try open(relative, O_WRONLY | O_CREAT | O_EXCL, makingFolders: true)
  }

  /// Opens a file for appending; creates it, and its missing parent folders, if needed.
  package func extend(_ relative: String) throws(ASCMHLError) -> FileInFolder {
    try open(relative, O_RDWR | O_CREAT | O_APPEND, makingFolders: true)
  }

  private func open(
    _ relative: String, _ flags: Int32, makingFolders: Bool = false
  ) throws(ASCMHLError) -> FileInFolder {
    let descriptor = try within(
      relative, makingFolders: makingFolders,
      { folder, name throws(Errno) in try self.calls.open(name, in: folder, flags, 0o666) }, "open")
    return FileInFolder(descriptor: descriptor, path: path(of: relative), calls: calls)
  }

  /// The status of a file, or of a symbolic link itself; nil if it does not exist.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidPath`` if the path goes through a symbolic link.
  package func facts(_ relative: String) throws(ASCMHLError) -> FileFacts? {
    do throws(ASCMHLError) {
      return try within(
        relative,
        { folder, name throws(Errno) in FileFacts(try self.calls.status(name, in: folder)) },
        "look at")
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory: return nil
      // If a parent is a file, the path does not exist; if a parent is a link, that is an error.
      case .notDirectory where try !goesThroughLink(relative): return nil
      default: throw error
      }
    }
  }

  /// True if a parent of the path is a symbolic link.
  private func goesThroughLink(_ relative: String) throws(ASCMHLError) -> Bool {
    let names = try names(of: relative)
    for count in 1..<max(names.count, 1) {
      let part = names.prefix(count).joined(separator: "/")
      let facts = try? within(
        part, { folder, name throws(Errno) in FileFacts(try self.calls.status(name, in: folder)) },
        "look at")
      if facts?.isSymbolicLink == true { return true }
      if facts?.isFolder != true { return false }
    }
    return false
  }

  /// Creates a folder and its missing parents; an existing one is no error.
  package func makeFolder(_ relative: String) throws(ASCMHLError) {
    // `within` creates all components but the last.
    try within(relative + "/-", makingFolders: true, { _, _ throws(Errno) in }, "make")
  }

  /// Flushes the names in a folder to the disk.
  func synchronizeFolder(_ relative: String) throws(ASCMHLError) {
    try within(
      relative.isEmpty ? "-" : relative + "/-",
      { folder, _ throws(Errno) in try self.calls.synchronize(folder) }, "sync")
  }

  /// Renames a file within its folder, never replacing another one.
  ///
  /// - Parameter synchronizes: False if ``synchronizeAll()`` follows.
  /// - Returns: False if the new name is taken.
  package func rename(
    _ relative: String, to name: String, synchronizes: Bool = true
  ) throws(ASCMHLError) -> Bool {
    do throws(ASCMHLError) {
      try within(
        relative,
        { folder, from throws(Errno) in
          try self.calls.rename(from, to: name, in: folder)
          if synchronizes { try self.calls.synchronize(folder) }
        }, "rename")
      return true
    } catch {
      if error.errno == .fileExists { return false }
      throw error
    }
  }

  /// Removes a file; a missing one is no error.
  package func remove(_ relative: String) throws(ASCMHLError) {
    do throws(ASCMHLError) {
      try within(
        relative, { folder, name throws(Errno) in try self.calls.remove(name, in: folder) },
        "remove")
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Writes or replaces a file atomically, also with regard to a power failure.
  package func replace(_ relative: String, with bytes: [UInt8]) throws(ASCMHLError) {
    let (parent, last) = Self.split(relative)
    // With a leading dot, so that readers do not take it for a manifest.
    let temporary = parent + "." + last + ".new"
    try remove(temporary)
    let file = try create(temporary)
    try bytes.span.bytes.withUnsafeBytes { buffer throws(ASCMHLError) in try file.write(buffer) }
    try file.synchronize()
    try within(
      relative,
      { folder, name throws(Errno) in
        try self.calls.replace(name, with: "." + name + ".new", in: folder)
        try self.calls.synchronize(folder)
      }, "rename")
  }

  /// A path's folder, which is empty or ends with a slash, and its last component.
  package static func split(_ relative: String) -> (parent: String, name: String) {
    let bytes = relative.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ("", relative) }
    return (
      String(decoding: bytes[...slash], as: UTF8.self),
      String(decoding: bytes[bytes.index(after: slash)...], as: UTF8.self)
    )
  }

  /// The names in a folder, sorted, without those that are not UTF-8.
  package func names(in relative: String) throws(ASCMHLError) -> [String] {
    try rawNames(in: relative).compactMap { String(validating: $0, as: UTF8.self) }.sorted()
  }

  func rawNames(in relative: String) throws(ASCMHLError) -> [[UInt8]] {
    if relative.isEmpty {
      do throws(Errno) { return try calls.names(root) } catch { throw .system("list", path, error) }
    }
    return try within(
      relative,
      { folder, name throws(Errno) in
        let own = try self.calls.open(name, in: folder, O_RDONLY | O_DIRECTORY, 0)
        defer { self.calls.close(own) }
        return try self.calls.names(own)
      }, "list")
  }
}
