import Glibc
import MediaCore
import Synchronization

/// Brings a whole file system to the disk while other work goes on: with many files, that is quicker
/// than each. A failure from its begin on is told, whichever of its parts met it.
final class DiskSynchronization: Sendable {
  private static let label = "photo-library-disk"
  private let folder: OpenFile
  private let beginning = Mutex<BackgroundJob<Void, MediaLibraryError>?>(nil)

  /// - Parameter path: A folder on the file system.
  init(_ path: String, _ files: LibraryFiles) throws(MediaLibraryError) {
    folder = try files.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Begins with what was written by now, so that less is left to wait for.
  func beginEarly() {
    beginning.withLock { beginning in
      beginning = BackgroundJob(label: Self.label) { () throws(MediaLibraryError) in
        try self.run()
      }
    }
  }

  /// Brings all that was written by now to the disk.
  func complete() -> BackgroundJob<Void, MediaLibraryError> {
    let begun = beginning.withLock { $0 }
    return BackgroundJob(label: Self.label) { () throws(MediaLibraryError) in
      try begun?.outcome()
      try self.run()
    }
  }

  private func run() throws(MediaLibraryError) { try folder.synchronizeFileSystem() }
}
