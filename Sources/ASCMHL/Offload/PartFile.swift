import MediaCore
import SystemPackage

/// A new file that is written under a temporary name next to its final one, and renamed when it is
/// complete.
///
/// It is locked as soon as it is created, so that another offload into the same folder does not
/// take it for the leftover of an interrupted one. If another file takes the temporary name, that
/// one is not touched. The file is read back through the descriptor that wrote it, so no rename can
/// lead to another file.
final class PartFile: Sendable {
  /// Another offload may remove it as a leftover before it is locked; then it is created again.
  private static let attempts = 16
  /// The maximum length of a file name in bytes.
  private static let longestName = 255

  let file: FileInFolder
  private let folder: CopyFolder
  private let path: String
  /// The final path.
  private let target: String

  /// Creates the file, replacing one that an interrupted offload left.
  ///
  /// - Parameter reserved: Paths that belong to copies of the card's own files and are not used.
  /// - Throws: ``ASCMHLError/Code/ioFailed`` if another offload is writing that file, and system
  ///   errors.
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
        // Another offload created or removed the file in the meantime.
        switch error.errno {
        case .fileExists: break
        case .noSuchFileOrDirectory: failure = error
        default: throw error
        }
      }
    }
    throw failure
  }

  /// Removes what an interrupted offload left, which nobody has locked.
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

  /// Removes the file, unless its name now belongs to another file.
  func discard() {
    guard (try? Self.leads(path, to: file, in: folder)) == true else { return }
    try? folder.remove(path)
  }

  /// Renames the file to its final name, never replacing another file.
  ///
  /// - Parameter synchronizes: False if the whole file system is synchronized later.
  /// - Throws: ``ASCMHLError/Code/ioFailed`` if the final name is taken or the temporary name
  ///   belongs to another file, and system errors.
  func publish(synchronizes: Bool) throws(ASCMHLError) {
    guard try Self.leads(path, to: file, in: folder) else { throw wasReplaced }
    let name = CopyFolder.split(target).name
    guard try folder.rename(path, to: name, synchronizes: synchronizes) else {
      throw ASCMHLError(
        .ioFailed, "\(folder.path(of: target)): another program created that file; try again")
    }
    // Without locks, the file may have been replaced since the check; then the other file is
    // renamed back.
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
