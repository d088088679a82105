/// The movies of a take: those that are asked for, open, being completed, and complete.
///
/// Slots are those of the first video track. The last span goes on; those before it wait for what
/// some track still owes them.
struct SegmentTimeline: Sendable {
  /// A span of the timeline that goes into a movie of its own.
  struct Span: Hashable, Sendable {
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

  /// The first slot of the take: video and audio before it were discarded.
  var firstSlot: Int64 = 0
  /// In order, without a gap between them; empty before the take's first movie is due.
  private(set) var spans: [Span] = []
  /// Those whose movies are being completed.
  private var closing: [Span] = []
  /// Segments whose movies are complete, or as complete as they will be, by their numbers.
  private(set) var segments: [Segment] = []
  /// Slots before which a cut was asked for, in order.
  private(set) var requests: [Int64] = []
  private var frameLimit: Int64?

  /// True once the first movie is due.
  var hasBegun: Bool { !spans.isEmpty }
  /// The span that goes on.
  var last: Span? { spans.last }

  /// The first movie is due.
  mutating func begin(frameLimit: Int64?) {
    self.frameLimit = frameLimit
    append(number: 1, start: firstSlot)
  }

  private mutating func append(number: Int, start: Int64) {
    var span = Span(number: number, start: start)
    if let frameLimit {
      span.end = start + frameLimit
      span.reason = .durationReached
    }
    spans.append(span)
  }

  // MARK: Cuts

  /// Asks for a cut before a slot.
  mutating func request(before slot: Int64) {
    if requests.last ?? -1 < slot { requests.append(slot) }
  }

  /// Carries out the requests that concern the last span; none of it at or behind `earliest` is
  /// written.
  mutating func applyRequests(earliest: Int64) {
    while let slot = requests.first, let last {
      let cut = max(slot, earliest)
      // Behind a cut that is planned already: a matter of the span after it.
      if let end = last.end, end < cut { return }
      requests.removeFirst()
      if cut > last.start, last.end != cut { endLast(at: cut, .requested) }
    }
  }

  /// Ends the last span earlier than planned.
  mutating func endLast(at slot: Int64, _ reason: Segment.End) {
    guard let last, slot > last.start, slot <= last.end ?? .max else { return }
    spans[spans.count - 1].end = slot
    spans[spans.count - 1].reason = reason
  }

  /// The span that holds a slot; where the slot lies behind all of them, a new one begins. Nil before
  /// the first movie is due.
  mutating func span(at slot: Int64) -> Span? {
    while let last, let end = last.end, slot >= end { append(number: last.number + 1, start: end) }
    return spans.first { $0.contains(slot) } ?? last
  }

  /// The first slot behind the span that holds `slot`, where it is known.
  func end(after slot: Int64) -> Int64? { spans.first { $0.contains(slot) }?.end }

  // MARK: Movies

  mutating func didOpen(_ number: Int) { change(number) { $0.isOpen = true } }

  mutating func didWrite(_ number: Int, bytes: Int64) { change(number) { $0.bytes = bytes } }

  /// Nothing more is written into a movie: it is handed over to be completed.
  mutating func didEnd(_ number: Int) {
    guard let index = spans.firstIndex(where: { $0.number == number }) else { return }
    if number == last?.number, let end = spans[index].end { append(number: number + 1, start: end) }
    closing.append(spans.remove(at: index))
  }

  /// A movie is complete, or as complete as it will be.
  mutating func didFinish(_ segment: Segment) {
    let place = segments.firstIndex { $0.number > segment.number }
    segments.insert(segment, at: place ?? segments.count)
    closing.removeAll { $0.number == segment.number }
    change(segment.number) { $0.bytes = 0 }
  }

  /// Drops a cut after the last frame: the last movie ends with the take.
  mutating func didFinishTake() {
    if !segments.isEmpty { segments[segments.count - 1].end = .takeEnded }
  }

  private mutating func change(_ number: Int, _ body: (inout Span) -> Void) {
    guard let index = spans.firstIndex(where: { $0.number == number }) else { return }
    body(&spans[index])
  }

  /// Bytes that the take's files would have if they were finished now.
  var fileBytes: Int64 {
    segments.reduce(0) { $0 + $1.fileSize } + spans.reduce(0) { $0 + $1.bytes }
      + closing.reduce(0) { $0 + $1.bytes }
  }
}
