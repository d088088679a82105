import MediaCore

extension Cancellation {
  /// Ends a capture between two pieces of it.
  ///
  /// - Throws: ``RawPhotoError/Code/canceled``.
  func check() throws(RawPhotoError) {
    if isCancelled { throw .canceled }
  }
}
