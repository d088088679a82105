import Glibc
import Synchronization

/// Brings a whole file system to the disk while other work goes on: with many files, that is quicker
/// than each. A failure from its begin on is told, whichever of its parts met it.
final class DiskSynchronization: Sendable {
  private let folder: OpenFile
  private let beginning = Mutex<Parallel<Void>?>(nil)

  /// - Parameter path: A folder on the file system.
  init(_ path: String, _ files: LibraryFiles) throws(MediaLibraryError) {
    folder = try files.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Begins with what was written by now, so that less is left to wait for.
  func beginEarly() {
    beginning.withLock { $0 = Parallel { () throws(MediaLibraryError) in try self.run() } }
  }

  /// Brings all that was written by now to the disk.
  func complete() -> Parallel<Void> {
    let begun = beginning.withLock { $0 }
    return Parallel { () throws(MediaLibraryError) in
      try begun?.outcome()
      try self.run()
    }
  }

  private func run() throws(MediaLibraryError) { try folder.synchronizeFileSystem() }
}
