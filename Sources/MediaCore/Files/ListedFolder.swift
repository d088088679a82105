package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Folders that are read whole. `.` and `..` are left out, and the order is the file system's.
package enum ListedFolder {
  /// An entry of a folder.
  package struct Entry: Sendable {
    /// The bytes of its name, which need not be UTF-8.
    package var bytes: [UInt8]
    /// True if the file system says that it is a regular file; some never say.
    package var isRegularFile: Bool

    /// The name as text, with U+FFFD in place of bytes that are not valid UTF-8.
    package var name: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The names of a folder's entries.
  ///
  /// - Parameter failure: Makes an error from a line that says what failed, and the system's error number.
  package static func names<Failure: Error>(
    in folder: String, or failure: (String, Errno?) -> Failure
  ) throws(Failure) -> [String] {
    do throws(Errno) { return try names(in: folder) } catch {
      throw failure(
        "\(folder) cannot be read: \(error); check that it is a folder and that you may read it",
        error)
    }
  }

  /// The names of a folder's entries.
  ///
  /// - Parameter folder: The path; empty for the working folder.
  package static func names(in folder: String) throws(Errno) -> [String] {
    let path = folder.isEmpty ? "." : folder
    return try entries(
      closing: Errno.check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK))
    ).map(\.name)
  }

  /// The entries of an open folder, which stays open.
  package static func entries(of folder: Int32) throws(Errno) -> [Entry] {
    // `closedir` closes the descriptor, and the stream needs its own position.
    try entries(closing: Errno.check(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
  }

  private static func entries(closing folder: Int32) throws(Errno) -> [Entry] {
    guard let stream = fdopendir(folder) else {
      let error = Errno(rawValue: errno)
      close(folder)
      throw error
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    errno = 0
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes != [0x2E], bytes != [0x2E, 0x2E] {
        entries.append(
          Entry(bytes: bytes, isRegularFile: entry.pointee.d_type == UInt8(DT_REG)))
      }
      errno = 0
    }
    // A folder whose listing fails must not look like one with fewer files.
    if errno != 0 { throw Errno(rawValue: errno) }
    return entries
  }
}
