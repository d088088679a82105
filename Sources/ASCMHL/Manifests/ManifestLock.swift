import Glibc
import MediaCore

/// Prevents two processes from writing manifests of a folder at once, so that each reads the chain
/// that the one before it wrote. The lock file is removed at the end.
struct ManifestLock: ~Copyable {
  private static let path = MHLManifest.folderName + "/.recordctl.lock"
  /// Writing a manifest takes at most seconds, even with the listing of a very large folder.
  private static let (attempts, pause): (Int, UInt32) = (600, 100_000)

  private let folder: CopyFolder
  private let file: FileInFolder

  /// Waits for the lock. On a file system without locks there is no protection.
  ///
  /// - Throws: ``ASCMHLError/Code/ioFailed`` if another process holds it for a minute, and system
  ///   errors.
  init(_ folder: CopyFolder) throws(ASCMHLError) {
    self.folder = folder
    file = try Self.file(in: folder)
  }

  deinit {
    // Removed while locked: a process that waits for it then sees that the path has changed.
    try? folder.remove(Self.path)
    file.unlock()
  }

  private static func file(in folder: CopyFolder) throws(ASCMHLError) -> FileInFolder {
    for _ in 0..<attempts {
      let file = try folder.extend(path)
      guard file.tryLock() != false else {
        usleep(pause)
        continue
      }
      // Its owner may have removed it in the meantime.
      let (own, present) = (try file.facts(), try folder.facts(path))
      if let present, (own.device, own.inode) == (present.device, present.inode) { return file }
    }
    throw ASCMHLError(
      .ioFailed,
      "\(folder.path(of: MHLManifest.folderName)): another process writes a manifest; run the command "
        + "again")
  }
}

extension MHLHistory {
  /// Writes the next manifest of a folder, one process at a time, based on the manifests that exist
  /// by then.
  ///
  /// - Parameter files: The files that are complete there.
  /// - Returns: The manifest's path within the folder, nil if there is nothing to list; and the files
  ///   that earlier manifests list with other contents, which are left out.
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` for a broken history, and system errors.
  package static func add(
    _ files: [MHLManifest.File], to folder: CopyFolder, date: Double, toolVersion: String
  ) throws(ASCMHLError) -> (path: String?, contradicted: [MHLManifest.File]) {
    guard !files.isEmpty else { return (nil, []) }
    let lock = try ManifestLock(folder)
    defer { withExtendedLifetime(lock) {} }
    var history = try MHLHistory(folder)
    let (listed, contradicted) = history.judged(files)
    guard !listed.isEmpty else { return (nil, contradicted) }
    let manifest = MHLManifest(
      date: date, toolVersion: toolVersion, of: listed, in: try FolderListing(folder))
    return (try history.add(manifest).path, contradicted)
  }
}

extension MHLManifest {
  /// A manifest of files in a folder, with folder hashes if they are all of its files.
  fileprivate init(
    date: Double, toolVersion: String, of files: [File], in listing: FolderListing
  ) {
    func isListed(_ path: String) -> Bool {
      CopyFolder.split(path).name != FolderListing.ignoredName
    }
    // Compared as bytes: two different names may be equal as Strings.
    let listed = files.filter { isListed($0.path) }
    let names = Set(listed.map { Array($0.path.utf8) })
    let present = Set(listing.files.map(\.path).filter(isListed).map { Array($0.utf8) })
    self.init(
      date: date, toolVersion: toolVersion, files: listed,
      isWhole: listing.others.isEmpty && names == present, folders: listing.folders)
  }
}
