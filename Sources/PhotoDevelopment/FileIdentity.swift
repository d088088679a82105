import Glibc

/// A file, whatever it is called.
struct FileIdentity: Hashable, Sendable {
  private let disk: UInt64
  private let number: UInt64

  /// What a path leads to; nil for nothing.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (disk, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}
