import MediaLibrary
import Synchronization

/// Requests that were made outside of a change block, where Apple's framework raises an exception.
///
/// Apple's calls cannot throw, so the error waits for the next change block, which fails with it.
final class MisplacedRequests: Sendable {
  /// Those of this process: a request that has no block has no library either.
  static let shared = MisplacedRequests()
  private let error = Mutex<MediaLibraryError?>(nil)

  /// Makes a request. Why it cannot be made fails the change block that runs, or else is kept.
  func note(_ make: () throws(MediaLibraryError) -> Void) {
    do throws(MediaLibraryError) { try make() } catch {
      guard !PhotoLibrary.failChangeBlock(because: error) else { return }
      self.error.withLock { $0 = error }
    }
  }

  /// Throws what was kept, once.
  func check() throws(MediaLibraryError) {
    if let kept = error.withLock({ $0.take() }) { throw kept }
  }
}
