import CLinux
package import Glibc

/// The system calls under ``PosixMovieFile``, by their own conventions: a negative number is a
/// failure, and `errno` says which.
///
/// A test puts its own in place to make any of them fail with any number.
package protocol FileCalls: AnyObject {
  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  func close(_ descriptor: Int32) -> Int32
  /// Locks the file for as long as it is open; `EAGAIN` where another has it.
  func lock(_ descriptor: Int32) -> Int32
  func unlock(_ descriptor: Int32) -> Int32
  /// 1 where another has the file locked, 0 where none has; takes no lock.
  func isLocked(_ descriptor: Int32) -> Int32
  func status(_ descriptor: Int32, _ status: inout stat) -> Int32
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int
  func write(
    _ descriptor: Int32, _ vectors: UnsafePointer<iovec>?, _ count: Int32, _ offset: Int
  ) -> Int
  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) -> Int32
  func truncate(_ descriptor: Int32, _ length: Int) -> Int32
  func synchronizeData(_ descriptor: Int32) -> Int32
  func synchronize(_ descriptor: Int32) -> Int32
  func rename(_ path: String, _ newPath: String) -> Int32
  func unlink(_ path: String) -> Int32
  /// What a path leads to (`stat`).
  func status(ofPath path: String, _ status: inout stat) -> Int32
  /// Where the open file lies now, as the kernel knows it; nil where it does not say.
  func path(of descriptor: Int32) -> String?
  /// Renames unless the new name is taken: `EEXIST` then.
  func renameExclusively(_ path: String, _ newPath: String) -> Int32
  /// Copies bytes from one file to the same place in another, without moving them where the file
  /// system can share them; fewer than asked for at the end.
  func copy(_ source: Int32, _ target: Int32, _ offset: Int, _ count: Int) -> Int
  func makeFolder(_ path: String) -> Int32
}

/// The system's own calls, where a test has none of its own in place.
extension FileCalls {
  package func status(ofPath path: String, _ status: inout stat) -> Int32 {
    fstatat(AT_FDCWD, path, &status, 0)
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

  package func renameExclusively(_ path: String, _ newPath: String) -> Int32 {
    Int32(file_rename_exclusively(path, newPath))
  }

  package func copy(_ source: Int32, _ target: Int32, _ offset: Int, _ count: Int) -> Int {
    Int(file_copy_range(source, target, offset, count))
  }

  package func makeFolder(_ path: String) -> Int32 { mkdir(path, 0o777) }
}

/// The system's own calls.
package final class SystemFileCalls: FileCalls {
  package init() {}

  package func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    Glibc.open(path, flags, mode)
  }

  package func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }

  package func lock(_ descriptor: Int32) -> Int32 { Int32(file_lock_exclusively(descriptor)) }

  package func unlock(_ descriptor: Int32) -> Int32 { Int32(file_unlock(descriptor)) }

  package func isLocked(_ descriptor: Int32) -> Int32 { Int32(file_lock_is_held(descriptor)) }

  package func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    fstat(descriptor, &status)
  }

  package func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int { pread(descriptor, buffer, count, offset) }

  package func write(
    _ descriptor: Int32, _ vectors: UnsafePointer<iovec>?, _ count: Int32, _ offset: Int
  ) -> Int { pwritev(descriptor, vectors, count, offset) }

  package func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) -> Int32 {
    let keepSize: Int32 = 1  // FALLOC_FL_KEEP_SIZE
    return fallocate(descriptor, keepSize, offset, length)
  }

  package func truncate(_ descriptor: Int32, _ length: Int) -> Int32 {
    ftruncate(descriptor, length)
  }

  package func synchronizeData(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }

  package func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

  package func rename(_ path: String, _ newPath: String) -> Int32 { Glibc.rename(path, newPath) }

  package func unlink(_ path: String) -> Int32 { Glibc.unlink(path) }
}
