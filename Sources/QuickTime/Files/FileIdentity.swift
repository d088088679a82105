package import Glibc

/// What tells a file from all others of the machine, whatever its name: its disk and its number there.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let number: UInt

  /// The identity in what `stat` says.
  package init(_ status: stat) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }

  /// True where both lie on the same disk.
  func isOnDisk(of other: FileIdentity) -> Bool { device == other.device }
}
