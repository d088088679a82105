/// The segments of a take that are not complete yet, and where they end.
///
/// Slots are those of the first video track. The last segment goes on; those before it wait for what
/// some track still owes them.
struct SegmentTimeline: Sendable {
  /// A stretch of the timeline that goes into a movie of its own.
  struct Stretch: Hashable, Sendable {
    /// Its number, from 1.
    let number: Int
    /// Its first slot.
    let start: Int64
    /// The first slot after it; nil while that is open.
    var end: Int64?
    /// Why it ends there.
    var reason = Segment.End.takeEnded
    /// True once its movie was begun.
    var isOpen = false
    /// Bytes that its file would have if it were finished now.
    var bytes: Int64 = 0

    func contains(_ slot: Int64) -> Bool { slot >= start && slot < end ?? .max }
  }

  /// In order, without a gap between them.
  private(set) var stretches: [Stretch] = []
  /// Those whose movies are being finished.
  private var closing: [Stretch] = []
  /// Slots before which a cut was asked for, in order.
  private(set) var requests: [Int64] = []
  private let frameLimit: Int64?

  /// A timeline that begins at a slot.
  init(start: Int64, frameLimit: Int64?) {
    self.frameLimit = frameLimit
    append(number: 1, start: start)
  }

  var last: Stretch { stretches[stretches.count - 1] }

  private mutating func append(number: Int, start: Int64) {
    var stretch = Stretch(number: number, start: start)
    if let frameLimit {
      stretch.end = start + frameLimit
      stretch.reason = .durationReached
    }
    stretches.append(stretch)
  }

  /// Asks for a cut before a slot.
  mutating func request(before slot: Int64) {
    if requests.last ?? -1 < slot { requests.append(slot) }
  }

  /// Takes up the requests that concern the last stretch; none of it at or behind `earliest` is
  /// written.
  mutating func applyRequests(earliest: Int64) {
    while let slot = requests.first {
      let cut = max(slot, earliest)
      // Behind a cut that is planned already: a matter of the stretch after it.
      if let end = last.end, end < cut { return }
      requests.removeFirst()
      if cut > last.start, last.end != cut { endLast(at: cut, .requested) }
    }
  }

  /// Ends the last stretch earlier than planned.
  mutating func endLast(at slot: Int64, _ reason: Segment.End) {
    guard slot > last.start, slot <= last.end ?? .max else { return }
    stretches[stretches.count - 1].end = slot
    stretches[stretches.count - 1].reason = reason
  }

  /// The stretch that holds a slot; where the slot lies behind all of them, a new one begins.
  mutating func stretch(at slot: Int64) -> Stretch {
    while let end = last.end, slot >= end { append(number: last.number + 1, start: end) }
    return stretches.first { $0.contains(slot) } ?? last
  }

  /// The first slot behind the stretch that holds `slot`, where it is known.
  func end(after slot: Int64) -> Int64? { stretches.first { $0.contains(slot) }?.end }

  mutating func didOpen(_ number: Int) {
    guard let index = stretches.firstIndex(where: { $0.number == number }) else { return }
    stretches[index].isOpen = true
  }

  mutating func didWrite(_ number: Int, bytes: Int64) {
    guard let index = stretches.firstIndex(where: { $0.number == number }) else { return }
    stretches[index].bytes = bytes
  }

  /// Takes a stretch out whose movie is handed over to be finished.
  mutating func didEnd(_ number: Int) {
    guard let index = stretches.firstIndex(where: { $0.number == number }) else { return }
    if number == last.number, let end = last.end { append(number: number + 1, start: end) }
    closing.append(stretches.remove(at: index))
  }

  /// Forgets a stretch whose movie is finished.
  mutating func didFinish(_ number: Int) {
    closing.removeAll { $0.number == number }
    for index in stretches.indices where stretches[index].number == number {
      stretches[index].bytes = 0
    }
  }

  /// Bytes of all files that are not finished.
  var bytes: Int64 {
    closing.reduce(stretches.reduce(0) { $0 + $1.bytes }) { $0 + $1.bytes }
  }
}
