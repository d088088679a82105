import CLinux
package import Glibc
import MediaCore
package import SystemPackage

/// The system calls under ``PosixMovieFile``: what fails throws its number.
///
/// A test puts its own in place to make any of them fail with any number.
package protocol FileCalls: AnyObject {
  func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32
  /// The descriptor is gone, also where this throws.
  func close(_ descriptor: Int32) throws(Errno)
  /// Locks the file for as long as it is open; throws EAGAIN where another has it.
  func lock(_ descriptor: Int32) throws(Errno)
  func unlock(_ descriptor: Int32)
  /// True where another has the file locked; takes no lock.
  func isLocked(_ descriptor: Int32) throws(Errno) -> Bool
  func status(_ descriptor: Int32) throws(Errno) -> stat
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int
  func write(
    _ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>, at offset: Int
  ) throws(Errno) -> Int
  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) throws(Errno)
  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno)
  func synchronizeData(_ descriptor: Int32) throws(Errno)
  func synchronize(_ descriptor: Int32) throws(Errno)
  func rename(_ path: String, _ newPath: String) throws(Errno)
  func unlink(_ path: String) throws(Errno)
  /// What a path leads to (`stat`).
  func status(ofPath path: String) throws(Errno) -> stat
  /// The present path of an open file according to the kernel; nil if the kernel does not say.
  func path(of descriptor: Int32) -> String?
  /// Renames unless the new name is taken: throws EEXIST then.
  func renameExclusively(_ path: String, _ newPath: String) throws(Errno)
  /// Copies bytes from one file to the same place in another, without moving them where the file
  /// system can share them; fewer than asked for at the end.
  func copy(
    _ source: Int32, _ target: Int32, _ offset: Int, _ count: Int
  ) throws(Errno) -> Int
  func makeFolder(_ path: String) throws(Errno)
}

/// The defaults are the system's own calls. Tests override them.
extension FileCalls {
  package func status(ofPath path: String) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(fstatat(AT_FDCWD, path, &status, 0))
    return status
  }

  package func path(of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
      return readlink("/proc/self/fd/\(descriptor)", base, buffer.count)
    }
    guard count > 0 else { return nil }
    return String(validating: bytes.prefix(count), as: UTF8.self)
  }

  package func renameExclusively(_ path: String, _ newPath: String) throws(Errno) {
    try Errno.check(file_rename_exclusively(path, newPath))
  }

  package func copy(
    _ source: Int32, _ target: Int32, _ offset: Int, _ count: Int
  ) throws(Errno) -> Int {
    Int(try Errno.check(file_copy_range(source, target, offset, count)))
  }

  package func makeFolder(_ path: String) throws(Errno) { try Errno.check(mkdir(path, 0o777)) }

  /// Writes all bytes, and goes on after short writes and interruptions.
  func writeAll(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let vector = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
      let count = try withUnsafePointer(to: vector) { vector throws(Errno) in
        try Errno.retrying { () throws(Errno) in
          try write(
            descriptor, UnsafeBufferPointer(start: vector, count: 1), at: offset + done)
        }
      }
      guard count > 0 else { throw .ioError }
      done += count
    }
  }
}

/// The system's own calls.
package final class SystemFileCalls: FileCalls {
  package init() {}

  package func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
    try Errno.check(Glibc.open(path, flags, mode))
  }

  package func close(_ descriptor: Int32) throws(Errno) {
    try Errno.check(Glibc.close(descriptor))
  }

  package func lock(_ descriptor: Int32) throws(Errno) {
    try Errno.check(file_lock_exclusively(descriptor))
  }

  package func unlock(_ descriptor: Int32) { _ = file_unlock(descriptor) }

  package func isLocked(_ descriptor: Int32) throws(Errno) -> Bool {
    try Errno.check(file_lock_is_held(descriptor)) == 1
  }

  package func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(fstat(descriptor, &status))
    return status
  }

  package func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    try Errno.check(pread(descriptor, buffer.baseAddress, buffer.count, offset))
  }

  package func write(
    _ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>, at offset: Int
  ) throws(Errno) -> Int {
    try Errno.check(
      pwritev(descriptor, vectors.baseAddress, Int32(clamping: vectors.count), offset))
  }

  package func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) throws(Errno) {
    let keepSize: Int32 = 1  // FALLOC_FL_KEEP_SIZE
    try Errno.check(fallocate(descriptor, keepSize, offset, length))
  }

  package func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try Errno.check(ftruncate(descriptor, length))
  }

  package func synchronizeData(_ descriptor: Int32) throws(Errno) {
    try Errno.check(fdatasync(descriptor))
  }

  package func synchronize(_ descriptor: Int32) throws(Errno) {
    try Errno.check(fsync(descriptor))
  }

  package func rename(_ path: String, _ newPath: String) throws(Errno) {
    try Errno.check(Glibc.rename(path, newPath))
  }

  package func unlink(_ path: String) throws(Errno) { try Errno.check(Glibc.unlink(path)) }
}
