import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
import TakeReports
#endif

extension MovieRecording {
  /// Takes an event of the pictures' stream, on its thread.
  func receivePictures(_ event: CaptureEvent) {
    switch event {
    case .sample(let sample):
      if !plan.connection.isRealTime { waitForRoom() }
      take(sample)
    case .lost(let count, let reason, let time): lost(count, reason, at: time)
    case .signalLost: signalChanged(isPresent: false)
    case .signalRestored: signalChanged(isPresent: true)
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

  private func take(_ sample: SampleBuffer) {
    var didStart = false
    state.withLock { state in
      switch state.phase {
      case .draining, .finished: return
      case .paused:
        state.frames.skippedInPause += 1
        return
      case .armed, .recording: break
      }
      state.lastArrival = MonotonicClock.now
      guard state.hasSignal else { return }
      sourceIsBack(&state)
      state.frames.received += 1
      didStart = state.lastSlot < 0 && state.phase == .armed && !state.standsBy
      if state.lastSlot < 0 && state.phase == .armed { state.threads.append(.current) }
      place(sample, &state)
    }
    if didStart { queue.async { [self] in observer.didStart(self) } }
  }

  private func place(_ sample: SampleBuffer, _ state: inout State) {
    let time = sample.presentationTimeStamp
    let expected = state.clock.nextSlot
    switch state.clock.place(time: time, sequence: sample.attachments.sequenceNumber) {
    case .duplicate:
      drop(&state, .discontinuity, count: 1, slot: expected)
    case .restarted(let slot):
      note(&state, .timeJumped, count: 1, slot: slot)
      for index in state.sound.indices {
        let rate = state.sound[index].format.sampleRate
        state.sound[index].aligner.end(fileEnd: plan.samples(toSlot: slot, rate: rate))
      }
      beginRun(&state, at: time, slot: slot)
      append(sample, at: slot, &state)
    case .slot(let slot, let missing):
      if state.phase == .armed {
        if state.lastSlot < 0 { begin(&state, sample) }
        beginRun(&state, at: time, slot: slot)
        state.phase = .recording
      }
      // What is missing where the timeline was filled belongs to the interruption.
      let unexplained = state.filledFrom == nil ? max(0, missing - state.announcedLoss) : 0
      if unexplained > 0 {
        drop(&state, .timestampGap, count: Int(unexplained), slot: slot - unexplained)
      }
      state.announcedLoss = 0
      framesAreBack(&state, at: slot)
      if let timeline = state.clock.timeline {
        for index in state.sound.indices { state.sound[index].aligner.follow(timeline) }
      }
      append(sample, at: slot, &state)
    }
  }

  /// The very first frame: now timecode and date are known.
  private func begin(_ state: inout State, _ sample: SampleBuffer) {
    let now = unixTime(of: sample.presentationTimeStamp)
    state.startDate = MovieMetadata.dateText(unixTime: Int64(now.rounded(.down)))
    if !state.standsBy { describe(state, began: now) }
    state.startTime = sample.presentationTimeStamp.seconds
    switch plan.options.timecodeSource {
    case .none: state.startTimecode = nil
    case .start(let timecode): state.startTimecode = state.markedAddress ?? timecode
    case .running(let timecode, let since):
      let passed = plan.rate.frameIndex(nearest: sample.presentationTimeStamp - since)
      state.startTimecode = timecode.advanced(by: max(passed ?? 0, 0))
    case .timeOfDay: state.startTimecode = Timecode(timeOfDay: now, rate: plan.rate)
    case .source:
      state.startTimecode =
        sample.attachments.timecode
        ?? Timecode(frameNumber: 0, format: TimecodeFormat(standardFor: plan.rate))
    }
  }

  /// When a frame was exposed, in seconds since 1970 UTC; now for a source that is not live.
  func unixTime(of time: MediaTime) -> Double {
    let now = Date().timeIntervalSince1970
    guard plan.connection.isRealTime else { return now }
    let age = Double(MonotonicClock.now) * 1e-9 - time.seconds
    return age.magnitude < FrameClock.longestGap ? now - age : now
  }

  /// Puts into the movie what is known of the take when it begins.
  func describe(_ state: State, began unixTime: Double) {
    writer.creationTime = Int64(unixTime.rounded(.down))
    writer.metadata = plan.metadata(
      label: state.label, identifier: plan.takeIdentifier, began: unixTime)
  }

  private func beginRun(_ state: inout State, at time: MediaTime, slot: Int64) {
    for index in state.sound.indices {
      let start = plan.samples(toSlot: slot, rate: state.sound[index].format.sampleRate)
      let pieces = state.sound[index].aligner.begin(sourceStart: time, fileStart: start)
      write(pieces, track: index, &state)
    }
  }

  private func append(_ sample: SampleBuffer, at slot: Int64, _ state: inout State) {
    if !state.standsBy, let limit = state.frameLimit, slot >= limit {
      // Frames before the limit are missing: they are made up, and this one lies behind it and is
      // none of the take.
      state.clock = FrameClock(rate: plan.rate, firstSlot: limit)
      state.frames.received -= 1
      reachLimit(&state)
      return
    }
    if sample.attachments.isDamaged {
      state.frames.damaged += 1
      note(&state, .damaged, count: 1, slot: slot)
    }
    var placed = sample
    placed.presentationTimeStamp = plan.rate.time(ofFrame: slot)
    placed.duration = plan.rate.frameDuration
    placed.attachments.timecode = state.startTimecode?.advanced(by: slot - state.origin)
    if plan.connection.isRealTime { placed.attachments.captureTime = sample.presentationTimeStamp }
    do throws(AssetWriterError) {
      if try pictures.appendImmediately(placed) {
        state.frames.encoded += 1
        didAppend(slot, &state)
      } else {
        let reason = busyReason
        drop(&state, reason, count: 1, slot: slot)
        if reason == .diskBusy, plan.options.slowDiskPolicy == .finish {
          finish(&state, .diskTooSlow, error: diskTooSlow)
          return
        }
      }
    } catch {
      refuse(error, slot: slot, &state)
      return
    }
    for index in state.sound.indices where state.sound[index].isDead {
      fillSound(&state, toSlot: slot + 1, only: index)
    }
    if state.standsBy {
      return
    } else if let limit = state.frameLimit, slot + 1 >= limit {
      reachLimit(&state)
    } else if isFileFull(state) {
      finish(
        &state, .maximumFileSizeReached,
        error: CaptureError(
          .maximumFileSizeReached,
          "the file is as large as it may be, \(plan.options.maxRecordedFileSize) bytes",
          recordingSuccessfullyFinished: true))
    }
  }

  private func didAppend(_ slot: Int64, _ state: inout State) {
    let empty = slot - state.lastSlot - 1
    state.lastSlot = slot
    guard empty > 0, plan.options.gapPolicy == .repeatPreviousFrame else { return }
    state.frames.repeated += Int(empty)
    note(&state, .repeated, count: Int(empty), slot: slot - empty)
  }

  private func refuse(_ error: AssetWriterError, slot: Int64, _ state: inout State) {
    switch error.code {
    case .timeNotIncreasing, .invalidTime: drop(&state, .discontinuity, count: 1, slot: slot)
    case .formatMismatch:
      drop(&state, .discontinuity, count: 1, slot: slot)
      finish(&state, .formatChanged, error: CaptureError(error))
    default:
      drop(&state, .notWritten, count: 1, slot: slot)
      finishUnwritten(&state, error)
    }
  }

  func reachLimit(_ state: inout State) {
    finish(
      &state, .maximumDurationReached,
      error: CaptureError(
        .maximumDurationReached, "the recording is as long as it was to be",
        recordingSuccessfullyFinished: true))
  }

  /// True where the next frame could be too much, those on their way counted at the size of the
  /// largest so far.
  private func isFileFull(_ state: State) -> Bool {
    let limit = plan.options.maxRecordedFileSize
    guard limit > 0 else { return false }
    let account = writer.report
    guard let track = account.video.first else { return false }
    let onTheWay = Int64(state.frames.encoded + state.frames.repeated - track.framesWritten)
    let frame = Int64(track.largestFrame > 0 ? track.largestFrame : track.targetFrameBytes)
    let written = track.bytes + account.audio.reduce(0) { $0 + $1.bytes }
    // Sound may wait for a second of pictures; the index takes a few bytes a frame.
    let sound = state.sound.reduce(0) { $0 + Int64($1.format.sampleRate * $1.format.bytesPerFrame) }
    let index = 16_384 + 64 * (state.clock.nextSlot - state.origin)
    return written + (onTheWay + 1) * frame + sound + index > limit
  }

  /// Whether the encoder or the disk is what the queue waits for.
  private var busyReason: DropReason {
    guard let track = writer.report.video.first else { return .encoderBusy }
    let waiting = track.framesAppended - track.framesTrimmed - track.framesEncoded
    return waiting > track.pictureQueueDepth / 2 ? .encoderBusy : .diskBusy
  }

  /// A source that can wait is made to, for a while.
  private func waitForRoom() {
    for _ in 0..<30_000 {
      guard !pictureInput.isReadyForMoreMediaData, writer.status == .writing, isActive else {
        return
      }
      usleep(1000)
    }
  }

  // MARK: Losses and signals

  private func lost(_ count: Int, _ reason: DropReason, at time: MediaTime) {
    guard count > 0 else { return }
    state.withLock { state in
      guard state.phase == .recording, state.hasSignal else { return }
      let slot = state.clock.nextSlot + state.announcedLoss
      state.announcedLoss += Int64(count)
      drop(&state, reason, count: count, slot: slot)
    }
  }

  private func signalChanged(isPresent: Bool) {
    state.withLock { state in
      guard state.hasSignal != isPresent else { return }
      state.hasSignal = isPresent
      guard state.phase == .recording || state.phase == .armed else { return }
      note(
        &state, isPresent ? .signalRestored : .signalLost, count: 1, slot: state.clock.nextSlot)
      state.lastArrival = MonotonicClock.now
      guard !isPresent, plan.options.signalLossPolicy == .finish, state.lastSlot >= 0,
        !state.standsBy
      else { return }
      finish(&state, .signalLost, error: signalIsLost)
    }
  }

  // MARK: Accounts

  /// Books missing frames; those beyond the recording's end are none of it.
  func drop(_ state: inout State, _ reason: DropReason, count: Int, slot: Int64) {
    let limit = state.standsBy ? nil : state.frameLimit
    let room = limit.map { Int(max(0, $0 - slot)) } ?? count
    let count = min(count, room)
    guard count > 0 else { return }
    state.frames.dropped += count
    state.frames.droppedByReason[reason.rawValue, default: 0] += count
    note(&state, .dropped, reason, count: count, slot: slot)
  }

  func note(
    _ state: inout State, _ kind: RecordingReport.Incident.Kind, _ reason: DropReason? = nil,
    count: Int, slot: Int64, lasting duration: Double? = nil
  ) {
    forgetIncidents(&state)
    guard state.incidents.count < RecordingReport.incidentLimit else {
      state.incidentsOmitted += 1
      return
    }
    state.incidents.append(
      RecordingReport.Incident(
        kind: kind, reason: reason, count: count, frame: slot - state.origin,
        timecode: state.startTimecode?.advanced(by: slot - state.origin).description,
        seconds: plan.rate.time(ofFrame: slot - state.origin).seconds, duration: duration))
  }
}
