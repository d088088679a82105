#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The room of a file system, as it tells.
package struct VolumeRoom: Sendable, Hashable {
  /// Bytes that this user may still write.
  package var bytes: Int64
  /// Files that may still be made; nil where the file system has no fixed number of them.
  package var fileCount: Int64?

  package init(bytes: Int64, fileCount: Int64?) {
    self.bytes = bytes
    self.fileCount = fileCount
  }

  /// The room of the file system that a file or folder is on; nil where it does not tell.
  package init?(at path: String) {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    self.init(
      bytes: overflow ? .max : Int64(clamping: bytes),
      fileCount: facts.f_files > 0 ? Int64(clamping: facts.f_favail) : nil)
  }

  /// Free bytes below which a disk counts as full.
  private static let rest: Int64 = 1 << 20

  /// True where there is room for bytes, but for no more files: their inodes are used up.
  package var lacksFiles: Bool { fileCount == 0 && bytes >= Self.rest }
}
