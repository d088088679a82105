import FoundationEssentials
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The folder of proxies for browsers.
struct ProxyFolder: Sendable, Hashable {
  let path: String

  /// A folder; nil for the user's: `recordctl/proxies` below `XDG_CACHE_HOME`, else below `~/.cache`.
  init(path: String?) {
    func folder(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let cache = folder("XDG_CACHE_HOME") ?? (folder("HOME") ?? "/tmp") + "/.cache"
    self.path = path ?? cache + "/recordctl/proxies"
  }

  /// The path of a movie's proxy.
  func path(of take: String, movie index: Int) -> String { "\(path)/\(take)-\(index + 1).mp4" }

  /// Makes the folder, with access for its owner only.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  func make() throws(ServiceError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServiceError(
        .runtimeFolderFailed,
        "the folder for proxies cannot be created; set \"folder\" of [proxies]")
    }
  }

  /// Removes proxies of takes that are no longer listed. The lists of takes are lost when the machine is
  /// switched off.
  ///
  /// - Parameters:
  ///   - known: The IDs of listed takes, whose proxies stay.
  ///   - start: When the machine was switched on, in seconds since 1970. Newer files may be another gateway's.
  func removeOld(except known: Set<String>, before start: Int64) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard let match = name.wholeMatch(of: #/([0-9a-f]{16})-\d+\.mp4(\.part)?/#),
        !known.contains(String(match.1))
      else { continue }
      var facts = stat()
      guard lstat("\(path)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
        Int64(facts.st_mtim.tv_sec) < start
      else { continue }
      unlink("\(path)/\(name)")
    }
  }
}
