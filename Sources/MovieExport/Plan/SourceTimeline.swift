import MediaCore

/// Puts a source's samples on one timeline that never steps back, despite concatenated and
/// restarted streams, wrapped clocks, and equal or overlapping times.
///
/// Video leads. If its times step back or leap, another part of the source begins and is put after
/// the last frame; the audio of that part moves with it. Audio alone may pause for any time: it
/// resumes at its time stamp once video has reached it.
package struct SourceTimeline {
  /// What was corrected.
  package struct Repairs: Hashable {
    /// The number of places where the source's clock restarted.
    var joins = 0
    /// The number of frames moved to the next free slot.
    var framesMoved = 0
    /// The number of frames without a free slot.
    var framesDropped = 0
    /// The shortest interval between frames, if any were dropped.
    var shortestStep: MediaTime?
    /// The number of samples per channel that overlapped with earlier ones.
    var audioSamplesTrimmed = 0
    /// The time of the first overlap, in seconds.
    var firstOverlap: Double?

    package var isEmpty: Bool { self == Repairs() }
  }

  /// Audio and its time on the timeline.
  struct PlacedAudio {
    var buffer: AudioBuffer
    var time: MediaTime
  }

  /// The result of placing audio.
  enum Audio {
    case placed(PlacedAudio)
    /// All of it overlaps with earlier audio.
    case dropped
    /// It belongs to a part whose video has not come yet.
    case early
  }

  private struct AudioState {
    var end: MediaTime?
    var offset: MediaTime
    /// Since when times have been off by more than rounding; nil if they are not.
    var offSince: MediaTime?
  }

  package private(set) var repairs = Repairs()
  /// The range in which repairs count.
  var range = ChosenRange.whole
  private let rate: FrameRate?
  /// The step in time that no longer counts as a gap.
  private let leap: MediaTime
  private var start: MediaTime?
  private var offsets: [MediaTime] = [.zero]
  /// The latest time of the source's clock, to detect that it stepped back.
  private var lastTime: MediaTime?
  /// Where the last frame was put: after `lastTime` following a burst.
  private var lastPlace: MediaTime?
  private var lastSlot: Int64?
  private var audioStates: [Int: AudioState] = [:]

  /// Overlaps up to this are rounding of time stamps, which the writer tolerates.
  private static let tolerance = MediaTime(value: 20, timescale: 1000)
  /// How far times of jittering audio may be off temporarily.
  private static let swing = MediaTime(value: 80, timescale: 1000)
  /// How long they may be off.
  private static let swingTime = MediaTime(value: 1, timescale: 1)
  /// Audio that continues later than this may belong to another part.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// Audio further back than this belongs to another part.
  private static let stepBack = MediaTime(value: 250, timescale: 1000)

  /// - Parameters:
  ///   - rate: The frame rate, if there is one.
  ///   - timesMayJump: True for containers in which a leap of more than ten seconds means a cut. In
  ///     other containers, a frame may last for ten minutes.
  init(rate: FrameRate?, timesMayJump: Bool) {
    self.rate = rate
    leap = MediaTime(value: timesMayJump ? 10 : 600, timescale: 1)
  }

  /// True once it has a frame.
  var hasBegun: Bool { lastPlace != nil }

  /// True once a frame is after a time.
  func hasPassed(_ time: MediaTime) -> Bool { lastPlace.map { $0 > time } ?? false }

  /// The timeline position of a source time, in the current part. If the source's clock restarts or
  /// the time is unknown, that of the last frame.
  func place(of time: MediaTime) -> MediaTime? {
    guard let lastPlace else { return time.isNumeric ? time : nil }
    guard time.isNumeric else { return lastPlace }
    let place = time + offset
    return Self.distance(place, lastPlace) <= leap ? place : lastPlace
  }

  /// The timeline position of a time range.
  func place(of times: ClosedRange<MediaTime>?) -> ClosedRange<MediaTime>? {
    guard let start = place(of: times?.lowerBound ?? .invalid),
      let end = place(of: times?.upperBound ?? .invalid)
    else { return nil }
    return min(start, end)...max(start, end)
  }

  /// Places a frame; nil if there is no slot for it.
  mutating func place(frame time: MediaTime) -> MediaTime? {
    guard time.isNumeric else { return nil }
    guard let start, let lastTime, let lastPlace else {
      self.start = time
      lastTime = time
      lastPlace = time
      lastSlot = 0
      return time
    }
    let frame = rate?.frameDuration ?? MediaTime(value: 1, timescale: 1000)
    let before = lastTime
    var placed = time + offset
    if placed < lastTime - frame || placed - lastTime > leap {
      offsets.append(lastPlace + frame - time)
      placed = time + offset
      if counts(lastPlace) { repairs.joins += 1 }
      self.lastTime = placed
    } else {
      self.lastTime = max(placed, lastTime)
    }
    guard let place = freePlace(at: placed, start: start, behind: lastPlace) else {
      if counts(placed) { noteDropped(placed - before) }
      return nil
    }
    self.lastPlace = place
    return place
  }

  /// The slot for a frame at a time; nil if the next slots are taken too.
  private mutating func freePlace(
    at time: MediaTime, start: MediaTime, behind lastPlace: MediaTime
  ) -> MediaTime? {
    guard let rate, let last = lastSlot, let slot = rate.frameIndex(nearest: time - start) else {
      return time > lastPlace ? time : nil
    }
    guard slot <= last else {
      lastSlot = slot
      return time > lastPlace ? time : start + rate.time(ofFrame: slot)
    }
    // With a varying rate, frames come in bursts; moving more than two would put them out of sync.
    guard last + 1 - slot <= 2 else { return nil }
    if counts(time) { repairs.framesMoved += 1 }
    lastSlot = last + 1
    return start + rate.time(ofFrame: last + 1)
  }

  private mutating func noteDropped(_ step: MediaTime) {
    repairs.framesDropped += 1
    guard step > .zero else { return }
    repairs.shortestStep = min(step, repairs.shortestStep ?? step)
  }

  private var offset: MediaTime { offsets[offsets.count - 1] }

  /// The number of parts so far whose clocks differ.
  package var partCount: Int { offsets.count }

  private func counts(_ place: MediaTime) -> Bool { range.concerns(place...place) }

  /// Places a run of audio.
  ///
  /// - Parameters:
  ///   - isLast: True if no more frames come that could determine its place.
  ///   - swings: True if time stamps jitter although the audio has no gaps.
  mutating func place(
    _ buffer: AudioBuffer, at time: MediaTime, track: Int, isLast: Bool, swings: Bool = false
  ) throws(MediaCoreError) -> Audio {
    guard time.isNumeric else { return .dropped }
    guard var state = audioStates[track], let end = state.end else {
      let state = AudioState(end: time + buffer.duration, offset: .zero)
      audioStates[track] = state
      return .placed(PlacedAudio(buffer: buffer, time: time))
    }
    state.offset = partOffset(of: time, behind: end, state.offset)
    var placed = time + state.offset
    if !isPossible(placed, behind: end) {
      guard isLast else { return .early }
      state.offset = end - time
      placed = end
      if counts(end) { repairs.joins += 1 }
    }
    let overlap = end - placed
    let isOff = Self.distance(end, placed) > Self.tolerance
    state.offSince = isOff ? state.offSince ?? placed : nil
    if swings, isOff, Self.distance(end, placed) <= Self.swing,
      let since = state.offSince, placed - since < Self.swingTime
    {
      state.end = end + buffer.duration
      audioStates[track] = state
      return .placed(PlacedAudio(buffer: buffer, time: end))
    }
    guard overlap > Self.tolerance else {
      // Never before the end of earlier audio: rounded times may step back a little.
      let begin = overlap > .zero ? end : placed
      state.end = begin + buffer.duration
      audioStates[track] = state
      return .placed(PlacedAudio(buffer: buffer, time: begin))
    }
    let samples = overlap.converted(toTimescale: Int32(clamping: buffer.format.sampleRate)).value
    let trimmed = Int(min(samples, Int64(buffer.frameCount)))
    if counts(end) {
      repairs.audioSamplesTrimmed += trimmed
      if repairs.firstOverlap == nil, let start { repairs.firstOverlap = (placed - start).seconds }
    }
    guard trimmed < buffer.frameCount else {
      audioStates[track] = state
      return .dropped
    }
    let rest = try AudioBuffer(
      format: buffer.format,
      bytes: Array(buffer.bytes.dropFirst(trimmed * buffer.format.bytesPerFrame)))
    state.end = end + rest.duration
    audioStates[track] = state
    return .placed(PlacedAudio(buffer: rest, time: end))
  }

  /// The offset of the part that audio belongs to.
  private func partOffset(
    of time: MediaTime, behind end: MediaTime, _ present: MediaTime
  ) -> MediaTime {
    let candidates = offsets.suffix(2) + [present]
    let best =
      candidates.min { Self.distance(time + $0, end) < Self.distance(time + $1, end) } ?? present
    // After a pause, proximity means nothing: the part of the latest frames is the likely one.
    guard time + best - end > Self.pause || end - (time + best) > Self.stepBack,
      isPossible(time + offset, behind: end),
      lastPlace.map({ time + offset - $0 <= Self.pause }) ?? false
    else { return best }
    return offset
  }

  /// True if audio may continue at a time: video, or the audio itself, is near it.
  private func isPossible(_ time: MediaTime, behind end: MediaTime) -> Bool {
    guard end - time <= Self.stepBack else { return false }
    return time - end <= leap || lastPlace.map { time - $0 <= leap } ?? false
  }

  private static func distance(_ first: MediaTime, _ second: MediaTime) -> MediaTime {
    first > second ? first - second : second - first
  }
}
