#if canImport(Glibc)
package import Glibc
#else
package import Musl
#endif

/// What tells a file from all others of the machine, whatever its name: its disk and its number there.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let number: UInt

  /// The identity in what `stat` says.
  package init(_ status: stat) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }

  /// The identity of what a path leads to; nil where it leads to nothing.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// True where both lie on the same disk.
  package func isOnDisk(of other: FileIdentity) -> Bool { device == other.device }
}
