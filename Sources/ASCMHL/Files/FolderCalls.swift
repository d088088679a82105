import CLinux
package import Glibc
import MediaCore
package import SystemPackage

/// The system calls used for copies. Each one takes an open folder and a single name in it, so that
/// no path can lead elsewhere. Tests replace them to make any call fail.
package protocol FolderCalls: AnyObject, Sendable {
  /// Opens a path as the user gave it, following symbolic links.
  func open(path: String, _ flags: Int32) throws(Errno) -> Int32
  /// Opens a name in a folder without following a symbolic link.
  func open(
    _ name: String, in folder: Int32, _ flags: Int32, _ mode: UInt32
  ) throws(Errno) -> Int32
  func close(_ descriptor: Int32)
  /// Locks a file exclusively without waiting (`flock`).
  func lock(_ descriptor: Int32) throws(Errno)
  func unlock(_ descriptor: Int32)
  func status(_ descriptor: Int32) throws(Errno) -> stat
  /// The status of a name in a folder; for a symbolic link, of the link itself.
  func status(_ name: String, in folder: Int32) throws(Errno) -> stat
  /// The names in a folder, as bytes: they need not be UTF-8.
  func names(_ folder: Int32) throws(Errno) -> [[UInt8]]
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int
  func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) throws(Errno) -> Int
  func synchronize(_ descriptor: Int32) throws(Errno)
  /// Flushes the whole file system of a descriptor to the disk (`syncfs`).
  func synchronizeFileSystem(_ descriptor: Int32) throws(Errno)
  /// The type of the file system that holds a path (linux/magic.h); -1 if unknown.
  func fileSystemType(_ path: String) -> Int
  /// Renames within a folder; fails with EEXIST if the new name is taken.
  func rename(_ from: String, to name: String, in folder: Int32) throws(Errno)
  /// Renames `other` to `name` within a folder, replacing an existing `name`.
  func replace(_ name: String, with other: String, in folder: Int32) throws(Errno)
  func remove(_ name: String, in folder: Int32) throws(Errno)
  func makeFolder(_ name: String, in folder: Int32) throws(Errno)
  func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int)
  /// Drops a file from the page cache, so that it is read from the disk.
  func dropCache(_ descriptor: Int32)
}

/// The system's own calls.
package final class SystemFolderCalls: FolderCalls {
  package init() {}

  private func check(_ result: Int) throws(Errno) -> Int {
    if result < 0 { throw Errno(rawValue: errno) }
    return result
  }

  private func check(_ result: Int32) throws(Errno) -> Int32 {
    if result < 0 { throw Errno(rawValue: errno) }
    return result
  }

  package func open(path: String, _ flags: Int32) throws(Errno) -> Int32 {
    try check(Glibc.open(path, flags | O_CLOEXEC))
  }

  package func open(
    _ name: String, in folder: Int32, _ flags: Int32, _ mode: UInt32
  ) throws(Errno) -> Int32 {
    // O_NONBLOCK: opening a FIFO must not wait; it has no meaning for regular files.
    try check(openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode))
  }

  package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  package func lock(_ descriptor: Int32) throws(Errno) {
    _ = try check(flock(descriptor, LOCK_EX | LOCK_NB))
  }

  package func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  package func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    _ = try check(fstat(descriptor, &status))
    return status
  }

  package func status(_ name: String, in folder: Int32) throws(Errno) -> stat {
    var status = stat()
    _ = try check(fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW))
    return status
  }

  package func names(_ folder: Int32) throws(Errno) -> [[UInt8]] {
    try ListedFolder.entries(of: folder).map(\.bytes)
  }

  package func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int {
    try check(pread(descriptor, buffer.baseAddress, buffer.count, Int(offset)))
  }

  package func write(
    _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer
  ) throws(Errno) -> Int { try check(Glibc.write(descriptor, buffer.baseAddress, buffer.count)) }

  package func synchronize(_ descriptor: Int32) throws(Errno) { _ = try check(fsync(descriptor)) }

  package func synchronizeFileSystem(_ descriptor: Int32) throws(Errno) {
    _ = try check(synchronize_file_system(descriptor))
  }

  package func fileSystemType(_ path: String) -> Int { file_system_type(path) }

  package func rename(_ from: String, to name: String, in folder: Int32) throws(Errno) {
    if rename_where_free_in(folder, from, folder, name) == 0 { return }
    let error = Errno(rawValue: errno)
    guard error == .invalidArgument || error == .noFunction else { throw error }
    // The file system does not support RENAME_NOREPLACE, as on many cards and exchange disks.
    var status = stat()
    if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { throw .fileExists }
    _ = try check(renameat(folder, from, folder, name))
  }

  package func replace(_ name: String, with other: String, in folder: Int32) throws(Errno) {
    _ = try check(renameat(folder, other, folder, name))
  }

  package func remove(_ name: String, in folder: Int32) throws(Errno) {
    _ = try check(unlinkat(folder, name, 0))
  }

  package func makeFolder(_ name: String, in folder: Int32) throws(Errno) {
    _ = try check(mkdirat(folder, name, 0o777))
  }

  package func setModified(_ descriptor: Int32, seconds: Int, nanoseconds: Int) {
    let omit = 1_073_741_822  // UTIME_OMIT
    let times = [
      timespec(tv_sec: 0, tv_nsec: omit), timespec(tv_sec: seconds, tv_nsec: nanoseconds),
    ]
    _ = futimens(descriptor, times)
  }

  package func dropCache(_ descriptor: Int32) {
    let dontNeed: Int32 = 4  // POSIX_FADV_DONTNEED
    _ = posix_fadvise(descriptor, 0, 0, dontNeed)
  }
}
