import MediaCore

extension Cancellation {
  /// Ends a copy, with each block of it.
  ///
  /// - Throws: ``MediaLibraryError/Code/interrupted``.
  func check() throws(MediaLibraryError) {
    if isCancelled { throw MediaLibraryError(.interrupted, "interrupted; run it again to go on") }
  }
}
