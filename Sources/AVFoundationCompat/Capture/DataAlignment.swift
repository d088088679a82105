import MediaCore

/// Merges data of several sources in time order and groups data with the same time.
///
/// Data is held until every source has reached its time or does not flow, or a source exceeds its capacity.
struct DataAlignment<Datum> {
  private struct Source {
    /// In time order.
    var waiting: [(time: MediaTime, datum: Datum)] = []
    /// The latest time so far.
    var reached: MediaTime?
    let capacity: Int
  }

  private var sources: [Source]

  /// An alignment of sources, identified by index.
  ///
  /// - Parameter capacities: How many items of each source may be held.
  init(capacities: [Int]) { sources = capacities.map { Source(capacity: $0) } }

  /// Adds an item. An item earlier than data already released is released immediately, by itself.
  ///
  /// - Parameter isFlowing: False for a source that should not be waited for.
  /// - Returns: The groups that are now complete, in time order; each maps source indexes to items with the same time.
  mutating func take(
    _ datum: Datum, at time: MediaTime, from source: Int, isFlowing: (Int) -> Bool
  ) -> [[Int: Datum]] {
    let place = sources[source].waiting.firstIndex { $0.time > time }
    sources[source].waiting.insert((time, datum), at: place ?? sources[source].waiting.endIndex)
    sources[source].reached = sources[source].reached.map { max($0, time) } ?? time
    return release(isFlowing: isFlowing)
  }

  /// Releases everything held because the streams have ended; later data starts afresh.
  mutating func finish() -> [[Int: Datum]] {
    let rest = release { _ in false }
    for index in sources.indices { sources[index].reached = nil }
    return rest
  }

  private mutating func release(isFlowing: (Int) -> Bool) -> [[Int: Datum]] {
    var groups: [[Int: Datum]] = []
    while let time = sources.compactMap(\.waiting.first?.time).min() {
      let isCrowded = sources.contains { $0.waiting.count > $0.capacity }
      let isComplete = sources.indices.allSatisfy { index in
        sources[index].reached.map { $0 >= time } == true || !isFlowing(index)
      }
      guard isCrowded || isComplete else { break }
      var group: [Int: Datum] = [:]
      for index in sources.indices where sources[index].waiting.first?.time == time {
        group[index] = sources[index].waiting.removeFirst().datum
      }
      groups.append(group)
    }
    return groups
  }
}
