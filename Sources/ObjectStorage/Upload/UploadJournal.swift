import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore
import SystemPackage

/// Stores what is needed to resume an upload after the process was killed: the file, its checksums
/// and the server's ID for the upload. Which parts have arrived is asked of the server.
final class UploadJournal {
  /// Identifies a file and its state, to detect a change.
  struct Source: Codable, Hashable {
    var size: Int64
    var modified: Int64
    var device: UInt64
    var inode: UInt64

    init(_ facts: FileFacts) {
      (size, modified, device, inode) = (facts.size, facts.modified, facts.device, facts.inode)
    }
  }

  struct Entry: Codable {
    var version = 1
    /// The server and the object's address.
    var target: String
    var source: Source
    var sums: ContentChecksums
    var lock: ObjectLock?
    /// True from just before the upload is created until its ID is known.
    var isBeginning = false
    var upload: String?
  }

  private let folder: CopyFolder
  private let name: String
  private let lockFile: Int32
  private let lockPath: String
  private(set) var entry: Entry?

  static var userFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    // The XDG specification says to ignore relative paths.
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? home + "/.local/state") + "/recordctl/uploads"
  }

  /// Opens the journal of a target; only one process at a time can hold it.
  ///
  /// - Throws: ``ObjectStorageError/Code/busy`` if another process has it, and
  ///   ``ObjectStorageError/Code/stateFailed`` if it cannot be read or kept.
  init(_ target: String, in path: String) throws(ObjectStorageError) {
    name = "\(ContentHash(of: [UInt8](target.utf8))).json"
    lockPath = path + "/" + name + ".lock"
    try Self.makeFolder(path)
    do throws(ASCMHLError) { folder = try CopyFolder(path) } catch { throw Self.failed(error) }
    lockFile = try Self.lock(lockPath, target)
    // A truncated journal is started over. An unreadable one is an error: it may name an upload that must still be aborted,
    // because the storage charges for it.
    guard let bytes = try Self.read(name, in: folder),
      let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)),
      entry.version == 1, entry.target == target, entry.sums.isConsistent
    else { return }
    self.entry = entry
  }

  deinit {
    // Closing alone may release the lock late: if another thread is starting a program right now,
    // the child holds the file too until it calls exec.
    _ = flock(lockFile, LOCK_UN)
    close(lockFile)
  }

  /// The stored entry if it is for this file in this state; nil otherwise.
  func entry(of source: Source, lock: ObjectLock?) -> Entry? {
    entry.flatMap { $0.source == source && Self.isAsGood($0.lock, as: lock) ? $0 : nil }
  }

  /// True if the stored lock ends at most a day before the wanted one. A lock of, say, ten years
  /// from now ends later each time it is requested.
  private static func isAsGood(_ kept: ObjectLock?, as wanted: ObjectLock?) -> Bool {
    guard let kept, let wanted else { return kept == wanted }
    return (wanted.until - 86_400...wanted.until).contains(kept.until)
  }

  func keep(_ entry: Entry) throws(ObjectStorageError) {
    do {
      let bytes = [UInt8](try JSONEncoder().encode(entry))
      try folder.replace(name, with: bytes)
    } catch let error as ASCMHLError {
      throw Self.failed(error)
    } catch {
      throw ObjectStorageError(.stateFailed, "\(name): cannot be encoded: \(error)")
    }
    self.entry = entry
  }

  /// Removes the entry after the upload has ended.
  func forget() {
    try? folder.remove(name)
    // Removed while locked: a process that opened it before sees that it has no links left, and
    // opens a new one.
    unlink(lockPath)
    entry = nil
  }

  /// The bytes of a file; nil if it is missing.
  private static func read(
    _ name: String, in folder: CopyFolder
  ) throws(ObjectStorageError) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(ASCMHLError) {
      try folder.open(name).forEachChunk { bytes.append(contentsOf: $0) }
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw failed(error) }
      return nil
    }
    return bytes
  }

  static func makeFolder(_ path: String) throws(ObjectStorageError) {
    var made = ""
    for part in path.pathParts() {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES {
        throw stateFailure(made, "cannot be created", Errno(rawValue: errno))
      }
    }
  }

  private static func lock(_ path: String, _ target: String) throws(ObjectStorageError) -> Int32 {
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        throw stateFailure(
          path, "cannot be created, so a killed upload could not be resumed",
          Errno(rawValue: errno))
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let error = Errno(rawValue: errno)
        close(file)
        throw lockFailure(path, target, error)
      }
      var status = stat()
      // Its owner may have removed it in the meantime.
      if fstat(file, &status) == 0, status.st_nlink > 0 { return file }
      close(file)
    }
  }

  /// The error for a lock that was not granted: another process holds it, or the file system does
  /// not support locks.
  static func lockFailure(_ path: String, _ target: String, _ error: Errno) -> ObjectStorageError {
    error == .wouldBlock
      ? ObjectStorageError(.busy, "\(target): another process is uploading it; let it finish")
      : stateFailure(path, "cannot be locked", error)
  }

  /// The error for a file or folder of the stored state.
  ///
  /// - Parameter fault: What failed, as in "cannot be locked".
  static func stateFailure(_ path: String, _ fault: String, _ error: Errno) -> ObjectStorageError {
    let remedy = error.remedy(writing: path).map { $0 + ", or " } ?? ""
    return ObjectStorageError(
      .stateFailed,
      "\(path): \(fault): \(error); \(remedy)name another folder with XDG_STATE_HOME", errno: error)
  }

  private static func failed(_ error: ASCMHLError) -> ObjectStorageError {
    ObjectStorageError(.stateFailed, from: error)
  }
}

extension ContentChecksums {
  /// False if the stored checksums were truncated or altered.
  var isConsistent: Bool {
    guard size >= 0, partSize > 0, let plan = try? PartPlan(size: size, smallest: partSize) else {
      return false
    }
    return plan.partSize == partSize && partMD5.count == plan.count && partCRC64.count == plan.count
      && partMD5.allSatisfy { $0.count == 16 } && ContentHash(xxh64) != nil
  }
}
