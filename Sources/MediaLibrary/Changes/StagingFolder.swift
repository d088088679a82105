import FoundationEssentials
import Glibc
import MediaCore

/// A folder for the files of a change block on their way in. It is locked while its owner lives, so
/// that others know what was left behind by a process that is gone.
///
/// One of them stays, empty, from change to change, because removing a folder is slow on a file system that
/// discards free blocks at once. A process that finds it in use makes a temporary one.
struct StagingFolder: ~Copyable {
  /// The name of the folder that stays.
  private static let keptName = "kept"

  /// Its name in `staging`.
  let name: String
  let path: String
  /// What the names of files in it begin with. In a folder that stays, a name of a change that was cut
  /// short never means a file of a later one.
  let prefix: String
  private let folder: OpenFile
  private let files: LibraryFiles

  /// Takes the folder that stays, or makes one.
  init(in core: LibraryCore) throws(MediaLibraryError) {
    // Under the library's lock: nobody takes the folder for a leftover before it is locked.
    var taken: StagingFolder?
    try core.locked { () throws(MediaLibraryError) in
      var folder = try Self.take(Self.keptName, in: core)
      if folder == nil { folder = try Self.take(UUID().uuidString, in: core) }
      taken = consume folder
    }
    guard let taken = consume taken else {
      throw MediaLibraryError(.ioFailed, "\(core.layout.staging): no folder can be made in it")
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

  /// A folder, which is made where it is missing; nil where another change has it, or left files in it
  /// that may have been decided about: they are for who opens the library next.
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

  /// Where it is from the library's folder on.
  var relativePath: String { LibraryLayout.hiddenName + "/staging/" + name }

  /// Brings the names in the folder to the disk.
  func synchronize() throws(MediaLibraryError) { try folder.synchronize() }

  /// Removes all that is left in the folder, and the folder if it is not the one that stays.
  func clear() { _ = Self.clear(name, path, files) }

  /// - Returns: false where there was nothing.
  private static func clear(_ name: String, _ path: String, _ files: LibraryFiles) -> Bool {
    guard name == keptName else {
      files.removeFolder(path)
      return true
    }
    return files.removeFiles(in: path)
  }

  /// Removes what processes that are gone left, and had not decided about: what they had, is in its
  /// place by now, or kept as ``DecidedFiles``. For the holder of the library's lock.
  static func removeLeftovers(in core: LibraryCore) throws(MediaLibraryError) -> Int {
    // Whatever a link leads to is not the library's.
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
