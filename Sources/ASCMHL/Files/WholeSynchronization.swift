/// Flushing a whole file system (`syncfs`) instead of each file, which is faster with many small
/// files.
package enum WholeSynchronization {
  /// File systems on which `syncfs` flushes files, names and the disk's write cache, and reports
  /// errors. Others, such as FAT, FUSE and network file systems, guarantee more for `fsync`.
  private static let types: Set<Int> = [
    0xEF53,  // ext2, ext3, ext4
    0x5846_5342,  // XFS
    0x9123_683E,  // Btrfs
    0xF2F5_2010,  // F2FS
    0x0102_1994,  // tmpfs
  ]

  /// Files up to this size are flushed together; larger ones take longer to write than to flush.
  package static let fileLimit: Int64 = 1 << 20

  /// True if, on this type of file system (linux/magic.h), it is as reliable as synchronizing each
  /// file.
  package static func isAsGood(onType type: Int?) -> Bool { type.map(types.contains) ?? false }

  /// True if enough files are waiting to flush them now. A limit is needed because a killed process
  /// has to copy the waiting files again.
  package static func isDue(files: Int, bytes: Int64) -> Bool {
    files >= 512 || bytes >= 64 << 20
  }
}
