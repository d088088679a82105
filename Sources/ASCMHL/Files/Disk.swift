import Glibc
import MediaCore

/// The file system that holds a path, and where it is mounted.
public struct Disk: Sendable, Hashable, Codable {
  /// Where it is mounted; `/` for the system disk.
  public var mountPoint: String
  /// The device (`/dev/sda1`) or another mount source (`tmpfs`, `server:/export`).
  public var source: String
  /// The device number of the file system.
  var device: UInt64
  /// Identifies the whole disk, of which the file system may be a partition; nil if this was
  /// decoded from a report.
  var whole: String?

  private enum CodingKeys: CodingKey { case mountPoint, source, device }

  /// The disk of a path, or of its nearest existing ancestor; nil if the system does not tell.
  public init?(holding path: String) {
    guard let present = Self.nearest(path) else { return nil }
    var status = stat()
    guard stat(present, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    let mounts = Self.mounts().filter { Self.isIn($0.point, present) }
    // If several are mounted over one another, the last one is visible.
    guard let mount = mounts.max(by: { $0.point.utf8.count < $1.point.utf8.count }) else {
      return nil
    }
    let last = mounts.last { $0.point == mount.point } ?? mount
    (mountPoint, source) = (last.point, last.source)
    whole = Self.whole(of: device, source, .system)
  }

  init(mountPoint: String, source: String, device: UInt64, whole: String?) {
    (self.mountPoint, self.source, self.device) = (mountPoint, source, device)
    self.whole = whole
  }

  /// Identifies the whole disk that a file system is on. The file system's device number may not be
  /// that of its block device, as with Btrfs.
  static func whole(of device: UInt64, _ source: String, _ calls: DiskCalls) -> String {
    let block = source.hasPrefix("/dev/") ? calls.block(source) : nil
    return calls.disk(of: block ?? device)
  }

  /// True if both are on one disk, so that two copies there are lost together: on the same file
  /// system, on the same device (Btrfs subvolumes, bind mounts), or on partitions of one disk.
  public func isSame(as other: Disk) -> Bool {
    device == other.device || (source.hasPrefix("/dev/") && source == other.source)
      || (whole != nil && whole == other.whole)
  }

  /// `/dev/sda1 at /media/disk1`.
  public var description: String { "\(source) at \(mountPoint)" }

  /// The path with links resolved, or that of its nearest existing ancestor.
  private static func nearest(_ path: String) -> String? {
    var present = path
    while true {
      if let resolved = realpath(present, nil) {
        defer { free(resolved) }
        return String(cString: resolved)
      }
      guard present.hasSlash else { return nil }
      present = present.parentPath
    }
  }

  private static func isIn(_ point: String, _ path: String) -> Bool {
    path.isPath(in: point)
  }

  /// The mounts, in the order in which they were mounted.
  private static func mounts() -> [(point: String, source: String)] {
    guard let file = fopen("/proc/self/mountinfo", "re") else { return [] }
    defer { fclose(file) }
    var mounts: [(point: String, source: String)] = []
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { free(line) }
    while getline(&line, &room, file) > 0, let line {
      // Identifiers, device, root, mount point, options …, "-", type, source, options.
      let words = String(cString: line).split(whereSeparator: { $0 == " " || $0 == "\n" })
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 2 < words.count else {
        continue
      }
      mounts.append((unescaped(words[4]), unescaped(words[dash + 2])))
    }
    return mounts
  }

  /// The kernel escapes white space and backslashes in octal: a space is `\040`.
  private static func unescaped(_ text: Substring) -> String {
    EscapedBytes.decode(text, mark: UInt8(ascii: "\\"), digits: 3, radix: 8)
  }
}
