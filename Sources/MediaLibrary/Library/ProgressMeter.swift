import MediaCore
import Synchronization

/// Counts and reports the progress of work, and cancels it.
final class ProgressMeter: Sendable {
  /// Stops the work at the next ``advance(_:)``.
  let cancellation = Cancellation()
  private let progress: Mutex<LibraryProgress>
  private let handler: LibraryProgress.Handler?

  init(fileCount: Int, byteCount: Int64, _ handler: LibraryProgress.Handler?) {
    progress = Mutex(
      LibraryProgress(
        fileCount: 0, totalFileCount: fileCount, byteCount: 0, totalByteCount: byteCount))
    self.handler = handler
  }

  /// Counts bytes.
  ///
  /// - Throws: ``MediaLibraryError/Code/interrupted`` if the work is cancelled.
  func advance(_ count: Int) throws(MediaLibraryError) {
    progress.withLock { progress in
      progress.byteCount = min(progress.byteCount + Int64(count), progress.totalByteCount)
      handler?(progress)
    }
    try cancellation.check()
  }

  func finishFile() { progress.withLock { finish(files: $0.fileCount + 1, &$0) } }

  /// Sets the total number of files done.
  func finish(files: Int) { progress.withLock { finish(files: files, &$0) } }

  private func finish(files: Int, _ progress: inout LibraryProgress) {
    progress.fileCount = files
    handler?(progress)
  }
}
