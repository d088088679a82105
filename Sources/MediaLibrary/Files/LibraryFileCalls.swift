import CLinux
package import Glibc

/// The system calls under a library, by their own conventions: a negative number is a failure, and
/// `errno` says which. The catalogue's own file is SQLite's.
///
/// A test puts its own in place to make any of them fail with any number, or to stop the world in
/// the middle of a change.
package protocol LibraryFileCalls: AnyObject, Sendable {
  /// Opens a folder by its path from an open folder on, only to name files in it. The path leads
  /// neither out of that folder nor through a symbolic link.
  func openFolder(_ folder: Int32, beneath path: String) -> Int32
  func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) -> Int32
  func close(_ descriptor: Int32) -> Int32
  func lock(_ descriptor: Int32, _ operation: Int32) -> Int32
  func status(_ descriptor: Int32, _ status: inout stat) -> Int32
  func status(of location: FileLocation, _ status: inout stat) -> Int32
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int
  func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int
  func truncate(_ descriptor: Int32, _ length: Int) -> Int32
  func synchronize(_ descriptor: Int32) -> Int32
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32
  /// Renames, and fails with EEXIST where the new name is taken.
  func rename(_ from: FileLocation, _ to: FileLocation) -> Int32
  /// Renames, and takes the place of what has the new name.
  func replace(_ from: FileLocation, _ to: FileLocation) -> Int32
  func unlink(_ location: FileLocation) -> Int32
  func makeFolder(_ location: FileLocation, _ mode: UInt32) -> Int32
  func removeFolder(_ location: FileLocation) -> Int32
  /// Sets when the content changed last (`futimens`).
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) -> Int32
  /// Forgets what is in the page cache of a file, so that it is read from the disk.
  func dropCache(_ descriptor: Int32)
  /// 0 where nobody has the file open for writing, -1 with EAGAIN where somebody has, or with
  /// another number where the file system cannot tell (`fcntl`, F_SETLEASE).
  func checkUnwritten(_ descriptor: Int32) -> Int32
  /// The type of the file system that holds a path (linux/magic.h); -1 where that cannot be told.
  func fileSystemType(_ path: String) -> Int
}

extension LibraryFileCalls {
  package func fileSystemType(_ path: String) -> Int { file_system_type(path) }
}

/// The system's own calls.
package final class SystemLibraryFileCalls: LibraryFileCalls {
  private let usesOpenat2: Bool

  /// The system's calls.
  ///
  /// - Parameter usesOpenat2: False to open folders as a kernel before Linux 5.6 has to: one after
  ///   the other.
  package init(usesOpenat2: Bool = true) { self.usesOpenat2 = usesOpenat2 }

  package func openFolder(_ folder: Int32, beneath path: String) -> Int32 {
    if usesOpenat2 {
      let descriptor = Int32(open_folder_beneath(folder, path))
      // A sandbox that does not know the call refuses it with EPERM.
      guard descriptor < 0, errno == ENOSYS || errno == EPERM else { return descriptor }
    }
    return openFolderStepwise(folder, path)
  }

  /// Without `openat2`: each folder is opened from the one before, and none may be a link.
  private func openFolderStepwise(_ folder: Int32, _ path: String) -> Int32 {
    let flags = openPathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var present = folder
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      let isName = !part.isEmpty && part != "." && part != ".."
      let next = isName ? openat(present, String(part), flags) : -1
      var number = isName ? errno : EXDEV
      // For a link, O_DIRECTORY fails with ENOTDIR and openat2 with ELOOP: report ELOOP in both cases.
      var facts = stat()
      if next < 0, number == ENOTDIR,
        fstatat(present, String(part), &facts, AT_SYMLINK_NOFOLLOW) == 0,
        facts.st_mode & S_IFMT == S_IFLNK
      {
        number = ELOOP
      }
      if present != folder { _ = Glibc.close(present) }
      guard next >= 0 else {
        errno = number
        return -1
      }
      present = next
    }
    return present
  }

  package func open(_ location: FileLocation, _ flags: Int32, _ mode: UInt32) -> Int32 {
    openat(location.folder, location.name, flags, mode)
  }

  package func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }

  package func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    flock(descriptor, operation)
  }

  package func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    fstat(descriptor, &status)
  }

  package func status(of location: FileLocation, _ status: inout stat) -> Int32 {
    fstatat(location.folder, location.name, &status, AT_SYMLINK_NOFOLLOW)
  }

  package func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int { pread(descriptor, buffer, count, offset) }

  package func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    Glibc.write(descriptor, buffer, count)
  }

  package func truncate(_ descriptor: Int32, _ length: Int) -> Int32 {
    ftruncate(descriptor, length)
  }

  package func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

  package func synchronizeFileSystem(_ descriptor: Int32) -> Int32 {
    Int32(synchronize_file_system(descriptor))
  }

  package func rename(_ from: FileLocation, _ to: FileLocation) -> Int32 {
    if rename_where_free_in(from.folder, from.name, to.folder, to.name) == 0 { return 0 }
    guard errno == EINVAL || errno == ENOSYS else { return -1 }
    // A file system without RENAME_NOREPLACE: the library's lock keeps others out meanwhile.
    var facts = stat()
    if status(of: to, &facts) == 0 {
      errno = EEXIST
      return -1
    }
    return renameat(from.folder, from.name, to.folder, to.name)
  }

  package func replace(_ from: FileLocation, _ to: FileLocation) -> Int32 {
    renameat(from.folder, from.name, to.folder, to.name)
  }

  package func unlink(_ location: FileLocation) -> Int32 {
    unlinkat(location.folder, location.name, 0)
  }

  package func makeFolder(_ location: FileLocation, _ mode: UInt32) -> Int32 {
    mkdirat(location.folder, location.name, mode)
  }

  package func removeFolder(_ location: FileLocation) -> Int32 {
    unlinkat(location.folder, location.name, AT_REMOVEDIR)
  }

  package func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) -> Int32 {
    let omit = 1_073_741_822  // UTIME_OMIT
    let times = [
      timespec(tv_sec: 0, tv_nsec: omit), timespec(tv_sec: seconds, tv_nsec: nanoseconds),
    ]
    return futimens(descriptor, times)
  }

  package func dropCache(_ descriptor: Int32) {
    let dontNeed: Int32 = 4  // POSIX_FADV_DONTNEED
    _ = posix_fadvise(descriptor, 0, 0, dontNeed)
  }

  package func checkUnwritten(_ descriptor: Int32) -> Int32 {
    let setLease: Int32 = 1024  // F_SETLEASE
    let setSignal: Int32 = 10  // F_SETSIG
    // Who opens the file in this moment breaks the lease. The usual signal for that, SIGIO, would end
    // the process; this one is ignored where nobody waits for it.
    guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return -1 }
    let readLease = Int32(F_RDLCK)
    let noLease = Int32(F_UNLCK)
    guard fcntl(descriptor, setLease, readLease) == 0 else { return -1 }
    _ = fcntl(descriptor, setLease, noLease)
    return 0
  }
}

/// O_PATH, which the C library declares for _GNU_SOURCE only.
private let openPathOnly: Int32 = 0o10000000
