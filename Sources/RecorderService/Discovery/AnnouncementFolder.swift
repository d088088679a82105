import Logging
import MediaCore
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The folder of Avahi's service files, with those of this gateway.
final class AnnouncementFolder: Sendable {
  private struct State: Sendable {
    /// The gateway's services in a folder.
    var present: Set<Announcement> = []
    var path = ""
    var hasReported = false
  }

  private let logger: Logger
  private let state = Mutex(State())

  /// The folder of Debian's `avahi-daemon`.
  static let standardPath = "/etc/avahi/services"

  init(logger: Logger) { self.logger = logger }

  /// Announces these services and no others. A failure is logged once; nothing else depends on it.
  ///
  /// - Parameters:
  ///   - wanted: The services to announce from now on.
  ///   - path: The folder.
  func announce(_ wanted: [Announcement], in path: String) {
    state.withLock { state in
      let names = Set(path == state.path ? wanted.map(\.fileName) : [])
      for gone in state.present where !names.contains(gone.fileName) {
        unlink("\(state.path)/\(gone.fileName)")
      }
      if path == state.path { state.present.formIntersection(wanted) } else { state.present = [] }
      state.path = path
      for announcement in wanted where !state.present.contains(announcement) {
        do throws(Errno) {
          try Self.write(announcement, path)
          state.present.insert(announcement)
        } catch {
          guard !state.hasReported else { continue }
          state.hasReported = true
          logger.warning(
            """
            not announced by mDNS: \(path)/\(announcement.fileName) cannot be written: \(error); install \
            avahi-daemon and give this user the folder, or write announce = false in [mdns]
            """)
        }
      }
    }
  }

  /// Removes all announcements.
  func withdraw() {
    let path = state.withLock { $0.path }
    announce([], in: path)
  }

  /// Writes a file that Avahi's own user may read, first under a name that Avahi ignores.
  ///
  /// Avahi reads a file again only if its modification time differs in seconds (`static-services.c`). A file
  /// that replaces another within the same second is therefore dated a second later.
  private static func write(_ announcement: Announcement, _ path: String) throws(Errno) {
    let target = "\(path)/\(announcement.fileName)"
    do {
      let file = try FileDescriptor.open(
        FilePath(target + ".new"), .writeOnly,
        options: [.create, .truncate, .noFollow, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try file.closeAfter {
        guard fchmod(file.rawValue, 0o644) == 0 else { throw Errno(rawValue: errno) }
        _ = try file.writeAll(announcement.text.utf8)
        try dateAfter(target, file)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
    guard rename(target + ".new", target) == 0 else {
      let reason = Errno(rawValue: errno)
      unlink(target + ".new")
      throw reason
    }
  }

  /// Gives a file a modification time in another second than that of the file that it is about to replace.
  private static func dateAfter(_ target: String, _ file: FileDescriptor) throws(Errno) {
    var (old, own) = (stat(), stat())
    guard lstat(target, &old) == 0, fstat(file.rawValue, &own) == 0,
      own.st_mtim.tv_sec <= old.st_mtim.tv_sec
    else { return }
    let later = timespec(tv_sec: old.st_mtim.tv_sec + 1, tv_nsec: 0)
    guard futimens(file.rawValue, [later, later]) == 0 else { throw Errno(rawValue: errno) }
  }
}
