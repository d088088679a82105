import Foundation
import MediaCore
import MovieExport

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A removed folder of a worker that ended abruptly.
public struct JobLeaving: Sendable, Hashable, Codable {
  /// Why the folder was no longer in use.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// Its worker ran on this machine and no longer exists.
    case workerGone = "worker-gone"
    /// Nothing was written to it for ``JobLeaving/ageLimit``.
    case old
    /// The result already exists.
    case notNeeded = "not-needed"
    /// A damaged part that was set aside; its movie is joined.
    case setAside = "set-aside"
  }

  /// The folder.
  public var path: String
  /// The disk space it used, in bytes.
  public var bytes: Int64
  /// Why it was removed.
  public var reason: Reason

  /// The time without a change, in seconds by the file system's clock, after which the folder of
  /// another machine's worker is removed: a day.
  public static let ageLimit: Double = 24 * 3600

  /// A message about the removal, in one line.
  public var message: String {
    let why =
      switch reason {
      case .workerGone: "its worker, on this machine, no longer runs"
      case .old: "nothing was written to it for a day"
      case .notNeeded: "its result exists already"
      case .setAside: "its part was encoded again and is joined"
      }
    return "\(path), \(bytes) bytes, was removed: \(why)"
  }
}

/// The working folders next to a job's parts and movies.
struct JobLeavings {
  /// A working folder.
  struct Folder {
    var path: String
    /// The part's number; nil for the folder of a join.
    var part: Int?
    /// The worker; nil if the name does not tell.
    var worker: WorkerMark?
    var isAside: Bool
  }

  let job: EncodeJob
  var machine = WorkerMark.System.current

  /// All working folders, of parts and of joins.
  func folders() -> [Folder] {
    let parts = job.path(EncodeJobLayout.parts)
    return names(parts).compactMap { Self.folder($0, in: parts) }
      + movieFolders.flatMap { folder in
        names(folder).compactMap { Self.folder($0, in: folder) }
      }
  }

  private var movieFolders: [String] {
    Set(job.plan.sources.map { job.path($0.movie).parentPath })
      .sorted()
  }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static func folder(_ name: String, in folder: String) -> Folder? {
    let path = folder + "/" + name
    if name.hasPrefix(PartFolder.joinPrefix) {
      return Folder(
        path: path, worker: WorkerMark(name.dropFirst(PartFolder.joinPrefix.count)), isAside: false)
    }
    for (prefix, isAside) in [(PartFolder.workPrefix, false), (PartFolder.asidePrefix, true)]
    where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      let digits = rest.prefix { $0.isNumber }
      return Folder(
        path: path, part: Int(digits), worker: WorkerMark(rest.dropFirst(digits.count + 1)),
        isAside: isAside)
    }
    return nil
  }

  /// Removes the folders of workers that cannot be running.
  ///
  /// - Parameters:
  ///   - own: A folder that was just created, which gives the file system's time and stays; nil to
  ///     keep folders that could only be judged by age.
  ///   - joined: Parts that are in a verified movie and need not be made any more.
  ///   - removesAside: True to remove folders of such parts that were set aside too.
  ///   - tell: Called with one line about each folder that cannot be removed.
  func remove(
    except own: String?, joined: Set<Int> = [], removesAside: Bool = false,
    telling tell: (String) -> Void = { _ in }
  ) -> [JobLeaving] {
    let now = own.flatMap { Self.changed($0) }
    return folders().compactMap { folder in
      guard folder.path != own,
        let reason = reason(folder, now, joined: joined, removesAside: removesAside)
      else { return nil }
      let bytes = Self.bytes(folder.path)
      if let left = job.calls.remains(afterRemoving: folder.path) {
        tell(left)
        return nil
      }
      return JobLeaving(path: folder.path, bytes: bytes, reason: reason)
    }
  }

  /// Why a folder may be removed; nil if it must stay.
  private func reason(
    _ folder: Folder, _ now: Double?, joined: Set<Int>, removesAside: Bool
  ) -> JobLeaving.Reason? {
    let isJoined = folder.part.map(joined.contains) ?? false
    if folder.isAside { return isJoined && removesAside ? .setAside : nil }
    switch folder.worker?.presence(machine) ?? .unknown {
    case .running: return nil
    case .gone: return .workerGone
    case .unknown: break
    }
    if isJoined { return .notNeeded }
    guard let now, let changed = Self.lastChange(folder.path) else { return nil }
    return now - changed > JobLeaving.ageLimit ? .old : nil
  }

  // MARK: Folders on the disk

  /// The last change of a folder or anything in it, in seconds since 1970; nil if unknown.
  private static func lastChange(_ path: String) -> Double? {
    guard let own = changed(path),
      let names = try? FileManager.default.subpathsOfDirectory(atPath: path)
    else { return nil }
    return names.reduce(own) { max($0, changed(path + "/" + $1) ?? .infinity) }
  }

  private static func changed(_ path: String) -> Double? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    return Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) * 1e-9
  }

  /// The disk space of a file, or of a folder with everything in it, in bytes; 0 if it does not
  /// exist.
  static func bytes(_ path: String) -> Int64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return ([path] + names.map { path + "/" + $0 }).reduce(0) { sum, path in
      var facts = stat()
      return lstat(path, &facts) == 0 ? sum + Int64(facts.st_blocks) * 512 : sum
    }
  }
}
