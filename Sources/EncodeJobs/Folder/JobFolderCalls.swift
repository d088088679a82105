import CLinux
import Foundation
import Glibc
import MediaCore
import SystemPackage

/// The system calls that a job's folder relies on. A failure throws its `errno`.
///
/// Tests substitute their own to make any call fail with any error.
protocol JobFolderCalls: Sendable {
  /// Checks that a path exists; throws ENOENT if it does not.
  func find(_ path: String) throws(Errno)
  func makeFolder(_ path: String) throws(Errno)
  func rename(_ path: String, _ newPath: String) throws(Errno)
  func unlink(_ path: String) throws(Errno)
  /// Removes a folder with everything in it.
  func removeFolder(_ path: String) throws(Errno)
  /// Flushes the folder's file system to disk.
  func synchronize(_ folder: String) throws(Errno)
}

/// The defaults, for tests that do not substitute them.
extension JobFolderCalls {
  func removeFolder(_ path: String) throws(Errno) {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      let cause = (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? POSIXError
      throw cause.map { Errno(rawValue: $0.code.rawValue) } ?? .ioError
    }
  }

  func synchronize(_ folder: String) throws(Errno) {
    let descriptor = try Errno.check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(descriptor) }
    do throws(Errno) { try Errno.check(syncfs(descriptor)) } catch {
      // Some file systems do not support it.
      guard error == .invalidArgument || error == .noFunction else { throw error }
    }
  }
}

/// The actual system calls.
struct SystemJobFolderCalls: JobFolderCalls {
  func find(_ path: String) throws(Errno) {
    var facts = stat()
    try Errno.check(lstat(path, &facts))
  }

  func makeFolder(_ path: String) throws(Errno) { try Errno.check(mkdir(path, 0o777)) }

  func rename(_ path: String, _ newPath: String) throws(Errno) {
    try Errno.check(Glibc.rename(path, newPath))
  }

  func unlink(_ path: String) throws(Errno) { try Errno.check(Glibc.unlink(path)) }
}
