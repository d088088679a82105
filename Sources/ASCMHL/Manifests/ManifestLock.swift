import Glibc
import MediaCore

/// Keeps other processes from writing manifests of a folder meanwhile: each reads the chain that the one
/// before wrote. The file that carries the lock goes with it.
struct ManifestLock: ~Copyable {
  private static let path = MHLManifest.folderName + "/.recordctl.lock"
  /// Writing a manifest takes seconds at most, with the list of a very large folder.
  private static let (attempts, pause): (Int, UInt32) = (600, 100_000)

  private let folder: CopyFolder
  private let file: FileInFolder

  /// Waits for the lock. A file system that knows no locks has none, as for a process alone.
  ///
  /// - Throws: ``ASCMHLError/Code/ioFailed`` where another process has it for a minute, and others of the
  ///   system.
  init(_ folder: CopyFolder) throws(ASCMHLError) {
    self.folder = folder
    file = try Self.file(in: folder)
  }

  deinit {
    // While it is locked: who waits for it finds out that it is gone.
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
      // Its owner may have removed it between.
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
  /// - Throws: ``ASCMHLError/Code/invalidManifest`` for a history that is broken, and others of the
  ///   system.
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
  /// A manifest of files of a folder, with the hashes of folders where they are all that it holds.
  fileprivate init(
    date: Double, toolVersion: String, of files: [File], in listing: FolderListing
  ) {
    func isListed(_ path: String) -> Bool {
      CopyFolder.split(path).name != FolderListing.ignoredName
    }
    // By bytes, for to text two names may be equal that are not.
    let listed = files.filter { isListed($0.path) }
    let names = Set(listed.map { Array($0.path.utf8) })
    let present = Set(listing.files.map(\.path).filter(isListed).map { Array($0.utf8) })
    self.init(
      date: date, toolVersion: toolVersion, files: listed,
      isWhole: listing.others.isEmpty && names == present, folders: listing.folders)
  }
}
