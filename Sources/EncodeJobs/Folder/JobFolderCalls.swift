import CLinux
import Glibc
import MediaCore
import SystemPackage

/// The system calls that a job's folder rests on: what fails throws its number.
///
/// A test puts its own in place to make any of them fail with any number.
protocol JobFolderCalls: Sendable {
  /// Looks whether something has a name: throws ENOENT where nothing has.
  func find(_ path: String) throws(Errno)
  func makeFolder(_ path: String) throws(Errno)
  func rename(_ path: String, _ newPath: String) throws(Errno)
  func unlink(_ path: String) throws(Errno)
  /// Brings what was written to the folder's file system to its disk.
  func synchronize(_ folder: String) throws(Errno)
}

/// The system's own call, where a test has none of its own in place.
extension JobFolderCalls {
  func synchronize(_ folder: String) throws(Errno) {
    let descriptor = try Errno.check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(descriptor) }
    do throws(Errno) { try Errno.check(syncfs(descriptor)) } catch {
      // A file system that knows no such thing is taken at its word.
      guard error == .invalidArgument || error == .noFunction else { throw error }
    }
  }
}

/// The system's own calls.
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
