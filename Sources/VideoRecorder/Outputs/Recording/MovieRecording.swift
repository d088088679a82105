import AssetWriter
import CaptureDevices
import Dispatch
import FoundationEssentials
package import MediaCore
import QuickTime
import Synchronization
import TakeReports

/// One take: from the moment it is armed to the finished file.
///
/// Video and audio arrive on the threads of their streams, which hand them to the writer without waiting. However
/// a take ends, it is finished on ``queue``: after a short wait for outstanding audio, the file is completed.
package final class MovieRecording: Sendable {
  struct State {
    var phase = RecordingPhase.armed
    var timeline: RecordingTimeline
    var account: TakeAccount
    var source: SourceWatch
    /// Why the previous run of standing by ended; nil if there was none.
    var lossStandingBy: RecordingReport.Incident.Kind?
    var audio: [AudioTrackRecording]
    var facts: TakeFacts
    /// The scheduling of the sources' threads that have delivered so far.
    var threads: [ThreadScheduling] = []
    var isDiskBehind = false
    /// The one of two places that was given up.
    var lostPlace: RecordingProgress.LostPlace?
    /// Messages about sidecars of a movie that was replaced.
    var staleSidecars: [String] = []
    var waiters: [CheckedContinuation<RecordingReport, Never>] = []
    /// Those who wait for the frame at which a take begins.
    var frameWaiters: [CheckedContinuation<Bool, Never>] = []
  }

  /// The owner's callbacks, made on ``queue`` in order.
  struct Observer: Sendable {
    var didStart: @Sendable (MovieRecording) -> Void
    var didPause: @Sendable (MovieRecording) -> Void = { _ in }
    var didResume: @Sendable (MovieRecording) -> Void = { _ in }
    /// Recording has stopped; the file is not complete yet.
    var willFinish: @Sendable (MovieRecording, CaptureError?) -> Void = { _, _ in }
    var didFinish: @Sendable (MovieRecording, RecordingReport, CaptureError?) -> Void
    /// One line of what happens to the files.
    var didNotice: @Sendable (String) -> Void = { _ in }
    /// A movie was begun, moved or ended. Called on a writing thread, which must not
    /// block.
    var didStepMovie: @Sendable (OpenMovies.Step) -> Void = { _ in }
    /// The path of a movie that is complete with its sidecar. Called on a separate queue.
    var didCompleteMovie: @Sendable (String) -> Void = { _ in }
  }

  package let plan: RecordingPlan
  let writer: AssetWriter
  let video: AssetWriterInput.SampleBufferReceiver
  let state: Mutex<State>
  /// The path of the movie that is being written. It has its own lock, because the writer sets it while
  /// ``state`` may be locked.
  let presentMovie = Mutex<String?>(nil)
  /// The movies that were begun and have not ended. A lock of its own, as above.
  let openMovies: Mutex<OpenMovies>
  /// Complete movies that are yet to be reported. A lock of its own, as above.
  let completedMovies = Mutex(CompletedMovies())
  let queue = DispatchQueue(label: "movie-recording")
  /// True once the take has ended. For a source that waits for room, and must not lock ``state``.
  let isOver = Atomic(false)
  let disks: DiskWatch
  let observer: Observer
  /// Writes the sidecars; nil where none are wanted.
  let sidecars: SidecarKeeper?
  /// Requested processors that the system refuses to pin threads to.
  let refusedProcessors: [Int]

  /// Creates the file; a recording that stands by only begins to encode.
  init(
    _ plan: RecordingPlan, isStandingBy: Bool = false, freeSpace: FreeSpace, observer: Observer
  ) throws(CaptureError) {
    let (writer, video, audio) = try plan.makeWriter()
    self.plan = plan
    self.writer = writer
    self.video = video
    self.disks = DiskWatch { folder in
      // Free and reserved space together, so that space does not seem to vanish when it is reserved.
      freeSpace.bytes(folder)?.addingSaturating(writer.reservedByteCount)
    }
    self.observer = observer
    self.openMovies = Mutex(OpenMovies(secondFolder: plan.options.secondFolder))
    self.sidecars = plan.sidecarKeeper
    self.refusedProcessors = plan.options.threads.refusedProcessors
    self.state = Mutex(
      State(
        timeline: RecordingTimeline(
          rate: plan.rate,
          extent: isStandingBy ? .standingBy : .take(origin: 0, limit: plan.frameLimit)),
        account: TakeAccount(rate: plan.rate),
        source: SourceWatch(at: MonotonicClock.now),
        audio: zip(plan.audio, audio).map { AudioTrackRecording($0, receiver: $1) },
        facts: TakeFacts(label: plan.options.label)))
    if !isStandingBy { try check(plan.url) }
    writer.segmentHandler = { [weak self] event in self?.keepSidecar(event) }
    do throws(AssetWriterError) {
      if isStandingBy {
        try writer.startPreRoll(plan.options.preRoll)
      } else {
        try writer.start()
      }
      try writer.startSession(atSourceTime: .zero)
    } catch {
      throw CaptureError(error)
    }
    watch()
  }

  /// The file, or the base of the names of several segments.
  var url: URL { writer.outputURL }

  // MARK: Requests

  /// Pauses. Does nothing unless a take is being recorded.
  func pause() {
    state.withLock { state in
      guard state.phase.isRecording, !state.timeline.isStandingBy else { return }
      state.phase = .paused
      state.wakeFrameWaiters()
      state.endRun(at: state.timeline.nextSlot)
      queue.async { [self] in observer.didPause(self) }
    }
  }

  /// Resumes with the next frame. Does nothing unless the take is paused.
  func resume() {
    state.withLock { state in
      guard state.phase.isPaused else { return }
      state.phase = .armed
      state.timeline.rebase()
      // No frames were expected during the pause; a loss of signal in it is yet to be reported.
      state.source.noteArrival(at: MonotonicClock.now)
      if !state.source.hasSignal, state.source.absence == nil {
        state.note(.signalLost, slot: state.timeline.nextSlot)
      }
      queue.async { [self] in observer.didResume(self) }
    }
  }

  /// Ends the take. Does nothing if it has ended.
  package func stop(_ end: RecordingReport.End, error: CaptureError? = nil) {
    state.withLock { finish(&$0, end, error: error) }
  }

  var isPaused: Bool { state.withLock { $0.phase.isPaused } }
  package var isActive: Bool { state.withLock { $0.phase.isActive } }
  /// When the first frame was taken, on the source's clock; invalid before there is one.
  var startPTS: MediaTime { state.withLock { $0.facts.startPTS } }
  var recordedDuration: MediaTime {
    state.withLock { state in
      let timeline = state.timeline
      return plan.rate.time(
        ofFrame: timeline.isStandingBy ? 0 : timeline.nextSlot - timeline.origin)
    }
  }

  /// Begins a new movie with the next frame.
  func startNewSegment() throws(CaptureError) {
    try state.withLock { state throws(CaptureError) in
      guard state.phase.isActive, state.timeline.hasBegun, !state.timeline.isStandingBy else {
        throw CaptureError(
          .invalidState, "nothing was recorded yet; a new segment begins after a frame")
      }
      do throws(AssetWriterError) { try writer.startNewSegment() } catch {
        throw CaptureError(error)
      }
    }
  }

  /// The timecode after the last frame so far; nil without timecode.
  package var endTimecode: Timecode? {
    state.withLock { $0.account.timecode(ofSlot: $0.timeline.nextSlot) }
  }

  /// Waits for the finished file.
  package func waitForReport() async -> RecordingReport {
    await withCheckedContinuation { continuation in
      let report = state.withLock { state -> RecordingReport? in
        if state.phase.report == nil { state.waiters.append(continuation) }
        return state.phase.report
      }
      if let report { continuation.resume(returning: report) }
    }
  }

  /// As ``waitForReport()``, and ends the take if the task is cancelled.
  package func waitForReportOrStop() async -> RecordingReport {
    await withTaskCancellationHandler {
      await waitForReport()
    } onCancel: {
      stop(.stopped)
    }
  }

  /// Reports the first frame, and has the system's clock checked. Called with the lock held, so
  /// that a pause is reported later.
  func tellStart() {
    queue.async { [self] in
      plan.options.readsClock? { [weak self] clock in
        self?.state.withLock { $0.facts.clock = clock }
      }
      observer.didStart(self)
      if let line = ThreadOptions.warning(ofRefused: refusedProcessors) { observer.didNotice(line) }
    }
  }

  // MARK: The end

  /// Closes the timeline. Called with the lock held, on any thread.
  func finish(_ state: inout State, _ end: RecordingReport.End, error: CaptureError?) {
    guard state.phase.isActive else { return }
    endFill(&state)
    if state.phase.isRecording { state.endRun(at: state.timeline.nextSlot) }
    state.phase = .draining(.init(end: end, error: error, wasPaused: state.phase.isPaused))
    state.wakeFrameWaiters()
    isOver.store(true, ordering: .releasing)
    video.wakeBlocked()
    if state.timeline.hasBegun, !state.timeline.isStandingBy {
      queue.async { [self] in observer.willFinish(self, error) }
    }
    awaitAudio(seen: state.audio.map(\.aligner.position), since: 0)
    finishIfDrained(&state)
  }

  /// As ``finish(_:_:error:)`` where the file could not be written.
  func finishUnwritten(_ state: inout State, _ error: AssetWriterError) {
    let error = CaptureError(error)
    finish(&state, .init(writingFailure: error), error: error)
  }

  /// Waits for audio as long as some arrives: with a busy machine or a large device buffer it may be seconds
  /// behind the video.
  private func awaitAudio(seen: [Int64], since waited: Double) {
    let patience = plan.audioPatience
    queue.asyncAfter(deadline: .now() + patience.silence) { [self] in
      let positions = state.withLock {
        $0.phase.isDraining ? $0.audio.map(\.aligner.position) : seen
      }
      let total = waited + patience.silence
      if positions == seen || total >= patience.total {
        completeFile()
      } else {
        awaitAudio(seen: positions, since: total)
      }
    }
  }

  /// Finishes at once if nothing is awaited any more.
  func finishIfDrained(_ state: inout State, force: Bool = false) {
    guard state.phase.isDraining else { return }
    if force || state.audio.allSatisfy(\.isComplete) { queue.async { [self] in completeFile() } }
  }

  /// Stops waiting for audio, because the session is over.
  func finishAtOnce() { state.withLock { finishIfDrained(&$0, force: true) } }

  /// Finishes the file, once, on ``queue``.
  private func completeFile() {
    let slots = state.withLock { state -> Int64? in
      guard state.phase.complete() else { return nil }
      // A take without frames has no audio either: what arrived was before its start.
      guard state.timeline.slots > 0 else { return 0 }
      for index in state.audio.indices { fillAudio(&state, index, toSlot: state.timeline.nextSlot) }
      return state.timeline.nextSlot
    }
    guard let slots else { return }
    guard slots > 0 else {
      writer.cancelWriting()
      conclude(writing: noFramesError, isValid: false)
      return
    }
    // A writer that has failed says so when it is closed.
    try? writer.endSession(atSourceTime: plan.rate.time(ofFrame: slots))
    Task { await closeWriter() }
  }

  /// Why there is no file.
  private var noFramesError: CaptureError {
    state.withLock { state in
      state.timeline.isStandingBy
        ? state.phase.ending?.error
          ?? CaptureError(.nothingRecorded, "the recording was ended before it was started")
        : CaptureError(
          .nothingRecorded,
          "no frame arrived, so \(url.lastPathComponent) was not made; check that the device "
            + "has a signal")
    }
  }

  private func closeWriter() async {
    do throws(AssetWriterError) {
      try await writer.finishWriting()
      queue.async { [self] in conclude(writing: nil, isValid: true) }
    } catch {
      queue.async { [self] in
        conclude(writing: CaptureError(error), isValid: error.recordingSuccessfullyFinished)
      }
    }
  }

  /// Resumes everyone who waits for the report.
  private func conclude(writing failure: CaptureError?, isValid: Bool) {
    let (account, reason) = state.withLock { state in
      var ending = state.phase.ending ?? .init(end: .stopped)
      if let failure { ending.fail(failure, isOfTake: state.timeline.slots > 0) }
      state.phase = .completing(ending)
      return (makeReport(&state, ending, isValid: isValid), ending.error)
    }
    let report = completeSidecars(of: account)
    tellCompletedMovies(completedMovies.withLock { $0.end() })
    let waiters = state.withLock { state in
      state.phase = .finished(report)
      defer { state.waiters = [] }
      return state.waiters
    }
    // The error that Apple's delegate gets: nil where the end was asked for.
    var error = reason
    error?.recordingSuccessfullyFinished = isValid
    observer.didFinish(self, report, error)
    for waiter in waiters { waiter.resume(returning: report) }
  }
}

extension MovieRecording.State {
  /// Ends the run of recorded frames before a slot.
  mutating func endRun(at slot: Int64) {
    for index in audio.indices { audio[index].endRun(at: slot, rate: timeline.rate) }
  }

  /// Notes what happened at a slot.
  mutating func note(
    _ kind: RecordingReport.Incident.Kind, _ reason: DropReason? = nil, count: Int = 1, slot: Int64
  ) {
    account.note(kind, reason, count: count, slot: slot)
  }

  /// Counts frames that are missing.
  mutating func drop(_ reason: DropReason, count: Int, slot: Int64) {
    account.drop(reason, count: count, slot: slot, limit: timeline.limit)
  }
}
