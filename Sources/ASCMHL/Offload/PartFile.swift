import MediaCore
import SystemPackage

/// A new file that is written beside its place, and has its name only when it is whole.
///
/// It is locked from its making on, so that no other offload into the same folder takes it for what an
/// interrupted one left. What lies by its name and is another file is never touched. It is read back by
/// the descriptor that wrote it: no name can lead that elsewhere.
final class PartFile: Sendable {
  /// Another offload may take it away before it is locked, for one that was left.
  private static let attempts = 16
  /// The bytes that a name may have.
  private static let longestName = 255

  let file: FileInFolder
  private let folder: CopyFolder
  private let path: String
  /// The path that the file is to have.
  private let target: String

  /// Makes it, in the place of one that an interrupted offload left.
  ///
  /// - Parameter reserved: Paths that it does not take, for copies of the card's own files lie there.
  /// - Throws: ``ASCMHLError/Code/ioFailed`` where another offload writes that file, and others of the
  ///   system.
  init(
    for target: String, in folder: CopyFolder, apartFrom reserved: Set<PathBytes>
  ) throws(ASCMHLError) {
    let path = Self.path(for: target, apartFrom: reserved)
    self.folder = folder
    self.path = path
    self.target = target
    file = try Self.file(path, for: target, in: folder)
  }

  deinit { file.unlock() }

  private static func path(for target: String, apartFrom reserved: Set<PathBytes>) -> String {
    let (parent, name) = CopyFolder.split(target)
    var part = ".\(name).part"
    while reserved.contains(PathBytes(parent + part)) { part += ".part" }
    guard part.utf8.count > longestName else { return parent + part }
    part = ".\(ContentHash(of: [UInt8](name.utf8))).part"
    while reserved.contains(PathBytes(parent + part)) { part += ".part" }
    return parent + part
  }

  private static func file(
    _ path: String, for target: String, in folder: CopyFolder
  ) throws(ASCMHLError) -> FileInFolder {
    var failure = isWritten(target, in: folder)
    for _ in 0..<attempts {
      do throws(ASCMHLError) {
        try removeOld(path, for: target, in: folder)
        let file = try folder.createToReadBack(path)
        if file.tryLock() != false, try leads(path, to: file, in: folder) { return file }
      } catch {
        // Another offload was quicker, with making it or with removing it.
        switch error.errno {
        case .fileExists: break
        case .noSuchFileOrDirectory: failure = error
        default: throw error
        }
      }
    }
    throw failure
  }

  /// Removes what an interrupted offload left: nobody has that locked.
  private static func removeOld(
    _ path: String, for target: String, in folder: CopyFolder
  ) throws(ASCMHLError) {
    guard let facts = try folder.facts(path) else { return }
    guard facts.isRegularFile else { return try folder.remove(path) }
    let old = try folder.openToLock(path)
    guard old.tryLock() != false else { throw isWritten(target, in: folder) }
    if try leads(path, to: old, in: folder) { try folder.remove(path) }
    old.unlock()
  }

  private static func leads(
    _ path: String, to file: borrowing FileInFolder, in folder: CopyFolder
  ) throws(ASCMHLError) -> Bool {
    let own = try file.facts().identity
    return try folder.facts(path)?.identity == own
  }

  private static func isWritten(_ target: String, in folder: CopyFolder) -> ASCMHLError {
    ASCMHLError(
      .ioFailed,
      "\(folder.path(of: target)): another copy writes this file here; wait until it has ended, and run "
        + "the offload again")
  }

  /// Removes it, unless another file has its name now.
  func discard() {
    guard (try? Self.leads(path, to: file, in: folder)) == true else { return }
    try? folder.remove(path)
  }

  /// Gives it its name, never over another file.
  ///
  /// - Parameter synchronizes: False where the whole file system is brought to the disk later.
  /// - Throws: ``ASCMHLError/Code/ioFailed`` where the name is taken, or another file has the part's,
  ///   and others of the system.
  func publish(synchronizes: Bool) throws(ASCMHLError) {
    guard try Self.leads(path, to: file, in: folder) else { throw wasReplaced }
    let name = CopyFolder.split(target).name
    guard try folder.rename(path, to: name, synchronizes: synchronizes) else {
      throw ASCMHLError(
        .ioFailed, "\(folder.path(of: target)): another program made that file; try again")
    }
    // Without locks it may have been replaced since it was looked at: then that one goes back.
    guard try Self.leads(target, to: file, in: folder) else {
      _ = try? folder.rename(target, to: CopyFolder.split(path).name, synchronizes: synchronizes)
      throw wasReplaced
    }
  }

  private var wasReplaced: ASCMHLError {
    ASCMHLError(
      .ioFailed,
      "\(folder.path(of: target)): another program replaced it while it was written; let that end, and "
        + "run the offload again")
  }
}
