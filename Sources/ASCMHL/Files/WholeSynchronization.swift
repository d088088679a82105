/// Bringing a whole file system to the disk (`syncfs`) instead of each file: with many small files that
/// is quicker.
package enum WholeSynchronization {
  /// File systems that bring files, their names and the disk's own cache to rest that way, and tell
  /// what failed. Others, as FAT, FUSE and network file systems, promise more for `fsync`.
  private static let types: Set<Int> = [
    0xEF53,  // ext2, ext3, ext4
    0x5846_5342,  // XFS
    0x9123_683E,  // Btrfs
    0xF2F5_2010,  // F2FS
    0x0102_1994,  // tmpfs
  ]

  /// Files up to this size wait for one another: larger ones take longer to write than to synchronize.
  package static let fileLimit: Int64 = 1 << 20

  /// True where it is as good as synchronizing each file, by the file system's type (linux/magic.h).
  package static func isAsGood(onType type: Int?) -> Bool { type.map(types.contains) ?? false }

  /// True where so many files wait that it is time: work that is killed makes them again.
  package static func isDue(files: Int, bytes: Int64) -> Bool {
    files >= 512 || bytes >= 64 << 20
  }
}
