import AssetWriter

/// Finds out which movies of a take are final. A movie is once the next one has begun; the last one only at the end
/// of the take, which rewrites its sidecar.
struct CompletedMovies {
  private var waiting: [(number: Int, path: String)] = []
  private var latestBegun = 0

  /// Handles an event of the writer.
  ///
  /// - Returns: The paths of movies that are complete now.
  mutating func take(_ event: SegmentEvent) -> [String] {
    switch event {
    case .began(let number, _): latestBegun = max(latestBegun, number)
    case .ended(let segment, _) where segment.isValid:
      waiting.append((segment.number, segment.path))
    case .ended, .changed, .removed, .copyLost: return []
    }
    let latest = latestBegun
    let done = waiting.filter { $0.number < latest }
    waiting.removeAll { $0.number < latest }
    return done.sorted { $0.number < $1.number }.map(\.path)
  }

  /// The take has ended, and all sidecars are written.
  mutating func end() -> [String] {
    defer { waiting = [] }
    return waiting.sorted { $0.number < $1.number }.map(\.path)
  }
}
