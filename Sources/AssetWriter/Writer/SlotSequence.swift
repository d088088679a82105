import MediaCore

/// Which slots of a constant rate the frames of a track have taken.
///
/// The one place where a frame gets its slot, and where a gap is seen: what the frame before has to
/// fill.
struct SlotSequence {
  /// Slots that are too far for any take: centuries.
  private static let furthest: UInt64 = 1 << 50

  let rate: FrameRate
  /// The slot of the first frame; nil before it.
  private(set) var first: Int64?
  /// The last slot that is taken, by a frame or by what one was told to fill.
  private(set) var last: Int64?
  /// The first slot behind those that the last frame is known to fill; 0 where nothing is known.
  private(set) var heldEnd: Int64 = 0
  /// The time of the last frame, which the next one has to be later than.
  private var lastTime: MediaTime?

  /// The slot near which the first frame is expected.
  private let start: Int64

  init(rate: FrameRate, start: Int64 = 0) {
    self.rate = rate
    self.start = start
  }

  /// The first slot behind the frames, 0 before the first one.
  var end: Int64 { (last ?? -1) + 1 }

  /// Gives a frame the slot that is nearest to its time; a negative one lies before the session.
  ///
  /// - Throws: ``AssetWriterError/Code/timeNotIncreasing``, ``AssetWriterError/Code/invalidTime``.
  mutating func place(
    _ time: MediaTime, start: MediaTime, maximumGap: Double
  ) throws(AssetWriterError) -> Int64 {
    guard let slot = rate.frameIndex(nearest: time - start), slot.magnitude < Self.furthest else {
      throw Self.invalid("\(time)")
    }
    if let lastTime, time <= lastTime {
      throw AssetWriterError(
        .timeNotIncreasing,
        "a frame at \(time) is not later than the one before, at \(lastTime)")
    }
    try check(slot, at: "\(time)", maximumGap: maximumGap)
    lastTime = time
    accept(slot)
    return slot
  }

  /// Gives a frame a slot that was chosen for it.
  ///
  /// - Throws: As ``place(_:start:maximumGap:)``.
  mutating func place(slot: Int64, maximumGap: Double) throws(AssetWriterError) {
    try check(slot, at: "slot \(slot)", maximumGap: maximumGap)
    lastTime = nil
    accept(slot)
  }

  private func check(
    _ slot: Int64, at place: @autoclosure () -> String, maximumGap: Double
  ) throws(AssetWriterError) {
    guard slot.magnitude < Self.furthest else { throw Self.invalid(place()) }
    if let last, slot <= last {
      throw AssetWriterError(
        .timeNotIncreasing,
        "a frame at \(place()) is in the same \(rate) fps slot (\(slot)) as the one before; "
          + "append frames no faster than the track's rate")
    }
    let distance = Double(slot - (last ?? start)) / rate.framesPerSecond
    guard distance <= maximumGap else {
      throw AssetWriterError(
        .invalidTime,
        "a frame at \(place()) leaves a gap of \(Int(saturating: distance)) s, more than the "
          + "\(maximumGap) s allowed; start the session at the first frame's time, on the same clock"
      )
    }
  }

  private static func invalid(_ place: String) -> AssetWriterError {
    AssetWriterError(
      .invalidTime,
      "a frame has the time \(place), which is invalid or too far from the others; give it one near "
        + "them")
  }

  private mutating func accept(_ slot: Int64) {
    guard slot >= 0 else { return }
    if first == nil { first = slot }
    last = slot
  }

  /// Lets the last frame fill the slots before another one.
  mutating func hold(until slot: Int64) {
    guard let last, slot > last + 1, slot.magnitude < Self.furthest else { return }
    heldEnd = slot
    self.last = slot - 1
    lastTime = nil
  }

  /// A take begins with what is kept, at a slot.
  mutating func beginTake(at slot: Int64) { first = slot }
}
