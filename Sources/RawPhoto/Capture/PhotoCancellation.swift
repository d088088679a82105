import Synchronization

/// The wish that a capture ends.
final class PhotoCancellation: Sendable {
  private let isWished = Atomic(false)

  var isCanceled: Bool { isWished.load(ordering: .relaxed) }

  func cancel() { isWished.store(true, ordering: .relaxed) }

  /// - Throws: ``RawPhotoError/Code/canceled`` where that was wished.
  func check() throws(RawPhotoError) {
    if isCanceled { throw .canceled }
  }
}
