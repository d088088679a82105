import MediaCore

/// Puts what several sources give into one order of time, and together what has the same time.
///
/// What comes is held until every source has given something as late, does not flow, or more is held of one than
/// may be.
struct DataAlignment<Datum> {
  private struct Source {
    /// In order of time.
    var waiting: [(time: MediaTime, datum: Datum)] = []
    /// The latest time so far.
    var reached: MediaTime?
    let capacity: Int
  }

  private var sources: [Source]

  /// An alignment of sources by their number.
  ///
  /// - Parameter capacities: How many data of each may be held.
  init(capacities: [Int]) { sources = capacities.map { Source(capacity: $0) } }

  /// Takes a datum; what came with an earlier time than was given already is given at once, by itself.
  ///
  /// - Parameter isFlowing: False for a source that is not waited for.
  /// - Returns: What is complete by now: data of one time by the number of their source, in order of time.
  mutating func take(
    _ datum: Datum, at time: MediaTime, from source: Int, isFlowing: (Int) -> Bool
  ) -> [[Int: Datum]] {
    let place = sources[source].waiting.firstIndex { $0.time > time }
    sources[source].waiting.insert((time, datum), at: place ?? sources[source].waiting.endIndex)
    sources[source].reached = sources[source].reached.map { max($0, time) } ?? time
    return release(isFlowing: isFlowing)
  }

  /// Gives what is held, for nothing more comes; whatever comes later begins anew.
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
