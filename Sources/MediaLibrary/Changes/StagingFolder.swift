import FoundationEssentials
import Glibc
import MediaCore

/// A folder for a change block's incoming files. Its owner keeps it locked, so that leftovers of
/// dead processes can be recognized.
///
/// One folder is kept, empty, from change to change, because removing a folder is slow on file
/// systems that discard free blocks immediately. A process that finds it in use creates a temporary
/// one.
struct StagingFolder: ~Copyable {
  /// The name of the permanent folder.
  private static let keptName = "kept"

  /// Its name in `staging`.
  let name: String
  let path: String
  /// The prefix of its file names. In the permanent folder it differs for every change, so that a
  /// name from an interrupted change never refers to a file of a later one.
  let prefix: String
  private let folder: OpenFile
  private let files: LibraryFiles

  /// Takes the permanent folder, or creates a temporary one.
  init(in core: LibraryCore) throws(MediaLibraryError) {
    // Locking it under the library's lock keeps others from taking it for a leftover.
    var taken: StagingFolder?
    try core.locked { () throws(MediaLibraryError) in
      var folder = try Self.take(Self.keptName, in: core)
      if folder == nil { folder = try Self.take(UUID().uuidString, in: core) }
      taken = consume folder
    }
    guard let taken = consume taken else {
      throw MediaLibraryError(.ioFailed, "\(core.layout.staging): no folder can be created in it")
    }
    self = taken
  }

  private init(name: String, path: String, folder: consuming OpenFile, files: LibraryFiles) {
    self.name = name
    self.path = path
    self.folder = folder
    self.files = files
    prefix = name == Self.keptName ? String(UInt32.random(in: 0...(.max)), radix: 36) + "-" : ""
  }

  /// Opens a folder, creating it if needed. Nil if another change has it, or left files in it that
  /// may be journaled: those are for the next process that opens the library.
  private static func take(
    _ name: String, in core: LibraryCore
  ) throws(MediaLibraryError) -> StagingFolder? {
    let path = core.layout.staging + "/" + name
    let isNew = try core.files.makeFolder(path)
    let folder = try core.files.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard try folder.lock(waits: false) else { return nil }
    if !isNew, try core.files.holdsFiles(path) { return nil }
    return StagingFolder(name: name, path: path, folder: folder, files: core.files)
  }

  /// Its path relative to the library's folder.
  var relativePath: String { LibraryLayout.hiddenName + "/staging/" + name }

  /// Flushes the folder's names to the disk.
  func synchronize() throws(MediaLibraryError) { try folder.synchronize() }

  /// Removes everything in the folder, and the folder unless it is the permanent one.
  func clear() { _ = Self.clear(name, path, files) }

  /// - Returns: False if there was nothing to remove.
  private static func clear(_ name: String, _ path: String, _ files: LibraryFiles) -> Bool {
    guard name == keptName else {
      files.removeFolder(path)
      return true
    }
    return files.removeFiles(in: path)
  }

  /// Removes what dead processes left. Their journaled files are in place by now, or kept by
  /// ``DecidedFiles``. The caller holds the library's lock.
  static func removeLeftovers(in core: LibraryCore) throws(MediaLibraryError) -> Int {
    // The target of a symbolic link does not belong to the library.
    guard try core.files.status(core.layout.staging)?.isFolder == true else { return 0 }
    var count = 0
    for name in try core.files.names(in: core.layout.staging) {
      let path = core.layout.staging + "/" + name
      guard let folder = try? core.files.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        try folder.lock(waits: false)
      else { continue }
      if clear(name, path, core.files) { count += 1 }
    }
    return count
  }
}
