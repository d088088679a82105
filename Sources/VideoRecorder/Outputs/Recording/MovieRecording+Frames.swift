import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// Video: each frame gets its slot, and goes to the writer with it.
extension MovieRecording {
  /// Takes an event of the video stream, on its thread.
  func receiveFrames(_ event: CaptureEvent) {
    switch event {
    case .sample(let sample):
      // Hold up a source that can wait.
      if !plan.isRealTime {
        video.blockUntilReady(unless: { isOver.load(ordering: .acquiring) })
      }
      receive(sample)
    case .lost(let count, let reason, let time): lost(count, reason, at: time)
    case .signalLost: state.withLock { setSignal(&$0, isPresent: false) }
    case .signalRestored: state.withLock { setSignal(&$0, isPresent: true) }
    case .formatChanged:
      stop(
        .formatChanged,
        error: CaptureError(
          .formatChanged, "the signal of \(plan.connection.device) changed its format",
          recordingSuccessfullyFinished: true))
    case .ended: stop(.sourceEnded)
    case .failed(let error): deviceFailed(error)
    }
  }

  // MARK: Frames

  private func receive(_ sample: SampleBuffer) {
    state.withLock { state in
      switch state.phase {
      case .draining, .completing, .finished: return
      case .paused:
        state.account.frames.skippedInPause += 1
        state.source.noteArrival(at: MonotonicClock.now)
        if state.source.hasSignal { sourceIsBack(&state) }
        return
      case .armed, .recording: break
      }
      let now = MonotonicClock.now
      noticeSilenceStandingBy(&state, now: now)
      // The arrival times of a source that can wait say nothing about its time stamps.
      let silence = plan.isRealTime ? state.source.silence(at: now) : 0
      state.source.noteArrival(at: now)
      guard state.source.hasSignal else { return }
      sourceIsBack(&state)
      state.account.frames.received += 1
      let isFirst = !state.timeline.hasBegun && state.phase.isArmed
      if isFirst, state.facts.startTime == nil { state.threads.append(.current) }
      place(sample, behind: silence, &state)
      state.forgetIncidents(keeping: plan.options.preRollDuration)
      state.wakeFrameWaiters()
      if isFirst, !state.timeline.isStandingBy { tellStart() }
    }
  }

  /// - Parameter silence: Seconds for which nothing came before it.
  private func place(_ sample: SampleBuffer, behind silence: Double, _ state: inout State) {
    let time = sample.presentationTimeStamp
    let expected = state.timeline.nextSlot
    let placement = state.timeline.place(
      time: time, sequence: sample.attachments.sequenceNumber, silence: silence)
    switch placement {
    case .duplicate: state.drop(.discontinuity, count: 1, slot: expected)
    case .restarted(let slot) where state.timeline.isStandingBy:
      endRunStandingBy(&state, by: .timeJumped, at: slot)
      place(sample, behind: silence, &state)
    case .restarted(let slot):
      endFill(&state, at: slot)
      state.note(.timeJumped, slot: slot)
      state.endRun(at: slot)
      beginRun(&state, at: time, slot: slot)
      append(sample, at: slot, &state)
    case .slot(let slot, let unexplained):
      if state.phase.isArmed {
        if !state.timeline.hasBegun { begin(&state, sample, slot: slot) }
        beginRun(&state, at: time, slot: slot)
        state.phase = .recording
      }
      if state.timeline.isStandingBy, plan.options.timecodeSource == .source,
        let timecode = sample.attachments.timecode
      {
        // It may be changed while the recording stands by: the last value counts.
        state.account.setTimecode(timecode, ofSlot: slot)
      }
      if unexplained > 0 {
        state.drop(.timestampGap, count: Int(unexplained), slot: slot - unexplained)
      }
      endFill(&state, at: slot)
      if let timeline = state.timeline.source {
        for index in state.audio.indices { state.audio[index].follow(timeline) }
      }
      append(sample, at: slot, &state)
    }
  }

  /// The first frame of a take, or of a run of standing by: now timecode and date are known.
  private func begin(_ state: inout State, _ sample: SampleBuffer, slot: Int64) {
    let now = unixTime(of: sample.presentationTimeStamp)
    state.facts.begin(unixTime: now)
    if !state.timeline.isStandingBy { describe(state.facts.label, began: now) }
    state.facts.startTime = sample.presentationTimeStamp.seconds
    if !state.timeline.isStandingBy {
      state.facts.firstFrameTime = state.facts.startTime
      state.facts.startFrameTime = state.facts.startTime
    }
    state.facts.startPTS = sample.presentationTimeStamp
    let timecode: Timecode? =
      switch plan.options.timecodeSource {
      case .none: nil
      case .start(let timecode): state.facts.markedAddress ?? timecode
      case .running(let timecode, let since):
        address(at: sample.presentationTimeStamp, running: timecode, since: since)
      case .timeOfDay: Timecode(timeOfDay: now, rate: plan.rate)
      case .source:
        sample.attachments.timecode
          ?? Timecode(frameNumber: 0, format: TimecodeFormat(standardFor: plan.rate))
      }
    state.account.setTimecode(timecode, ofSlot: slot)
    if !state.timeline.isStandingBy { state.facts.startFrameTimecode = state.account.startTimecode }
  }

  /// The timecode at one instant of the source's clock, given the timecode at another.
  func address(at time: MediaTime, running timecode: Timecode, since: MediaTime) -> Timecode {
    timecode.advanced(by: max(plan.rate.frameIndex(nearest: time - since) ?? 0, 0))
  }

  /// When a frame was exposed, in seconds since 1970 UTC; now for a source that is not live.
  func unixTime(of time: MediaTime) -> Double {
    let now = Date().timeIntervalSince1970
    guard plan.isRealTime else { return now }
    let age = Double(MonotonicClock.now) * 1e-9 - time.seconds
    return age.magnitude < FrameClock.longestGap ? now - age : now
  }

  /// Writes into the movie what is known about the take at its beginning.
  func describe(_ label: TakeLabel, began unixTime: Double) {
    writer.creationTime = Int64(unixTime.rounded(.down))
    writer.metadata = plan.metadata(
      label: label, identifier: plan.takeIdentifier, began: unixTime)
  }

  func beginRun(_ state: inout State, at time: MediaTime, slot: Int64) {
    for index in state.audio.indices {
      let pieces = state.audio[index].beginRun(at: time, slot: slot, rate: plan.rate)
      write(pieces, track: index, &state)
    }
  }

  private func append(_ sample: SampleBuffer, at slot: Int64, _ state: inout State) {
    guard !state.timeline.isBehindTake(slot) else {
      // This frame is past the take's limit. Frames before the limit are missing, and are filled.
      state.timeline.endAtLimit()
      state.account.frames.received -= 1
      return reachLimit(&state)
    }
    if sample.attachments.isDamaged {
      state.account.frames.damaged += 1
      state.note(.damaged, slot: slot)
    }
    var placed = sample
    placed.duration = plan.rate.frameDuration
    placed.attachments.timecode = state.account.timecode(ofSlot: slot)
    if plan.isRealTime { placed.attachments.captureTime = sample.presentationTimeStamp }
    do throws(AssetWriterError) {
      if let gap = try video.appendImmediately(placed, slot: slot) {
        didAppend(slot, gap: gap, &state)
      } else {
        refuse(&state, slot: slot)
        guard state.phase.isActive else { return }
      }
    } catch {
      return refuse(&state, slot: slot, error)
    }
    fillEndedAudio(&state, toSlot: slot + 1)
    if state.timeline.isStandingBy {
      return
    } else if state.timeline.isBehindTake(slot + 1) {
      reachLimit(&state)
    } else if isFileFull(state) {
      finish(
        &state, .maximumFileSizeReached,
        error: CaptureError(
          .maximumFileSizeReached,
          "the file has reached its maximum size, \(plan.options.maxRecordedFileSize) bytes",
          recordingSuccessfullyFinished: true))
    }
  }

  /// - Parameter gap: Slots before it that the writer fills with the frame before.
  private func didAppend(_ slot: Int64, gap: Int64, _ state: inout State) {
    state.account.frames.encoded += 1
    // The slots of an interruption were recorded together when it ended.
    let gap = min(gap, slot - state.timeline.lastSlot - 1)
    state.timeline.didAppend(slot)
    guard gap > 0, plan.options.gapPolicy == .repeatPreviousFrame else { return }
    state.note(.repeated, count: Int(clamping: gap), slot: slot - gap)
  }

  /// Drops a frame for which the queue has no room, because of the encoder or the disk.
  private func refuse(_ state: inout State, slot: Int64) {
    let isEncoder =
      writer.videoFlow.map { $0.framesAwaitingEncoder > $0.pictureQueueDepth / 2 } ?? true
    state.drop(isEncoder ? .encoderBusy : .diskBusy, count: 1, slot: slot)
    if !isEncoder, plan.options.slowDiskPolicy == .finish {
      finish(&state, .diskTooSlow, error: diskTooSlow)
    }
  }

  private func refuse(_ state: inout State, slot: Int64, _ error: AssetWriterError) {
    switch error.code {
    case .timeNotIncreasing, .invalidTime: state.drop(.discontinuity, count: 1, slot: slot)
    case .formatMismatch:
      state.drop(.discontinuity, count: 1, slot: slot)
      finish(&state, .formatChanged, error: CaptureError(error))
    default:
      state.drop(.notWritten, count: 1, slot: slot)
      finishUnwritten(&state, error)
    }
  }

  func reachLimit(_ state: inout State) {
    finish(
      &state, .maximumDurationReached,
      error: CaptureError(
        .maximumDurationReached, "the recording reached the requested duration",
        recordingSuccessfullyFinished: true))
  }

  /// True if the next frame could exceed the limit, assuming that queued frames are as large as the
  /// largest so far.
  private func isFileFull(_ state: State) -> Bool {
    let limit = plan.options.maxRecordedFileSize
    guard limit > 0, let flow = writer.videoFlow else { return false }
    let written = flow.writtenBytes + writer.writtenAudioBytes
    // Audio may wait for a second of video; the index takes a few bytes a frame.
    let audio = state.audio.reduce(0) { $0 + Int64($1.format.sampleRate * $1.format.bytesPerFrame) }
    let index = 16_384 + 64 * (state.timeline.nextSlot - state.timeline.origin)
    return written + Int64(flow.framesOnTheWay + 1) * Int64(flow.largestFrame) + audio + index
      > limit
  }

  // MARK: Losses and signals

  private func lost(_ count: Int, _ reason: DropReason, at time: MediaTime) {
    guard count > 0 else { return }
    state.withLock { state in
      guard state.phase.isRecording, state.source.hasSignal else { return }
      state.drop(reason, count: count, slot: state.timeline.announceLoss(count))
    }
  }

  /// Takes in that there is a signal or none; does nothing where that is known.
  func setSignal(_ state: inout State, isPresent: Bool) {
    guard state.source.setSignal(isPresent), state.phase.isArmed || state.phase.isRecording else {
      return
    }
    state.wakeFrameWaiters()
    state.source.noteArrival(at: MonotonicClock.now)
    guard !state.timeline.isStandingBy else {
      if !isPresent { endRunStandingBy(&state, by: .signalLost) }
      return
    }
    state.note(isPresent ? .signalRestored : .signalLost, slot: state.timeline.nextSlot)
    guard !isPresent, plan.options.signalLossPolicy == .finish, state.timeline.hasBegun
    else { return }
    finish(&state, .signalLost, error: signalIsLost)
  }
}
