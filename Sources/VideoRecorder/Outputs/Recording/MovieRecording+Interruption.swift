import AssetWriter
import CaptureDevices
import FoundationEssentials
import MediaCore
import Synchronization
import TakeReports

/// Sources that deliver nothing, and disks that are too slow.
extension MovieRecording {
  /// Notes that the process was suspended until now, at the frame that was due when the suspension began.
  func noteProcessStop(lasting seconds: Double) {
    let began = Double(MonotonicClock.now) * 1e-9 - seconds
    state.withLock { state in
      guard state.phase.isRecording || state.phase.isPaused else { return }
      let next = state.timeline.nextSlot
      var slot = next
      if plan.isRealTime, let start = state.facts.startTime {
        let due = state.timeline.firstSlot
          .addingSaturating(Int64(saturating: (began - start) * plan.rate.framesPerSecond))
        slot = min(max(due, state.timeline.origin), next)
      }
      state.account.note(.processStopped, slot: slot, lasting: seconds)
    }
  }

  /// Filling stays this many seconds behind the clock, so that a late frame still finds its slot empty.
  private static let fillDelay = 0.5

  /// Catches up with what happened to the sources between planning and the first events. Call it once events arrive:
  /// a source that went away in between sends no event, and the take would wait for it forever.
  func catchUp() {
    for audio in plan.audio where !audio.connection.isFlowing {
      if let ending = audio.connection.ending { receiveAudio(ending, from: audio.connection) }
    }
    // Asked with the lock held, so that later events of the stream are handled after it.
    state.withLock { setSignal(&$0, isPresent: plan.connection.hasSignal) }
    guard !plan.connection.isFlowing else { return }
    if let ending = plan.connection.ending {
      receiveFrames(ending)
    } else {
      stop(.sessionStopped)
      finishAtOnce()
    }
  }

  /// Checks whether frames still arrive, and fills the timeline if not. On ``queue``.
  func checkSource() {
    let now = MonotonicClock.now
    state.withLock { state in
      guard plan.isRealTime else { return }
      state.source.noteLook(at: now)
      guard !state.timeline.isStandingBy else { return noticeSilenceStandingBy(&state, now: now) }
      noticeAbsence(&state, now: now)
      guard state.source.absence != nil else { return }
      let limit = plan.options.sourceWaitLimit ?? .infinity
      if let absence = state.source.absence(longerThan: limit, at: now) {
        finish(&state, absence.ending.end, error: absence.ending.error)
      } else if state.phase.isRecording {
        fill(&state, now: now)
      }
    }
  }

  /// Notices a missing signal, or a device that has a signal but delivers nothing.
  private func noticeAbsence(_ state: inout State, now: Int64) {
    guard state.phase.isRecording || state.phase.isArmed else { return }
    let isResumed = state.phase.isArmed && state.timeline.hasBegun
    if isResumed, state.source.absence != nil { beginEmptyRun(&state) }
    guard state.source.absence == nil else { return }
    let timeout = plan.options.stallTimeout
    let ending: RecordingPhase.Ending
    if !state.source.hasSignal {
      ending = .init(end: .signalLost, error: signalIsLost)
    } else if timeout > 0, state.source.watchedSilence(at: now) > timeout {
      state.note(.stalled, slot: state.timeline.nextSlot)
      ending = .init(end: .deviceStalled, error: stalled)
    } else {
      return
    }
    if !state.timeline.hasBegun {
      // There is no frame to hold, and no take to end.
      tellAbsence(state)
    } else if plan.options.signalLossPolicy == .finish {
      return finish(&state, ending.end, error: ending.error)
    } else if isResumed {
      beginEmptyRun(&state)
    }
    state.source.beginAbsence(ending)
  }

  /// Begins a run without a frame, at the time when recording was resumed.
  private func beginEmptyRun(_ state: inout State) {
    let time = MediaTime(value: state.source.lastArrival, timescale: 1_000_000_000)
    let slot = state.timeline.nextSlot
    state.timeline.beginRun(at: time)
    beginRun(&state, at: time, slot: slot)
    state.phase = .recording
  }

  /// The device's stream has ended with an error: the take ends too, or goes on without it until the
  /// device is back.
  func deviceFailed(_ error: CaptureError) {
    let end: RecordingReport.End =
      switch error.code {
      case .deviceDisconnected: .deviceDisconnected
      case .deviceStalled: .deviceStalled
      default: .deviceFailed
      }
    state.withLock { state in
      let isBridged =
        plan.options.signalLossPolicy != .finish && plan.isRealTime
        && plan.connection.device.canComeBack && state.timeline.hasBegun
        && !state.timeline.isStandingBy
      guard isBridged, state.phase.isActive else {
        return finish(&state, end, error: error)
      }
      state.note(.deviceLost, slot: state.timeline.nextSlot)
      state.source.loseDevice(.init(end: end, error: error), at: MonotonicClock.now)
    }
  }

  /// Ends an interruption, now that a frame has arrived.
  func sourceIsBack(_ state: inout State) {
    guard let absence = state.source.endAbsence(), absence.isOfDevice else { return }
    state.note(.deviceRestored, slot: state.timeline.nextSlot)
    // Its frame count restarted at zero.
    state.timeline.forgetCount()
  }

  private var stalled: CaptureError {
    CaptureError(
      .deviceFailed,
      "\(plan.connection.device) no longer delivers frames; check its cable and power",
      recordingSuccessfullyFinished: true)
  }

  var signalIsLost: CaptureError {
    CaptureError(
      .signalLost, "\(plan.connection.device) lost its signal", recordingSuccessfullyFinished: true)
  }

  /// Fills the slots that have passed with the last frame or a slate.
  private func fill(_ state: inout State, now: Int64) {
    let instant = MediaTime(value: now, timescale: 1_000_000_000)
    guard let slot = state.timeline.fillEnd(at: instant, delay: Self.fillDelay) else { return }
    do throws(AssetWriterError) {
      if plan.options.signalLossPolicy == .slate, !state.source.showsSlate {
        state.source.showsSlate = true
        let first = state.timeline.nextSlot
        // Without a slate for this pixel format, the last frame stays.
        if let slate = Slate.sample(
          plan, slot: first, timecode: state.account.timecode(ofSlot: first))
        {
          _ = try video.appendImmediately(slate, slot: first)
        }
      }
      try video.holdLastFrame(untilSlot: slot)
    } catch {
      return finishUnwritten(&state, error)
    }
    state.timeline.fill(to: slot)
    fillEndedAudio(&state, toSlot: slot)
    if state.timeline.isBehindTake(slot) { reachLimit(&state) }
  }

  /// Records the filled slots, when frames arrive again or the take ends.
  func endFill(_ state: inout State, at slot: Int64? = nil) {
    state.source.showsSlate = false
    guard let filled = state.timeline.endFill(at: slot),
      plan.options.gapPolicy == .repeatPreviousFrame
    else { return }
    state.note(.repeated, count: filled.count, slot: filled.lowerBound)
  }

  // MARK: The disk

  /// Notices a disk that falls behind before frames are lost. On ``queue``.
  func checkDiskSpeed() {
    guard let flow = writer.videoFlow, flow.queueDepth > 0 else { return }
    state.withLock { state in
      let isBehind = flow.framesWaiting * 2 > flow.queueDepth
      if isBehind, !state.isDiskBehind {
        state.note(.diskBehind, .diskBusy, count: flow.framesWaiting, slot: state.timeline.nextSlot)
      }
      state.isDiskBehind = isBehind
    }
  }

  var diskTooSlow: CaptureError {
    CaptureError(
      .outputFailed,
      "the disk of \(url.deletingLastPathComponent().path) is too slow"
        + (writer.diskRate.map { ": it takes \(Int64($0) / 1_000_000) MB per second" } ?? "")
        + "; record elsewhere, or at a lower rate", recordingSuccessfullyFinished: true)
  }
}
