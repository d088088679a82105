#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Tells how many bytes are free for a file; a test puts its own numbers here.
package struct FreeSpace: Sendable {
  /// Bytes that may be written beside a file; nil where the system does not say.
  package var bytes: @Sendable (_ path: String) -> Int64?

  package init(_ bytes: @escaping @Sendable (_ path: String) -> Int64?) { self.bytes = bytes }

  /// What the file system says.
  package static let system = FreeSpace { path in
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}
