package import AssetWriter
package import QuickTime

/// The sidecar of a movie that another one has replaced, which has none: what it tells is not true of
/// the new one.
package enum StaleSidecar {
  /// Removes it once an event says that the new movie has its name. A file of that name that is not
  /// a sidecar stays.
  ///
  /// - Returns: One line that says so; nil if there was no sidecar.
  package static func remove(
    after event: SegmentEvent, calls: any FileCalls = SystemFileCalls()
  ) -> String? {
    switch event {
    case .began(_, let path): remove(ofMovie: path, calls)
    // A short movie has its name only now.
    case .ended(let segment, _) where segment.frameCount > 0:
      remove(ofMovie: segment.path, calls)
    default: nil
    }
  }

  private static func remove(ofMovie path: String, _ calls: any FileCalls) -> String? {
    let file = SidecarFile(ofMovie: path, calls: calls)
    guard !file.isSomebodyElses, file.identity != nil else { return nil }
    file.remove()
    return file.identity == nil
      ? "\(file.path) told of the movie that was replaced, and is removed"
      : "\(file.path) tells of the movie that was replaced, and cannot be removed; remove it"
  }
}
