import Glibc
import MediaCore

/// The disk that holds a path: the file system, and where it is mounted.
public struct Disk: Sendable, Hashable, Codable {
  /// Where it is mounted; `/` for the system's own disk.
  public var mountPoint: String
  /// The device (`/dev/sda1`), or what else the system mounts (`tmpfs`, `server:/export`).
  public var source: String
  /// The system's number of the file system.
  var device: UInt64
  /// The system's number of the whole disk, of which the file system may be a partition; nil where a
  /// report says where a copy was.
  var whole: String?

  private enum CodingKeys: CodingKey { case mountPoint, source, device }

  /// The disk of a path, or of the nearest folder above it that exists; nil where the system does
  /// not tell.
  public init?(holding path: String) {
    guard let present = Self.nearest(path) else { return nil }
    var status = stat()
    guard stat(present, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    let mounts = Self.mounts().filter { Self.isIn($0.point, present) }
    // The last of several on one another is the one that is seen.
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

  /// The whole disk that a file system is on, which may have a number of its own, as btrfs has.
  static func whole(of device: UInt64, _ source: String, _ calls: DiskCalls) -> String {
    let block = source.hasPrefix("/dev/") ? calls.block(source) : nil
    return calls.disk(of: block ?? device)
  }

  /// True where two paths are on one disk, so that two copies there are lost together: one file
  /// system, two parts of one device as btrfs and bind mounts show them, or two partitions.
  public func isSame(as other: Disk) -> Bool {
    device == other.device || (source.hasPrefix("/dev/") && source == other.source)
      || (whole != nil && whole == other.whole)
  }

  /// `/dev/sda1 at /media/disk1`.
  public var description: String { "\(source) at \(mountPoint)" }

  /// The path without links, or that of the nearest folder above it that exists.
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

  /// What is mounted, in the order of mounting.
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

  /// The kernel writes white space and backslashes as octal numbers: a space is `\040`.
  private static func unescaped(_ text: Substring) -> String {
    EscapedBytes.decode(text, mark: UInt8(ascii: "\\"), digits: 3, radix: 8)
  }
}
