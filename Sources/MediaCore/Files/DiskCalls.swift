import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What is asked of the system about disks; a test puts its own answers here.
package struct DiskCalls: Sendable {
  /// The number of the file system that a path is on; nil where there is no such path.
  package var device: @Sendable (String) -> UInt64?
  /// The contents of a small kernel file; nil if it does not exist.
  package var text: @Sendable (String) -> String?
  /// The number of a block device at a path; nil for anything else.
  package var block: @Sendable (String) -> UInt64? = { path in
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFBLK else { return nil }
    return UInt64(facts.st_rdev)
  }
  /// True where two paths lead to one folder, as far as they can be followed.
  package var isSame: @Sendable (String, String) -> Bool = { first, second in
    var (one, other) = (stat(), stat())
    if stat(first, &one) == 0, stat(second, &other) == 0 {
      return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
    return FilePath(first).lexicallyNormalized() == FilePath(second).lexicallyNormalized()
  }

  package init(
    device: @escaping @Sendable (String) -> UInt64?, text: @escaping @Sendable (String) -> String?
  ) {
    (self.device, self.text) = (device, text)
  }

  /// This system.
  package static let system = DiskCalls(
    device: { path in
      var facts = stat()
      return stat(path, &facts) == 0 ? UInt64(facts.st_dev) : nil
    },
    text: { path in
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        count = max(read(file, buffer.baseAddress, buffer.count), 0)
      }
      return String(decoding: bytes, as: UTF8.self)
    })

  /// The whole disk that a path is on, as the kernel numbers disks; nil where there is no such path.
  package func disk(holding path: String) -> String? { device(path).map { disk(of: $0) } }

  /// The whole disk that has a file system or is a device of this number, as the kernel numbers disks.
  package func disk(of device: UInt64) -> String {
    // As major(3) and minor(3) have it.
    let major = device >> 8 & 0xfff | device >> 32 & 0xffff_f000
    let minor = device & 0xff | device >> 12 & 0xffff_ff00
    let place = "/sys/dev/block/\(major):\(minor)"
    // The folder of a partition lies in that of its disk.
    guard text(place + "/partition") != nil, let whole = text(place + "/../dev") else {
      return "\(major):\(minor)"
    }
    return whole.filter { !$0.isWhitespace }
  }
}
