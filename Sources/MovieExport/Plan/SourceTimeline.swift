import MediaCore

/// Brings samples of a source onto one timeline without steps back: joined and restarted streams,
/// wrapped clocks, times that are equal or overlap.
///
/// Pictures lead. Where their times step back, or leap, another part of the source begins, which is
/// put behind the last picture; sound of that part goes along with it. Sound alone may pause for as
/// long as it likes: it begins again where it says, once pictures are there.
package struct SourceTimeline {
  /// What was mended.
  package struct Repairs: Hashable {
    /// Places where the source's clock was begun anew.
    var joins = 0
    /// Pictures that were put into the next free place.
    var framesMoved = 0
    /// Pictures for which there was no place.
    var framesDropped = 0
    /// The shortest time from one picture to the next, where some were dropped.
    var shortestStep: MediaTime?
    /// Samples of each channel that overlapped with those before.
    var audioSamplesTrimmed = 0
    /// Where the first of them was, in seconds.
    var firstOverlap: Double?

    package var isEmpty: Bool { self == Repairs() }
  }

  /// Sound and where it belongs.
  struct PlacedSound {
    var buffer: AudioBuffer
    var time: MediaTime
  }

  /// What becomes of sound.
  enum Sound {
    case placed(PlacedSound)
    /// All of it was there already.
    case dropped
    /// It belongs to a part whose pictures have not come yet.
    case early
  }

  private struct SoundState {
    var end: MediaTime?
    var offset: MediaTime
    /// Since when times have been off by more than is rounding; nil where they are not.
    var offSince: MediaTime?
  }

  package private(set) var repairs = Repairs()
  /// The part whose repairs count.
  var range = ChosenRange.whole
  private let rate: FrameRate?
  /// A leap that no gap explains.
  private let leap: MediaTime
  private var start: MediaTime?
  private var offsets: [MediaTime] = [.zero]
  /// The furthest that the source's clock has come, which judges whether it stepped back.
  private var lastTime: MediaTime?
  /// Where the last picture was put: behind `lastTime` after a burst.
  private var lastPlace: MediaTime?
  private var lastSlot: Int64?
  private var sounds: [Int: SoundState] = [:]

  /// Overlaps up to this long are the rounding of time stamps, which the writer bears.
  private static let tolerance = MediaTime(value: 20, timescale: 1000)
  /// How far times of sound that swings may be off for a while.
  private static let swing = MediaTime(value: 80, timescale: 1000)
  /// How long.
  private static let swingTime = MediaTime(value: 1, timescale: 1)
  /// Sound that goes on later than this may be of another part.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// Sound further back than this is of another part.
  private static let stepBack = MediaTime(value: 250, timescale: 1000)

  /// - Parameters:
  ///   - rate: Of the pictures, where they have one.
  ///   - timesMayJump: True where leaps of more than ten seconds are the container's way of being cut.
  ///     In other containers a picture may be held for ten minutes.
  init(rate: FrameRate?, timesMayJump: Bool) {
    self.rate = rate
    leap = MediaTime(value: timesMayJump ? 10 : 600, timescale: 1)
  }

  /// True once a picture was put on it.
  var hasBegun: Bool { lastPlace != nil }

  /// True once pictures were put behind a time.
  func hasPassed(_ time: MediaTime) -> Bool { lastPlace.map { $0 > time } ?? false }

  /// The place of a time of the source's, by the part of it that is being placed: that of the last picture where
  /// the source's clock begins anew, and where the time is not known.
  func place(of time: MediaTime) -> MediaTime? {
    guard let lastPlace else { return time.isNumeric ? time : nil }
    guard time.isNumeric else { return lastPlace }
    let place = time + offset
    return Self.distance(place, lastPlace) <= leap ? place : lastPlace
  }

  /// The same of a range of times.
  func place(of times: ClosedRange<MediaTime>?) -> ClosedRange<MediaTime>? {
    guard let start = place(of: times?.lowerBound ?? .invalid),
      let end = place(of: times?.upperBound ?? .invalid)
    else { return nil }
    return min(start, end)...max(start, end)
  }

  /// The time of a picture; nil for one that has no place.
  mutating func place(picture time: MediaTime) -> MediaTime? {
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

  /// The place of a picture of this time; nil where those that come next are taken.
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
    // Pictures of a varying rate come in bursts; more than two together would be out of step.
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

  /// Parts of the source so far whose clocks differ.
  package var partCount: Int { offsets.count }

  private func counts(_ place: MediaTime) -> Bool { range.concerns(place...place) }

  /// What becomes of a run of sound.
  ///
  /// - Parameters:
  ///   - isLast: True where no more pictures come that could say where it belongs.
  ///   - swings: True where times go to and fro while the sound has no gaps.
  mutating func place(
    _ buffer: AudioBuffer, at time: MediaTime, track: Int, isLast: Bool, swings: Bool = false
  ) throws(MediaCoreError) -> Sound {
    guard time.isNumeric else { return .dropped }
    guard var state = sounds[track], let end = state.end else {
      let state = SoundState(end: time + buffer.duration, offset: .zero)
      sounds[track] = state
      return .placed(PlacedSound(buffer: buffer, time: time))
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
      sounds[track] = state
      return .placed(PlacedSound(buffer: buffer, time: end))
    }
    guard overlap > Self.tolerance else {
      // Never before what was there: times that are rounded may step back by a little.
      let begin = overlap > .zero ? end : placed
      state.end = begin + buffer.duration
      sounds[track] = state
      return .placed(PlacedSound(buffer: buffer, time: begin))
    }
    let samples = overlap.converted(toTimescale: Int32(clamping: buffer.format.sampleRate)).value
    let trimmed = Int(min(samples, Int64(buffer.frameCount)))
    if counts(end) {
      repairs.audioSamplesTrimmed += trimmed
      if repairs.firstOverlap == nil, let start { repairs.firstOverlap = (placed - start).seconds }
    }
    guard trimmed < buffer.frameCount else {
      sounds[track] = state
      return .dropped
    }
    let rest = try AudioBuffer(
      format: buffer.format,
      bytes: Array(buffer.bytes.dropFirst(trimmed * buffer.format.bytesPerFrame)))
    state.end = end + rest.duration
    sounds[track] = state
    return .placed(PlacedSound(buffer: rest, time: end))
  }

  /// The offset of the part that sound belongs to.
  private func partOffset(
    of time: MediaTime, behind end: MediaTime, _ present: MediaTime
  ) -> MediaTime {
    let candidates = offsets.suffix(2) + [present]
    let best =
      candidates.min { Self.distance(time + $0, end) < Self.distance(time + $1, end) } ?? present
    // Behind a pause nearness says nothing: the part of the latest pictures is the likely one.
    guard time + best - end > Self.pause || end - (time + best) > Self.stepBack,
      isPossible(time + offset, behind: end),
      lastPlace.map({ time + offset - $0 <= Self.pause }) ?? false
    else { return best }
    return offset
  }

  /// True where sound may go on at a time: pictures have come near it, or sound itself.
  private func isPossible(_ time: MediaTime, behind end: MediaTime) -> Bool {
    guard end - time <= Self.stepBack else { return false }
    return time - end <= leap || lastPlace.map { time - $0 <= leap } ?? false
  }

  private static func distance(_ first: MediaTime, _ second: MediaTime) -> MediaTime {
    first > second ? first - second : second - first
  }
}
