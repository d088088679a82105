import MediaCore

/// The facts of a track of timed metadata on their way into fragments.
///
/// A sample holds until the next one: where nothing holds there is an empty one. The last one in the file
/// lasts, until more is known, as long as what it describes.
final class MetadataTrackState {
  /// A sample, from when on it holds in the movie, in units of its track.
  struct Change {
    var start: Int64
    var bytes: [UInt8]
  }

  private struct Facts {
    var start: Int64
    /// Nil for until the next facts.
    var end: Int64?
    var bytes: [UInt8]
  }

  /// The place of the track that the facts are about.
  let described: Int
  /// What the values of samples are called.
  private(set) var keys: [TimedMetadataTrack.Key]
  /// True where the file knows of fewer keys so far.
  private(set) var hasNewKeys = false
  /// Facts that no fragment has, in order of time.
  private var waiting: [Facts] = []
  /// The most bytes that those will take in the file, with what its index says of them.
  private(set) var waitingBytes = 0
  /// The facts that were handed out last, until their end is.
  private var current: Facts?
  /// The sample that was handed out last.
  private var last: Change?
  /// The start of the facts that came last; nil before the first. A sample may have been handed out for a later
  /// time: the end of those facts.
  private(set) var lastStart: Int64?

  private static func size(_ facts: Facts) -> Int { facts.bytes.count + nothing.count + 2 * 20 }

  /// A sample of no facts.
  static let nothing = MovieWriter.atom { $0.metadataSample([]) }
  /// How long a sample lasts at most.
  private static let longest = Int64(UInt32.max)

  init(describing described: Int, keys: [TimedMetadataTrack.Key]) {
    self.described = described
    self.keys = keys
  }

  /// Samples that the next fragment can have of what waits: each may follow upon nothing.
  var entryLimit: Int { 2 * waiting.count + 2 }

  /// Takes up keys that came to be used.
  func add(keys: [TimedMetadataTrack.Key]) {
    guard keys.count > self.keys.count else { return }
    self.keys = keys
    hasNewKeys = true
  }

  /// The file knows all keys.
  func didTellKeys() { hasNewKeys = false }

  /// Takes facts that hold from a time on; those of one time take the place of each other.
  func append(start: Int64, end: Int64?, bytes: [UInt8]) {
    lastStart = start
    // A moment's facts hold for a unit at least.
    let facts = Facts(start: start, end: end.map { max($0, start + 1) }, bytes: bytes)
    waiting.append(facts)
    waitingBytes += Self.size(facts)
  }

  /// The samples that begin before a time, in order.
  func changes(before time: Int64) -> [Change] {
    guard time > 0 else { return [] }
    var changes: [Change] = []
    let due = waiting.prefix { $0.start < time }
    for facts in due {
      waitingBytes -= Self.size(facts)
      if let end = facts.end, end <= 0 { continue }
      end(before: facts.start, &changes)
      add(Change(start: max(facts.start, 0), bytes: facts.bytes), to: &changes)
      current = facts
    }
    waiting.removeFirst(due.count)
    end(before: time, &changes)
    lengthen(to: time, &changes)
    return changes
  }

  /// Says that nothing holds where the facts end before a time.
  private func end(before time: Int64, _ changes: inout [Change]) {
    guard let end = current?.end, end < time else { return }
    current = nil
    add(Change(start: end, bytes: Self.nothing), to: &changes)
  }

  private func add(_ change: Change, to changes: inout [Change]) {
    lengthen(to: change.start, &changes)
    // Nothing behind nothing says nothing.
    guard change.bytes != Self.nothing || last.map({ $0.bytes != Self.nothing }) ?? false else {
      return
    }
    if changes.last?.start == change.start { changes.removeLast() }
    changes.append(change)
    last = change
  }

  /// Has the last sample again where it would last longer than 32 bits count.
  private func lengthen(to time: Int64, _ changes: inout [Change]) {
    while let sample = last, time - sample.start > Self.longest {
      let again = Change(start: sample.start + Self.longest, bytes: sample.bytes)
      changes.append(again)
      last = again
    }
  }
}
