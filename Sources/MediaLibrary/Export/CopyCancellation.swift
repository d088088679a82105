import MediaCore
import Synchronization

/// The wish that copies end.
final class CopyCancellation: Sendable {
  private let flag = Atomic(false)

  /// True once the end was asked for.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }

  /// Ends a copy, with each block of it.
  ///
  /// - Throws: ``MediaLibraryError/Code/interrupted``.
  func check() throws(MediaLibraryError) {
    if isCancelled { throw MediaLibraryError(.interrupted, "interrupted; run it again to go on") }
  }
}
