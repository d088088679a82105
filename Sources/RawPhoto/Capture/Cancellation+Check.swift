import MediaCore

extension Cancellation {
  /// Throws if the capture has been canceled; called between its steps.
  ///
  /// - Throws: ``RawPhotoError/Code/canceled``.
  func check() throws(RawPhotoError) {
    if isCancelled { throw .canceled }
  }
}
