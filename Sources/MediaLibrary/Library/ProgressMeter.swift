import MediaCore
import Synchronization

/// Counts what is done of a piece of work, tells it, and knows whether the work is to end.
final class ProgressMeter: Sendable {
  private struct State {
    var progress: LibraryProgress
    var isCancelled = false
  }

  private let state: Mutex<State>
  private let handler: LibraryProgress.Handler?

  init(fileCount: Int, byteCount: Int64, _ handler: LibraryProgress.Handler?) {
    state = Mutex(
      State(
        progress: LibraryProgress(
          fileCount: 0, totalFileCount: fileCount, byteCount: 0, totalByteCount: byteCount)))
    self.handler = handler
  }

  /// Ends the work at the next ``advance(_:)``.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Counts bytes.
  ///
  /// - Throws: ``MediaLibraryError/Code/interrupted`` where the work is to end.
  func advance(_ count: Int) throws(MediaLibraryError) {
    let isCancelled = state.withLock { state in
      state.progress.byteCount = min(
        state.progress.byteCount + Int64(count), state.progress.totalByteCount)
      handler?(state.progress)
      return state.isCancelled
    }
    if isCancelled { throw MediaLibraryError(.interrupted, "interrupted; run it again to go on") }
  }

  func finishFile() { state.withLock { finish(files: $0.progress.fileCount + 1, &$0) } }

  /// Says how many files are done in all.
  func finish(files: Int) { state.withLock { finish(files: files, &$0) } }

  private func finish(files: Int, _ state: inout State) {
    state.progress.fileCount = files
    handler?(state.progress)
  }
}
