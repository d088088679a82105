import CLinux
package import Glibc
import MediaCore
package import SystemPackage

/// The system calls beneath the library. A failed call throws its error number. SQLite accesses the
/// catalogue file by itself.
///
/// Tests substitute calls that fail with any error number, or that halt in the middle of a change.
package protocol LibraryFileCalls: AnyObject, Sendable {
  /// Opens a folder by its path relative to an open folder, only for naming files in it. The path
  /// may neither leave that folder nor pass through a symbolic link.
  func openFolder(_ folder: Int32, beneath path: String) throws(Errno) -> Int32
  func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32
  /// The descriptor is closed even if this throws.
  func close(_ descriptor: Int32) throws(Errno)
  func lock(_ descriptor: Int32, _ operation: Int32) throws(Errno)
  func status(_ descriptor: Int32) throws(Errno) -> stat
  /// The status of a location; a link is not followed.
  func status(of location: FileLocation) throws(Errno) -> stat
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int
  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno)
  func synchronize(_ descriptor: Int32) throws(Errno)
  func synchronizeFileSystem(_ descriptor: Int32) throws(Errno)
  /// Renames a file; throws EEXIST if the new name is taken.
  func rename(_ from: FileLocation, _ to: FileLocation) throws(Errno)
  /// Renames a file, replacing any file with the new name.
  func replace(_ from: FileLocation, _ to: FileLocation) throws(Errno)
  func unlink(_ location: FileLocation) throws(Errno)
  func makeFolder(_ location: FileLocation, _ mode: UInt32) throws(Errno)
  func removeFolder(_ location: FileLocation) throws(Errno)
  /// The entries of an open folder, without `.` and `..`. Throws if listing fails midway.
  func entries(_ folder: Int32) throws(Errno) -> [FolderEntry]
  /// Sets the modification time (`futimens`).
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) throws(Errno)
  /// Drops a file from the page cache, so that it is next read from the disk.
  func dropCache(_ descriptor: Int32)
  /// Throws EAGAIN if anyone has the file open for writing, and another error if the file system
  /// cannot tell (`fcntl`, F_SETLEASE).
  func checkUnwritten(_ descriptor: Int32) throws(Errno)
  /// The type of the file system that holds a path (linux/magic.h); nil if unknown.
  func fileSystemType(_ path: String) -> Int?
}

extension LibraryFileCalls {
  package func fileSystemType(_ path: String) -> Int? {
    let type = file_system_type(path)
    return type == -1 ? nil : type
  }
}

/// The real system calls.
package final class SystemLibraryFileCalls: LibraryFileCalls {
  private let usesOpenat2: Bool

  /// - Parameter usesOpenat2: False to open folders one by one, as kernels before Linux 5.6
  ///   require.
  package init(usesOpenat2: Bool = true) { self.usesOpenat2 = usesOpenat2 }

  package func openFolder(_ folder: Int32, beneath path: String) throws(Errno) -> Int32 {
    if usesOpenat2 {
      do throws(Errno) {
        return Int32(try Errno.check(open_folder_beneath(folder, path)))
      } catch {
        // A sandbox that does not know the call refuses it with EPERM.
        guard error == .noFunction || error == .notPermitted else { throw error }
      }
    }
    return try openFolderStepwise(folder, path)
  }

  /// Without `openat2`: opens each folder from its parent, refusing links.
  private func openFolderStepwise(_ folder: Int32, _ path: String) throws(Errno) -> Int32 {
    var present = folder
    for part in path.pathParts(keepsEmpty: true) {
      let parent = present
      defer { if parent != folder { _ = Glibc.close(parent) } }
      present = try openStep(parent, String(part))
    }
    return present
  }

  private func openStep(_ folder: Int32, _ name: String) throws(Errno) -> Int32 {
    guard !name.isEmpty, name != ".", name != ".." else { throw .improperLink }
    let flags = openPathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    do throws(Errno) { return try Errno.check(openat(folder, name, flags)) } catch {
      // For a link, O_DIRECTORY fails with ENOTDIR and openat2 with ELOOP: report ELOOP in both cases.
      guard error == .notDirectory,
        let facts = try? status(of: FileLocation(name, in: folder)),
        facts.st_mode & S_IFMT == S_IFLNK
      else { throw error }
      throw .tooManySymbolicLinkLevels
    }
  }

  package func open(
    _ location: FileLocation, _ flags: Int32, _ mode: UInt32
  ) throws(Errno) -> Int32 {
    try Errno.check(openat(location.folder, location.name, flags, mode))
  }

  package func close(_ descriptor: Int32) throws(Errno) { try Errno.check(Glibc.close(descriptor)) }

  package func lock(_ descriptor: Int32, _ operation: Int32) throws(Errno) {
    try Errno.check(flock(descriptor, operation))
  }

  package func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(fstat(descriptor, &status))
    return status
  }

  package func status(of location: FileLocation) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(fstatat(location.folder, location.name, &status, AT_SYMLINK_NOFOLLOW))
    return status
  }

  package func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    try Errno.check(pread(descriptor, buffer.baseAddress, buffer.count, offset))
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try Errno.check(Glibc.write(descriptor, bytes.baseAddress, bytes.count))
  }

  package func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try Errno.check(ftruncate(descriptor, length))
  }

  package func synchronize(_ descriptor: Int32) throws(Errno) {
    try Errno.check(fsync(descriptor))
  }

  package func synchronizeFileSystem(_ descriptor: Int32) throws(Errno) {
    try Errno.check(synchronize_file_system(descriptor))
  }

  package func rename(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    do throws(Errno) {
      try Errno.check(rename_where_free_in(from.folder, from.name, to.folder, to.name))
    } catch {
      guard error == .invalidArgument || error == .noFunction else { throw error }
      // Without RENAME_NOREPLACE, the library's lock keeps others out meanwhile.
      guard (try? status(of: to)) == nil else { throw .fileExists }
      try replace(from, to)
    }
  }

  package func replace(_ from: FileLocation, _ to: FileLocation) throws(Errno) {
    try Errno.check(renameat(from.folder, from.name, to.folder, to.name))
  }

  package func unlink(_ location: FileLocation) throws(Errno) {
    try Errno.check(unlinkat(location.folder, location.name, 0))
  }

  package func makeFolder(_ location: FileLocation, _ mode: UInt32) throws(Errno) {
    try Errno.check(mkdirat(location.folder, location.name, mode))
  }

  package func removeFolder(_ location: FileLocation) throws(Errno) {
    try Errno.check(unlinkat(location.folder, location.name, AT_REMOVEDIR))
  }

  package func entries(_ folder: Int32) throws(Errno) -> [FolderEntry] {
    try ListedFolder.entries(of: folder).map { entry in
      let name = String(validating: entry.bytes, as: UTF8.self)
      return FolderEntry(
        name: name ?? entry.name, isRegularFile: entry.isRegularFile, isUTF8: name != nil)
    }
  }

  package func setModified(
    _ descriptor: Int32, seconds: Int, nanoseconds: Int
  ) throws(Errno) {
    let omit = 1_073_741_822  // UTIME_OMIT
    let times = [
      timespec(tv_sec: 0, tv_nsec: omit), timespec(tv_sec: seconds, tv_nsec: nanoseconds),
    ]
    try Errno.check(futimens(descriptor, times))
  }

  package func dropCache(_ descriptor: Int32) {
    let dontNeed: Int32 = 4  // POSIX_FADV_DONTNEED
    _ = posix_fadvise(descriptor, 0, 0, dontNeed)
  }

  package func checkUnwritten(_ descriptor: Int32) throws(Errno) {
    let setLease: Int32 = 1024  // F_SETLEASE
    let setSignal: Int32 = 10  // F_SETSIG
    // A process that opens the file at this moment breaks the lease. The default signal for that,
    // SIGIO, would kill this process; SIGURG is ignored by default.
    try Errno.check(fcntl(descriptor, setSignal, SIGURG))
    let readLease = Int32(F_RDLCK)
    let noLease = Int32(F_UNLCK)
    try Errno.check(fcntl(descriptor, setLease, readLease))
    _ = fcntl(descriptor, setLease, noLease)
  }
}

/// O_PATH, which glibc declares only with _GNU_SOURCE.
private let openPathOnly: Int32 = 0o10000000
