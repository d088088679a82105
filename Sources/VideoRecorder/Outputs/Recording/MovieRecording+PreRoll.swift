import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// Standing by: frames are encoded and kept in memory until the recording begins with them.
extension MovieRecording {
  var isStandingBy: Bool { state.withLock { $0.timeline.isStandingBy } }

  /// Begins the movie with what is kept. If it throws, it still stands by.
  ///
  /// - Parameters:
  ///   - label: What the take is called.
  ///   - mark: Where it begins; nil for with the next frame.
  func begin(
    at url: URL, label: TakeLabel, mark: StartMark? = nil
  ) throws(CaptureError) {
    try check(url)
    writer.configuration.segments.fileSizeLimit = plan.fileSizeLimit(at: url)
    writer.configuration.reelName = label.reel ?? ""
    let seen = state.withLock { state in
      noticeSilenceStandingBy(&state, now: MonotonicClock.now)
      let next = state.timeline.nextSlot
      return SeenBefore(
        firstSlot: state.timeline.firstSlot, nextSlot: next,
        unixTime: state.timeline.hasBegun ? unixTime(ofSlot: next, state) : nil)
    }
    let file: AssetWriter.PreRollFile
    // Outside the lock, because a disk may have to spin up first, and frames must not wait for that.
    do throws(AssetWriterError) { file = try writer.makePreRollFile(outputURL: url) } catch {
      throw CaptureError(error)
    }
    try state.withLock { state throws(CaptureError) in
      guard state.timeline.isStandingBy, state.phase.isActive else {
        file.abandon()
        throw CaptureError(.invalidState, "the recording is no longer in standby")
      }
      state.facts.label = label
      let start = takeStart(at: mark, seen, state)
      let limit = plan.frameLimit.map { start.slot.addingSaturating($0) }
      // The file may have taken longer than the take lasts.
      let isOver = limit.map { state.timeline.nextSlot >= $0 } ?? false
      describe(label, began: start.unixTime)
      let origin: Int64
      do throws(AssetWriterError) {
        origin = try writer.endPreRoll(into: file, at: start.slot, end: isOver ? limit : nil) {
          _, slot in startTimecode(state, of: slot, start)
        }
      } catch {
        throw CaptureError(error)
      }
      state.timeline.beginTake(origin: origin, limit: limit)
      state.facts.preRollFrames = start.slot - origin
      state.wakeFrameWaiters()
      state.facts.markedAddress = mark?.timecode
      if state.timeline.hasBegun {
        state.account.startTimecode = startTimecode(state, of: origin, start)
        noteStart(&state, at: start, origin: origin)
      }
      restartAccounts(&state)
      tellLossStandingBy(&state, preRoll: start.slot - origin)
      if state.timeline.hasBegun { tellStart() }
      if isOver {
        state.timeline.endAtLimit()
        reachLimit(&state)
      }
    }
  }

  /// Notes when the take began: its first frame, and the one at the mark after the pre-roll.
  private func noteStart(_ state: inout State, at start: TakeStart, origin: Int64) {
    let seconds = plan.rate.time(ofFrame: start.slot - origin).seconds
    state.facts.begin(unixTime: start.unixTime - seconds)
    state.facts.startPTS = sourceTime(ofSlot: origin, state) ?? state.facts.startPTS
    state.facts.startFrameTime = sourceTime(ofSlot: start.slot, state)?.seconds
    state.facts.firstFrameTime = state.facts.startFrameTime.map { $0 - seconds }
    state.facts.startFrameTimecode = state.account.startTimecode?
      .advanced(by: start.slot - origin)
  }

  // MARK: The start

  /// The state at the moment when the take was requested, before its file was created.
  private struct SeenBefore {
    let firstSlot: Int64
    let nextSlot: Int64
    /// When the next frame is exposed, in seconds since 1970 UTC; nil before the first frame.
    let unixTime: Double?
  }

  /// The frame with which a take begins.
  private struct TakeStart {
    let slot: Int64
    /// The timecode that it was to have; nil for its time of day.
    let timecode: Timecode?
    /// When it was exposed, in seconds since 1970 UTC.
    let unixTime: Double
  }

  private func takeStart(at mark: StartMark?, _ seen: SeenBefore, _ state: State) -> TakeStart {
    let (first, next) = (state.timeline.firstSlot, state.timeline.nextSlot)
    let marked = mark.flatMap { slot(of: $0, state) }
    let start = min(max(marked ?? seen.nextSlot, first), next)
    // Where the frame at the mark is missing, another one has the time of day at which it was exposed.
    let isMissed = marked.map { $0 != start } ?? false
    let timecode = isMissed && plan.options.timecodeSource == .timeOfDay ? nil : mark?.timecode
    var unixTime = unixTime(ofSlot: start, state)
    // If creating the file took long, the time read before is more accurate.
    if let instant = seen.unixTime, first == seen.firstSlot {
      unixTime = instant + Double(start - seen.nextSlot) / plan.rate.framesPerSecond
    }
    return TakeStart(slot: start, timecode: timecode, unixTime: unixTime)
  }

  /// Waits for the frame at a mark, as long as frames arrive.
  func waitForFrame(at mark: StartMark) async {
    await withTaskCancellationHandler {
      while await isAwaited(mark) {}
    } onCancel: {
      state.withLock { $0.wakeFrameWaiters() }
    }
  }

  /// Waits for a frame, or for what ends the wait for one.
  ///
  /// - Returns: False, at once, if the frame at the mark is no longer awaited.
  private func isAwaited(_ mark: StartMark) async -> Bool {
    await withCheckedContinuation { continuation in
      let patience = state.withLock { state -> Double? in
        let patience = StartMark.margin - state.source.silence(at: MonotonicClock.now)
        guard !Task.isCancelled, state.timeline.isStandingBy, state.phase.isRecording,
          state.source.hasSignal, patience > 0, let slot = slot(of: mark, state),
          state.timeline.nextSlot <= slot
        else { return nil }
        state.frameWaiters.append(continuation)
        return patience
      }
      guard let patience else { return continuation.resume(returning: false) }
      // Ends the wait if no frame arrives.
      queue.asyncAfter(deadline: .now() + patience) { [weak self] in
        self?.state.withLock { $0.wakeFrameWaiters() }
      }
    }
  }

  /// The slot of the frame at a mark; nil if the source's time stamps don't follow the clock.
  private func slot(of mark: StartMark, _ state: State) -> Int64? {
    guard plan.isRealTime, let timeline = state.timeline.source else { return nil }
    if let slot = slot(ofSourceTimecode: mark.timecode, state) { return slot }
    let late = (mark.instant - timeline.instant).seconds * plan.rate.framesPerSecond
    guard late.isFinite, late.magnitude < 1e12 else { return nil }
    // Devices give the time to the microsecond.
    let tolerance = 1e-6 * plan.rate.framesPerSecond
    return state.timeline.nextSlot + Int64((late - state.timeline.phase - tolerance).rounded(.up))
  }

  /// The slot to which the source itself gives a timecode; nil if it is far away, because then the source's
  /// timecode is not the time of day.
  private func slot(ofSourceTimecode asked: Timecode?, _ state: State) -> Int64? {
    guard case .source = plan.options.timecodeSource, let asked,
      let first = state.account.startTimecode,
      first.format == asked.format
    else { return nil }
    let day = first.format.framesPerDay
    let present = first.advanced(by: state.timeline.nextSlot)
    let ahead = present.distance(to: asked)
    let distance = ahead > day / 2 ? ahead - day : ahead
    let minute = Int64(first.format.framesPerSecond) * 60
    return distance.magnitude < minute ? state.timeline.nextSlot + distance : nil
  }

  /// When the frame of a slot was exposed, in seconds since 1970 UTC.
  private func unixTime(ofSlot slot: Int64, _ state: State) -> Double {
    sourceTime(ofSlot: slot, state).map { unixTime(of: $0) } ?? Date().timeIntervalSince1970
  }

  /// When the frame of a slot was exposed, on the source's clock; nil before the first frame.
  private func sourceTime(ofSlot slot: Int64, _ state: State) -> MediaTime? {
    guard let timeline = state.timeline.source else { return nil }
    let frames = Double(slot - state.timeline.nextSlot) + state.timeline.phase
    let offset = MediaTime(
      seconds: frames / plan.rate.framesPerSecond, preferredTimescale: 1_000_000_000)
    return timeline.instant + offset
  }

  /// The timecode of a slot, derived from that of the frame at the start: the requested one, the clock's at
  /// its exposure, or the source's own.
  private func startTimecode(_ state: State, of slot: Int64, _ start: TakeStart) -> Timecode? {
    switch plan.options.timecodeSource {
    case .none: nil
    case .timeOfDay:
      (start.timecode ?? Timecode(timeOfDay: start.unixTime, rate: plan.rate))
        .advanced(by: slot - start.slot)
    case .start(let timecode): (start.timecode ?? timecode).advanced(by: slot - start.slot)
    case .running(let timecode, let since):
      sourceTime(ofSlot: start.slot, state).map {
        address(at: $0, running: timecode, since: since).advanced(by: slot - start.slot)
      }
    case .source: state.account.timecode(ofSlot: slot)
    }
  }

  /// Counts only what is in the file, not what was discarded before.
  private func restartAccounts(_ state: inout State) {
    let origin = state.timeline.origin
    let lost = state.account.beginTake(at: origin, end: state.timeline.lastSlot + 1)
    // Losses are attributed to tracks only from here on; earlier ones count if there is one track.
    let isOnly = state.audio.count == 1
    for index in state.audio.indices {
      state.audio[index].restartAccount(from: origin, rate: plan.rate, lost: isOnly ? lost : [:])
    }
  }
}

extension MovieRecording.State {
  /// Wakes those who wait for a frame.
  mutating func wakeFrameWaiters() {
    for waiter in frameWaiters { waiter.resume(returning: true) }
    frameWaiters = []
  }

  /// Once there are many incidents, forgets those that will be in no movie.
  mutating func forgetIncidents(keeping preRoll: MediaTime) {
    guard timeline.isStandingBy, account.incidents.count > 1000, preRoll.seconds.isFinite else {
      return
    }
    let slots = min(Int64(saturating: preRoll.seconds * timeline.rate.framesPerSecond), 1 << 50)
    account.forget(before: timeline.nextSlot - slots - 1000)
  }
}
