import CLinux
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Writes files completely or not at all.
package enum WholeFile {
  /// Writes a file next to its destination, syncs it to disk and then renames it. If it replaces a file, it takes
  /// over that file's permissions; owner and access lists are those of a new file.
  ///
  /// - Returns: The file's size.
  /// What `body` throws, and ``ImageFileError/Code/fileFailed``; nothing is left behind in either case.
  package static func write(
    to path: String, replacing: Bool,
    beforeNaming: () throws(ImageFileError) -> Void = {},
    _ body: (ImageOutput) throws(ImageFileError) -> Void
  ) throws(ImageFileError) -> Int {
    if !replacing, access(path, F_OK) == 0 { throw failure(path, EEXIST) }
    let older = replacing ? permissions(of: path) : nil
    // The replaced file may be private: until its permissions are copied, only the owner can read the new one.
    let (unfinished, descriptor) = try begin(path, mode: older == nil ? 0o644 : 0o600)
    // Closing comes last because it releases the lock.
    defer { close(descriptor) }
    // May fail on a file system without permissions, where there is nothing to keep.
    if let older { _ = fchmod(descriptor, older) }
    let output = ImageOutput(descriptor: descriptor, path: path)
    do throws(ImageFileError) {
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

  /// Creates the folder of a file and any missing parent folders.
  ///
  /// - Throws: ``ImageFileError/Code/fileFailed``; folders already created stay.
  package static func makeFolder(of path: String) throws(ImageFileError) {
    let folder = path.parentPath
    var missing: [String] = []
    var present = folder
    while !isFolder(present), present != present.parentPath {
      missing.append(present)
      present = present.parentPath
    }
    for part in missing.reversed() where mkdir(part, 0o777) != 0 {
      // Something other than a folder exists there.
      let number = errno == EEXIST ? ENOTDIR : errno
      // Another thread or program may have created it in the meantime.
      guard !isFolder(part) else { continue }
      let remedy =
        Errno(rawValue: number).remedy(writing: part)
        ?? (number == ENOSPC ? "make room on the disk" : "choose another folder")
      throw ImageFileError(
        .fileFailed, "\(folder) cannot be created: \(String(cString: strerror(number))); \(remedy)",
        errno: number)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The permissions of a file; nil if it does not exist.
  private static func permissions(of path: String) -> mode_t? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return facts.st_mode & 0o777
  }

  /// Creates the unfinished file and locks it, so that a search for leftovers on any host sees that it is in use.
  private static func begin(
    _ path: String, mode: mode_t
  ) throws(ImageFileError) -> (name: String, descriptor: Int32) {
    var number = getpid()
    for _ in 0..<8 {
      let name = "\(path).\(number).unfinished"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 {
        // If the file system has no locks, no leftovers are removed on it either.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var facts = stat()
        if fstat(descriptor, &facts) != 0 || facts.st_nlink > 0 { return (name, descriptor) }
        // It was removed as a leftover before it was locked.
        close(descriptor)
      } else if errno != EEXIST {
        throw failure(path, errno)
      }
      // Processes in different containers often have the same PID.
      number = Int32.random(in: 1...Int32.max)
    }
    throw failure(path, EEXIST)
  }

  /// Removes the unfinished files of killed runs from a folder. Files still being written, here or on another host,
  /// are locked and stay; on a file system without locks, all files stay.
  ///
  /// - Parameter endings: The extensions of finished files; other files stay.
  /// - Returns: The names of the removed files.
  package static func removeLeftovers(in folder: String, endings: Set<String>) -> [String] {
    let folder = folder.isEmpty ? "." : folder
    return ((try? ListedFolder.names(in: folder)) ?? []).filter { isLeftover($0, endings) }
      .sorted().filter { removeUnlessLocked("\(folder)/\($0)") }
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
    // Not every file system can check and rename in one step.
    guard errno == EINVAL || errno == ENOSYS else { return false }
    guard access(other, F_OK) != 0 else {
      errno = EEXIST
      return false
    }
    return Glibc.rename(path, other) == 0
  }

  /// Syncs the folder if it can: on a file system that cannot sync folders, the file exists all the same.
  private static func synchronizeFolder(of path: String) {
    let descriptor = open(path.parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The error of a system call.
  ///
  /// - Parameter room: The space on a folder's file system; replaced in tests.
  static func failure(
    _ path: String, _ number: Int32, room: (String) -> VolumeRoom? = { VolumeRoom(at: $0) }
  ) -> ImageFileError {
    let remedy =
      switch number {
      case ENOSPC: "make room on the disk"
      case EEXIST: "choose another name or allow overwriting"
      default: "check that the folder exists and that you may write to it"
      }
    let words = Errno(rawValue: number).remedy(writing: path, room: room) ?? remedy
    return ImageFileError(
      .fileFailed, "\(path) could not be written: \(String(cString: strerror(number))); \(words)",
      errno: number)
  }
}
