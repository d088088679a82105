import FoundationEssentials
import Glibc

/// A folder for the files of a change block on their way in. It is locked while its owner lives, so
/// that others know what was left behind by a process that is gone.
struct StagingFolder: ~Copyable {
  /// Its name in `staging`.
  let name: String
  let path: String
  private let folder: OpenFile
  private let files: LibraryFiles

  /// Makes a folder.
  init(in core: LibraryCore) throws(MediaLibraryError) {
    let name = UUID().uuidString
    let path = core.layout.staging + "/" + name
    let files = core.files
    // Under the library's lock: nobody takes the folder for a leftover before it is locked.
    var made: OpenFile?
    try core.locked { () throws(MediaLibraryError) in
      try files.makeFolder(path)
      let folder = try files.open(path, O_RDONLY | O_DIRECTORY)
      _ = try folder.lock(waits: false)
      made = consume folder
    }
    guard let folder = consume made else {
      throw MediaLibraryError(.ioFailed, "\(path): cannot be made")
    }
    self.folder = folder
    self.name = name
    self.path = path
    self.files = files
  }

  /// Where it is from the library's folder on.
  var relativePath: String { LibraryLayout.hiddenName + "/staging/" + name }

  /// Brings the names in the folder to the disk.
  func synchronize() throws(MediaLibraryError) { try folder.synchronize() }

  /// Removes the folder with all that is left in it.
  func remove() { files.removeFolder(path) }

  /// Removes the folders of processes that are gone. For the holder of the library's lock.
  static func removeLeftovers(in core: LibraryCore) throws(MediaLibraryError) -> Int {
    var count = 0
    for name in try core.files.names(in: core.layout.staging) {
      let path = core.layout.staging + "/" + name
      guard let folder = try? core.files.open(path, O_RDONLY | O_DIRECTORY),
        try folder.lock(waits: false)
      else { continue }
      core.files.removeFolder(path)
      count += 1
    }
    return count
  }
}
