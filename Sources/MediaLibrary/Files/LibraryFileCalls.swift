import CLinux
package import Glibc

/// The system calls under a library, by their own conventions: a negative number is a failure, and
/// `errno` says which. The catalogue's own file is SQLite's.
///
/// A test puts its own in place to make any of them fail with any number, or to stop the world in
/// the middle of a change.
package protocol LibraryFileCalls: AnyObject, Sendable {
  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  func close(_ descriptor: Int32) -> Int32
  func lock(_ descriptor: Int32, _ operation: Int32) -> Int32
  func status(_ descriptor: Int32, _ status: inout stat) -> Int32
  func status(ofPath path: String, _ status: inout stat) -> Int32
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int
  func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int
  func truncate(_ descriptor: Int32, _ length: Int) -> Int32
  func synchronize(_ descriptor: Int32) -> Int32
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32
  /// Renames, and fails with EEXIST where the new name is taken.
  func rename(_ from: String, _ to: String) -> Int32
  /// Renames, and takes the place of what has the new name.
  func replace(_ from: String, _ to: String) -> Int32
  func unlink(_ path: String) -> Int32
  func makeFolder(_ path: String, _ mode: UInt32) -> Int32
  func removeFolder(_ path: String) -> Int32
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
  package init() {}

  package func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    Glibc.open(path, flags, mode)
  }

  package func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }

  package func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    flock(descriptor, operation)
  }

  package func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    fstat(descriptor, &status)
  }

  package func status(ofPath path: String, _ status: inout stat) -> Int32 {
    lstat(path, &status)
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

  package func rename(_ from: String, _ to: String) -> Int32 {
    if rename_where_free(from, to) == 0 { return 0 }
    guard errno == EINVAL || errno == ENOSYS else { return -1 }
    // A file system without RENAME_NOREPLACE: the library's lock keeps others out meanwhile.
    var status = stat()
    if lstat(to, &status) == 0 {
      errno = EEXIST
      return -1
    }
    return Glibc.rename(from, to)
  }

  package func replace(_ from: String, _ to: String) -> Int32 { Glibc.rename(from, to) }

  package func unlink(_ path: String) -> Int32 { Glibc.unlink(path) }

  package func makeFolder(_ path: String, _ mode: UInt32) -> Int32 { mkdir(path, mode) }

  package func removeFolder(_ path: String) -> Int32 { rmdir(path) }

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
