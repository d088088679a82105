import CLinux
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Files that are there whole, or not at all.
package enum WholeFile {
  /// Has a file written next to its place, waits for the disk, and then gives it its name. In the place of an
  /// older file it has that one's permissions; owner and access lists are those of a new file.
  ///
  /// - Returns: The file's size.
  /// - Throws: What `body` throws, and ``PictureFileError/Code/fileFailed``; then nothing is left behind.
  package static func write(
    to path: String, replacing: Bool,
    beforeNaming: () throws(PictureFileError) -> Void = {},
    _ body: (PictureOutput) throws(PictureFileError) -> Void
  ) throws(PictureFileError) -> Int {
    if !replacing, access(path, F_OK) == 0 { throw failure(path, EEXIST) }
    let older = replacing ? permissions(of: path) : nil
    // Nobody else reads what is to replace a file that others may not read.
    let (unfinished, descriptor) = try begin(path, mode: older == nil ? 0o644 : 0o600)
    // Last of all: the lock goes with it.
    defer { close(descriptor) }
    // A file system without permissions has none to set.
    if let older { _ = fchmod(descriptor, older) }
    let output = PictureOutput(descriptor: descriptor, path: path)
    do throws(PictureFileError) {
      try body(output)
      guard fsync(descriptor) == 0 else { throw failure(path, errno) }
      try beforeNaming()
      guard rename(unfinished, to: path, replacing: replacing) else { throw failure(path, errno) }
    } catch {
      unlink(unfinished)
      throw error
    }
    synchronizeFolder(of: path)
    return output.count
  }

  /// Makes the folder of a file, and those that lead to it, as far as they are missing.
  ///
  /// - Throws: ``PictureFileError/Code/fileFailed``; folders that were made stay.
  package static func makeFolder(of path: String) throws(PictureFileError) {
    let folder = path.parentPath
    var missing: [String] = []
    var present = folder
    while !isFolder(present), present != present.parentPath {
      missing.append(present)
      present = present.parentPath
    }
    for part in missing.reversed() where mkdir(part, 0o777) != 0 {
      // Something exists there that is not a folder.
      let number = errno == EEXIST ? ENOTDIR : errno
      // Another thread or program may have made it meanwhile.
      guard !isFolder(part) else { continue }
      let remedy =
        Errno(rawValue: number).remedy(writing: part)
        ?? (number == ENOSPC ? "make room on the disk" : "choose another folder")
      throw PictureFileError(
        .fileFailed, "\(folder) cannot be made: \(String(cString: strerror(number))); \(remedy)",
        errno: number)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Who may read and write a file; nil where there is none.
  private static func permissions(of path: String) -> mode_t? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return facts.st_mode & 0o777
  }

  /// Makes the file that is to be renamed, and locks it: whoever looks for leftovers, on whatever host, sees
  /// that it is being written.
  private static func begin(
    _ path: String, mode: mode_t
  ) throws(PictureFileError) -> (name: String, descriptor: Int32) {
    var number = getpid()
    for _ in 0..<8 {
      let name = "\(path).\(number).unfinished"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 {
        // Without locks on this file system nobody takes the file for a leftover either.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var facts = stat()
        if fstat(descriptor, &facts) != 0 || facts.st_nlink > 0 { return (name, descriptor) }
        // It was taken for a leftover before it had its lock.
        close(descriptor)
      } else if errno != EEXIST {
        throw failure(path, errno)
      }
      // In containers processes often have the same number.
      number = Int32.random(in: 1...Int32.max)
    }
    throw failure(path, EEXIST)
  }

  /// Takes away what a run that was killed had not finished in a folder. What is still being written, here or on
  /// another host, has a lock, and stays; so does all on a file system without locks.
  ///
  /// - Parameter endings: How finished files' names end; other files stay.
  /// - Returns: The names of what was taken away.
  package static func removeLeftovers(in folder: String, endings: Set<String>) -> [String] {
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if isLeftover(name, endings) { names.append(name) }
    }
    return names.sorted().filter { removeUnlessLocked("\(folder)/\($0)") }
  }

  private static func removeUnlessLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0
  }

  /// True for a name such as `shot.jpg.4711.unfinished`.
  private static func isLeftover(_ name: String, _ endings: Set<String>) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 1] == "unfinished",
      endings.contains(parts[parts.count - 3].lowercased())
    else { return false }
    return pid_t(parts[parts.count - 2]).map { $0 > 0 } ?? false
  }

  private static func rename(_ path: String, to other: String, replacing: Bool) -> Bool {
    guard !replacing else { return Glibc.rename(path, other) == 0 }
    guard rename_where_free(path, other) != 0 else { return true }
    // Not every file system can tell and rename in one step.
    guard errno == EINVAL || errno == ENOSYS else { return false }
    guard access(other, F_OK) != 0 else {
      errno = EEXIST
      return false
    }
    return Glibc.rename(path, other) == 0
  }

  /// A file system that cannot sync a folder keeps names in its own way: the file is there.
  private static func synchronizeFolder(of path: String) {
    let descriptor = open(path.parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The error of a system call.
  ///
  /// - Parameter room: The room of a folder's file system; a test puts its own here.
  static func failure(
    _ path: String, _ number: Int32, room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> PictureFileError {
    let remedy =
      switch number {
      case ENOSPC: "make room on the disk"
      case EEXIST: "choose another name or allow overwriting"
      default: "see that the folder exists and is yours"
      }
    let words = Errno(rawValue: number).remedy(writing: path, room: room) ?? remedy
    return PictureFileError(
      .fileFailed, "\(path) could not be written: \(String(cString: strerror(number))); \(words)",
      errno: number)
  }
}
