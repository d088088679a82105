import Glibc
import MediaCore
import Synchronization

/// Flushes a whole file system to the disk while other work continues, which is faster than
/// flushing many files one by one. Any failure since it began is reported.
final class DiskSynchronization: Sendable {
  private static let label = "photo-library-disk"
  private let folder: OpenFile
  private let beginning = Mutex<BackgroundJob<Void, MediaLibraryError>?>(nil)

  /// - Parameter path: A folder on the file system.
  init(_ path: String, _ files: LibraryFiles) throws(MediaLibraryError) {
    folder = try files.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Starts flushing what has been written so far, to shorten the final wait.
  func beginEarly() {
    beginning.withLock { beginning in
      beginning = BackgroundJob(label: Self.label) { () throws(MediaLibraryError) in
        try self.run()
      }
    }
  }

  /// Flushes everything written so far.
  func complete() -> BackgroundJob<Void, MediaLibraryError> {
    let begun = beginning.withLock { $0 }
    return BackgroundJob(label: Self.label) { () throws(MediaLibraryError) in
      try begun?.outcome()
      try self.run()
    }
  }

  private func run() throws(MediaLibraryError) { try folder.synchronizeFileSystem() }
}
