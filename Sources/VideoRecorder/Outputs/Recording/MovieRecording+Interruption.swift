import AssetWriter
import CaptureDevices
import FoundationEssentials
import MediaCore
import Synchronization
import TakeReports

/// A source that gives nothing, and a disk that takes too little.
extension MovieRecording {
  /// Notes that the process was stopped until now, at the frame that was due when that began.
  func noteProcessStop(lasting seconds: Double) {
    let began = Double(MonotonicClock.now) * 1e-9 - seconds
    state.withLock { state in
      guard state.phase == .recording || state.phase == .paused else { return }
      let next = state.clock.nextSlot
      var slot = next
      if plan.connection.isRealTime, let start = state.startTime {
        let due = Int64(saturating: (began - start) * plan.rate.framesPerSecond)
        slot = min(max(due, state.origin), next)
      }
      note(&state, .processStopped, count: 1, slot: slot, lasting: seconds)
    }
  }

  /// Seconds by which filled slots stay behind the clock, so that a late frame still finds its own.
  private static let fillDelay = 0.5

  /// Takes in what happened to its sources between the plan and the moment from which the recording
  /// is told of events. To be called once it is: a source that is gone says nothing any more, and
  /// the take would wait for it.
  func catchUp() {
    for sound in plan.sound where !sound.connection.isFlowing {
      if let ending = sound.connection.ending { receiveSound(ending, from: sound.connection) }
    }
    guard !plan.connection.isFlowing else { return }
    if let ending = plan.connection.ending {
      receivePictures(ending)
    } else {
      stop(.sessionStopped)
      finishAtOnce()
    }
  }

  /// Looks whether frames still come, and fills the timeline where they do not. On ``queue``.
  func checkSource() {
    let now = MonotonicClock.now
    state.withLock { state in
      guard !state.standsBy, plan.connection.isRealTime else { return }
      noticeAbsence(&state, now: now)
      guard let absence = state.absence else { return }
      let limit = plan.options.sourceWaitLimit ?? .infinity
      if Double(now - absence.since) * 1e-9 >= limit {
        finish(&state, absence.end, error: absence.error)
      } else if state.phase == .recording {
        fill(&state, now: now)
      }
    }
  }

  /// Sees that there is no signal, or that a device is silent that has one.
  private func noticeAbsence(_ state: inout State, now: Int64) {
    guard state.phase == .recording, state.absence == nil else { return }
    let isToEnd = plan.options.signalLossPolicy == .finish
    let silence = Double(now - state.lastArrival) * 1e-9
    let timeout = plan.options.stallTimeout
    if !state.hasSignal {
      guard !isToEnd else { return }
      state.absence = Absence(since: state.lastArrival, end: .signalLost, error: signalIsLost)
    } else if timeout > 0, silence > timeout {
      note(&state, .stalled, count: 1, slot: state.clock.nextSlot)
      guard !isToEnd else { return finish(&state, .deviceStalled, error: stalled) }
      state.absence = Absence(since: state.lastArrival, end: .deviceStalled, error: stalled)
    }
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
        plan.options.signalLossPolicy != .finish && plan.connection.isRealTime
        && state.lastSlot >= 0 && !state.standsBy
      guard isBridged, state.phase != .draining, state.phase != .finished else {
        finish(&state, end, error: error)
        return
      }
      note(&state, .deviceLost, count: 1, slot: state.clock.nextSlot)
      let now = MonotonicClock.now
      let since = state.absence?.since ?? now
      state.absence = Absence(since: since, isOfDevice: true, end: end, error: error)
      // What the next stream says of its signal is its own.
      state.hasSignal = true
      state.lastArrival = now
    }
  }

  /// A frame came: whatever was missing is there again.
  func sourceIsBack(_ state: inout State) {
    guard let absence = state.absence.take(), absence.isOfDevice else { return }
    note(&state, .deviceRestored, count: 1, slot: state.clock.nextSlot)
    // Its count of frames has begun anew.
    state.clock.forgetCount()
  }

  private var stalled: CaptureError {
    CaptureError(
      .deviceFailed,
      "\(plan.connection.device) delivers no frames any more; see its cable and power",
      recordingSuccessfullyFinished: true)
  }

  var signalIsLost: CaptureError {
    CaptureError(
      .signalLost, "\(plan.connection.device) lost its signal", recordingSuccessfullyFinished: true)
  }

  /// Puts the last frame, or a slate, into the slots that have passed.
  private func fill(_ state: inout State, now: Int64) {
    guard let timeline = state.clock.timeline else { return }
    let instant = MediaTime(value: now, timescale: 1_000_000_000)
    let passed = (instant - timeline.instant).seconds + timeline.place.seconds - Self.fillDelay
    guard passed.isFinite else { return }
    let first = state.clock.nextSlot
    // A source whose clock jumped says nothing of how long it was away: never more than a day at once.
    let most = first.addingSaturating(Int64(saturating: 86_400 * plan.rate.framesPerSecond))
    var slot = min(Int64(saturating: passed * plan.rate.framesPerSecond), most)
    if let limit = state.frameLimit { slot = min(slot, limit) }
    guard slot > first else { return }
    do throws(AssetWriterError) {
      if plan.options.signalLossPolicy == .slate, !state.showsSlate {
        state.showsSlate = true
        // A layout that cannot be painted keeps its last frame.
        if let slate = Slate.sample(
          plan, slot: first, timecode: state.startTimecode?.advanced(by: first - state.origin))
        {
          _ = try pictures.appendImmediately(slate)
        }
      }
      try pictures.holdLastFrame(until: plan.rate.time(ofFrame: slot))
    } catch {
      finishUnwritten(&state, error)
      return
    }
    if state.filledFrom == nil { state.filledFrom = first }
    state.clock.skip(to: slot)
    state.lastSlot = slot - 1
    for index in state.sound.indices where state.sound[index].isDead {
      fillSound(&state, toSlot: slot, only: index)
    }
    if let limit = state.frameLimit, slot >= limit { reachLimit(&state) }
  }

  /// Books what was filled, now that frames come again, or that the take ends.
  func framesAreBack(_ state: inout State, at slot: Int64? = nil) {
    state.showsSlate = false
    guard let first = state.filledFrom else { return }
    state.filledFrom = nil
    let end = slot ?? state.clock.nextSlot
    state.lastSlot = max(state.lastSlot, end - 1)
    note(&state, .repeated, count: Int(end - first), slot: first)
  }

  // MARK: The disk

  /// Notices a disk that falls behind before frames are lost. On ``queue``.
  func checkDiskSpeed() {
    guard let track = writer.report.video.first, track.queueDepth > 0 else { return }
    let waiting = track.framesEncoded - (track.framesWritten - track.framesRepeated)
    state.withLock { state in
      let isBehind = waiting * 2 > track.queueDepth
      if isBehind, !state.isDiskBehind {
        note(&state, .diskBehind, .diskBusy, count: waiting, slot: state.clock.nextSlot)
      }
      state.isDiskBehind = isBehind
    }
  }

  var diskTooSlow: CaptureError {
    CaptureError(
      .outputFailed,
      "the disk of \(url.deletingLastPathComponent().path) is too slow"
        + (diskRate.map { ": it takes \(Int64($0) / 1_000_000) MB a second" } ?? "")
        + "; record elsewhere, or at a lower rate", recordingSuccessfullyFinished: true)
  }

  /// Bytes a second that the writing thread brings to the disk while it writes; nil before it did.
  var diskRate: Double? {
    let account = writer.report
    let seconds = account.writeTime.mean * Double(account.writeTime.count) / 1000
    let bytes =
      account.video.reduce(0) { $0 + $1.bytes } + account.audio.reduce(0) { $0 + $1.bytes }
    return seconds > 0.1 && bytes > 0 ? Double(bytes) / seconds : nil
  }
}
