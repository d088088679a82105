import MediaLibrary
import Synchronization

/// Requests made outside of a change block.
///
/// Apple's framework raises an exception for them. Here the calls cannot throw, so the next change block fails with
/// the error.
final class MisplacedRequests: Sendable {
  /// One for the process: a request without a block has no library either.
  static let shared = MisplacedRequests()
  private let error = Mutex<MediaLibraryError?>(nil)

  /// Makes a request. If it cannot be made, the running change block fails; without one, the error is kept.
  func note(_ make: () throws(MediaLibraryError) -> Void) {
    do throws(MediaLibraryError) { try make() } catch {
      guard !PhotoLibrary.failChangeBlock(because: error) else { return }
      self.error.withLock { $0 = error }
    }
  }

  /// Throws the kept error, and clears it.
  func check() throws(MediaLibraryError) {
    if let kept = error.withLock({ $0.take() }) { throw kept }
  }
}
