package import AssetWriter
package import QuickTime

/// The sidecar left by a movie that was replaced by one without a sidecar: it does not describe the
/// new movie.
package enum StaleSidecar {
  /// Removes the sidecar once an event says that the new movie has its name. A file of that name
  /// that is not a sidecar stays.
  ///
  /// - Returns: One line that reports it; nil if there was no sidecar.
  package static func remove(
    after event: SegmentEvent, calls: any FileCalls = SystemFileCalls()
  ) -> String? {
    switch event {
    case .began(_, let path): remove(ofMovie: path, calls)
    // A short movie only gets its name at its end.
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
      ? "\(file.path) described the replaced movie and was removed"
      : "\(file.path) describes the replaced movie but cannot be removed; remove it"
  }
}
