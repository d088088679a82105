import MediaCore

/// Gives each frame of a live source its slot on a constant-rate timeline.
///
/// The slot follows the device's own count where it has one and the timestamps agree to within a
/// frame; else the timestamps, which may jitter by almost half a frame. The clock follows a source
/// that runs slightly fast or slow, so that its drift costs no frame.
struct FrameClock: Sendable {
  /// The verdict on a frame.
  enum Placement: Equatable, Sendable {
    /// The frame takes the slot; `missing` slots before it stay empty.
    case slot(Int64, missing: Int64)
    /// The frame's slot is taken already: the source repeats itself or its time ran backward.
    case duplicate
    /// Time jumped too far for a loss of frames: the frame takes the slot after those the device lost, and
    /// slots are counted from its time on.
    case restarted(Int64)
  }

  /// The most by which a source's rate may differ from its nominal one and count as the same rate.
  /// Crystals differ by less than 200 ppm; 29.97 and 30 differ by 1000.
  static let largestDrift = 500e-6
  /// Seconds without a frame beyond which time has jumped.
  static let longestGap = 10.0

  let rate: FrameRate
  /// The slot of the next frame, if none is lost.
  private(set) var nextSlot: Int64
  /// When that frame is due, on the source's clock.
  private var due: MediaTime?
  private var lastSequence: UInt32?
  /// The part of a frame by which the source was early or late, smoothed.
  private(set) var phase = 0.0
  /// When the last frame was taken, on the source's clock.
  private var lastTime: MediaTime?
  /// The seconds by which time stamps lag behind the time that has passed. After the process was suspended, the frames
  /// that the device had buffered arrive first.
  private var owed = 0.0

  init(rate: FrameRate, firstSlot: Int64 = 0) {
    self.rate = rate
    self.nextSlot = firstSlot
  }

  /// Places a frame by its time and, where the device counts, its number.
  ///
  /// - Parameters:
  ///   - lost: Frames that the device lost before this one, which a time that jumped cannot
  ///     show. More than ``longestGap`` of them are no loss but another count.
  ///   - silence: Seconds for which nothing came before it: time that has passed has not jumped.
  mutating func place(
    time: MediaTime, sequence: UInt32? = nil, lost: Int64 = 0, silence: Double = 0
  ) -> Placement {
    guard let due else { return begin(time, sequence) }
    let late = (time - due).seconds * rate.framesPerSecond
    let passed = owed + silence
    let longest = (Self.longestGap + (late > 0 ? passed : 0)) * rate.framesPerSecond
    guard late.isFinite, late.magnitude < longest else {
      if Double(lost) < Self.longestGap * rate.framesPerSecond { nextSlot += lost }
      let slot = nextSlot
      _ = begin(time, sequence)
      return .restarted(slot)
    }
    follow(time, passed: passed)
    let missing = missingFrames(late: late, sequence: sequence)
    guard missing >= 0 else { return .duplicate }
    let slot = nextSlot + missing
    let residual = late - Double(missing)
    phase += (residual - phase) * 0.05
    // A single late frame says nothing about the rate: adapt slowly.
    let step = min(
      max(residual * 0.05, -Self.largestDrift), Self.largestDrift * Double(missing + 1))
    self.due = due + frames(Double(missing) + 1 + step)
    lastSequence = sequence
    nextSlot = slot + 1
    return .slot(slot, missing: missing)
  }

  /// Where the source's instants lie, as its frames so far tell; nil before the first one.
  var timeline: SourceTimeline? {
    due.map { SourceTimeline(instant: $0, place: rate.time(ofFrame: nextSlot)) }
  }

  /// Skips the slots up to one that were filled with other frames than the source's.
  mutating func skip(to slot: Int64) {
    guard let due, slot > nextSlot else { return }
    self.due = due + frames(Double(slot - nextSlot))
    nextSlot = slot
    lastSequence = nil
  }

  /// Ignores the gap before the source's next sequence number.
  mutating func forgetCount() { lastSequence = nil }

  /// Lets a new run begin, after a pause: the next frame takes the next slot whenever it comes.
  mutating func rebase() {
    due = nil
    (lastTime, owed) = (nil, 0)
    lastSequence = nil
    phase = 0
  }

  /// A new run begins at an instant: the frame that is due then takes the next slot.
  mutating func beginRun(at time: MediaTime) {
    rebase()
    (due, lastTime) = (time, time)
  }

  private mutating func begin(_ time: MediaTime, _ sequence: UInt32?) -> Placement {
    let slot = nextSlot
    due = time + rate.frameDuration
    (lastTime, owed) = (time, 0)
    lastSequence = sequence
    nextSlot += 1
    return .slot(slot, missing: 0)
  }

  /// Notes how far a frame's time stamp has caught up with the time that has passed.
  private mutating func follow(_ time: MediaTime, passed: Double) {
    let advance = lastTime.map { max((time - $0).seconds, 0) } ?? 0
    // A slow source only seems to lag: forget that within a minute.
    owed = max(passed - advance, 0) * 0.999
    lastTime = time
  }

  private func missingFrames(late: Double, sequence: UInt32?) -> Int64 {
    if let sequence, let lastSequence {
      let counted = Int64(Int32(bitPattern: sequence &- lastSequence)) - 1
      if counted >= 0, (late - Double(counted)).magnitude <= 1 { return counted }
    }
    return Int64(late.rounded())
  }

  private func frames(_ count: Double) -> MediaTime {
    MediaTime(seconds: count / rate.framesPerSecond, preferredTimescale: 1_000_000_000)
  }
}
