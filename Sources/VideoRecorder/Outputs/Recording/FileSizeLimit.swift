import CLinux

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// How large a file in a folder may become. Tests substitute their own numbers.
package struct FileSizeLimit: Sendable {
  /// Bytes that a file in a folder may have; nil for no limit that matters.
  package var bytes: @Sendable (_ folder: String) -> Int64?

  /// FAT knows sizes of 32 bits (Microsoft's FAT specification, `DIR_FileSize`).
  static let fat: Int64 = 4 << 30 - 1
  /// `MSDOS_SUPER_MAGIC` of linux/magic.h: FAT12, FAT16, FAT32.
  private static let fatMagic = 0x4d44

  /// What the file system and the process's own limit (`RLIMIT_FSIZE`) say.
  package static let system = FileSizeLimit { folder in
    var limits: [Int64] = []
    if file_system_type(folder) == fatMagic { limits.append(fat) }
    var own = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &own) == 0,
      own.rlim_cur != rlim_t.max
    {
      limits.append(Int64(clamping: own.rlim_cur))
    }
    return limits.min()
  }
}
