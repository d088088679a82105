import MediaCore

/// The slots of a recording: which one a frame gets, which of them stay empty, and which are the
/// take's.
///
/// The slots are those of the writer's track, and are counted nowhere else: a frame is handed over with
/// its slot, and the writer answers how many were skipped.
struct RecordingTimeline {
  /// Which of the slots belong to the take.
  enum Extent: Equatable {
    /// None yet: the recording stands by.
    case standingBy
    /// Those from the first one on, up to a limit where there is one.
    case take(origin: Int64, limit: Int64?)
  }

  /// What becomes of a frame.
  enum Placement: Equatable {
    /// It takes the slot. `unexplained` slots before it are empty for an unknown reason.
    case slot(Int64, unexplained: Int64)
    /// Its slot is taken: it is of no use.
    case duplicate
    /// The source's time jumped: the frame takes the slot after the reported losses, and slots are counted from
    /// its time on.
    case restarted(Int64)
  }

  private var clock: FrameClock
  /// The last slot that the writer has a frame for; the one before ``firstSlot`` for none.
  private(set) var lastSlot: Int64 = -1
  /// The first slot of the present run of standing by, and of that in which the take began: no take
  /// reaches further back.
  private(set) var firstSlot: Int64 = 0
  /// Frames that the device reported as lost, and whose empty slots have not been seen yet.
  private var announcedLoss: Int64 = 0
  /// The first slot that was filled while no frames arrived; nil while they do.
  private var filledFrom: Int64?
  private(set) var extent: Extent

  init(rate: FrameRate, extent: Extent) {
    clock = FrameClock(rate: rate)
    self.extent = extent
  }

  var rate: FrameRate { clock.rate }
  /// The slot of the next frame, if none is lost.
  var nextSlot: Int64 { clock.nextSlot }
  /// True once a frame was handed to the writer that a take may hold.
  var hasBegun: Bool { lastSlot >= firstSlot }
  /// True while frames are only kept in memory, and the oldest discarded.
  var isStandingBy: Bool { extent == .standingBy }
  /// Where the source's instants lie, as its frames so far tell; nil before the first one.
  var source: SourceTimeline? { clock.timeline }
  /// The part of a frame by which the source was early or late, smoothed.
  var phase: Double { clock.phase }

  /// The slot of the take's first frame; 0 while it stands by.
  var origin: Int64 { if case .take(let origin, _) = extent { origin } else { 0 } }
  /// The slot at which the take is full; nil where it may go on for ever.
  var limit: Int64? { if case .take(_, let limit) = extent { limit } else { nil } }
  /// Slots of the take so far; 0 before its first frame.
  var slots: Int64 { hasBegun && !isStandingBy ? nextSlot - origin : 0 }

  /// The take begins with a slot.
  mutating func beginTake(origin: Int64, limit: Int64?) {
    extent = .take(origin: origin, limit: limit)
  }

  /// Discards what was kept while standing by. The next frame begins a run at `slot` or later.
  mutating func restart(at slot: Int64) {
    firstSlot = max(slot, nextSlot)
    lastSlot = firstSlot - 1
    clock = FrameClock(rate: rate, firstSlot: firstSlot)
    announcedLoss = 0
  }

  // MARK: Frames

  /// Gives a frame its slot.
  ///
  /// - Parameters:
  ///   - time: Its time on the source's clock.
  ///   - sequence: Its number, where the device counts.
  ///   - silence: Seconds for which nothing came before it.
  mutating func place(time: MediaTime, sequence: UInt32?, silence: Double = 0) -> Placement {
    // Losses during an interruption are covered by the filled slots.
    let lost = filledFrom == nil ? announcedLoss : 0
    switch clock.place(time: time, sequence: sequence, lost: lost, silence: silence) {
    case .duplicate: return .duplicate
    case .restarted(let slot):
      announcedLoss = 0
      return .restarted(slot)
    case .slot(let slot, let missing):
      // Slots that are missing after filling belong to the interruption.
      let unexplained = filledFrom == nil ? max(0, missing - announcedLoss) : 0
      announcedLoss = 0
      return .slot(slot, unexplained: unexplained)
    }
  }

  /// The device told that frames are missing: their empty slots are explained.
  ///
  /// - Returns: The first of those slots.
  mutating func announceLoss(_ count: Int) -> Int64 {
    defer { announcedLoss += Int64(count) }
    return nextSlot + announcedLoss
  }

  /// The writer has a frame for a slot.
  mutating func didAppend(_ slot: Int64) { lastSlot = slot }

  /// True for a slot behind the take.
  func isBehindTake(_ slot: Int64) -> Bool { limit.map { slot >= $0 } ?? false }

  /// Ends the take at its limit after a frame beyond it arrived. Missing frames before the limit are filled.
  mutating func endAtLimit() {
    if let limit { clock = FrameClock(rate: rate, firstSlot: limit) }
  }

  /// Lets a new run begin, after a pause: the next frame takes the next slot whenever it comes.
  mutating func rebase() {
    clock.rebase()
    announcedLoss = 0
  }

  /// A new run begins at an instant without a frame.
  mutating func beginRun(at time: MediaTime) { clock.beginRun(at: time) }

  /// Ignores the gap before the source's next sequence number.
  mutating func forgetCount() { clock.forgetCount() }

  // MARK: Interruptions

  /// The slot up to which to fill the timeline at an instant, so that a frame that is late by
  /// `delay` seconds still finds its slot empty; nil if there is nothing to fill.
  func fillEnd(at instant: MediaTime, delay: Double) -> Int64? {
    guard let source = clock.timeline else { return nil }
    let passed = (instant - source.instant).seconds + source.place.seconds - delay
    guard passed.isFinite else { return nil }
    // A clock that jumped does not tell how long the source was away: fill at most a day at once.
    let most = nextSlot.addingSaturating(Int64(saturating: 86_400 * rate.framesPerSecond))
    var slot = min(Int64(saturating: passed * rate.framesPerSecond), most)
    if let limit { slot = min(slot, limit) }
    return slot > nextSlot ? slot : nil
  }

  /// The writer fills the slots up to one away.
  mutating func fill(to slot: Int64) {
    if filledFrom == nil { filledFrom = nextSlot }
    clock.skip(to: slot)
    lastSlot = slot - 1
  }

  /// Frames come again, or the take ends.
  ///
  /// - Parameter slot: The slot of the frame that came; nil for the next one.
  /// - Returns: The slots that were filled; nil for none.
  mutating func endFill(at slot: Int64? = nil) -> Range<Int64>? {
    guard let first = filledFrom else { return nil }
    filledFrom = nil
    let end = max(slot ?? nextSlot, first)
    lastSlot = max(lastSlot, end - 1)
    return first..<end
  }

  /// Slots at the end of the take that the last frame fills.
  var tail: Range<Int64>? {
    hasBegun && nextSlot - 1 > lastSlot ? lastSlot + 1..<nextSlot : nil
  }
}
