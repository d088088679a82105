import Synchronization

/// Reports the progress of the slowest of several copies.
final class OffloadMeter: Sendable {
  private let done: Mutex<[(files: Int, bytes: Int64)]>
  private let total: (files: Int, bytes: Int64)
  private let handler: LibraryProgress.Handler?

  init(_ assets: [AssetRecord], folderCount: Int, _ handler: LibraryProgress.Handler?) {
    done = Mutex([(files: Int, bytes: Int64)](repeating: (0, 0), count: folderCount))
    let files = assets.flatMap(\.resources)
    total = (files.count, files.byteCount)
    self.handler = handler
  }

  /// Sets the progress of one copy.
  func advance(files: Int, bytes: Int64, in folder: Int) {
    guard let handler else { return }
    done.withLock { done in
      done[folder] = (files, bytes)
      handler(
        LibraryProgress(
          fileCount: done.map { $0.files }.min() ?? 0, totalFileCount: total.files,
          byteCount: done.map { $0.bytes }.min() ?? 0, totalByteCount: total.bytes))
    }
  }
}
