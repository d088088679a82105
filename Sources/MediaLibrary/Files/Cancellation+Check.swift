import MediaCore

extension Cancellation {
  /// Stops a cancelled copy; called for each block.
  ///
  /// - Throws: ``MediaLibraryError/Code/interrupted``.
  func check() throws(MediaLibraryError) {
    guard isCancelled else { return }
    throw MediaLibraryError(.interrupted, "interrupted; run it again to continue")
  }
}
