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
/// Pictures and sound come on the threads of their streams and are handed to the writer there,
/// without waiting. The end, whatever brings it, is worked on ``queue``: what sound still lacks is
/// awaited for a moment, then the file is finished.
package final class MovieRecording: Sendable {
  /// Where the take stands.
  enum Phase: Sendable {
    /// Waits for the first frame, or the first after a pause.
    case armed
    case recording
    case paused
    /// Ended; sound up to the last frame may still come.
    case draining
    case finished
  }

  /// One source of sound on its way to the writer.
  struct SoundTrack {
    let connection: CaptureConnection
    let format: AudioFormat
    let receiver: AssetWriterInput.SampleBufferReceiver
    var aligner: AudioAligner
    var meter: AudioMeter
    var recentMeter: AudioMeter
    var account: RecordingReport.Sound
    /// True once something came.
    var hasBegun = false
    /// True once nothing comes any more: the rest is silence.
    var isDead = false
    /// True once the report says so.
    var endIsNoted = false
  }

  struct State {
    var phase = Phase.armed
    var clock: FrameClock
    /// The last slot that the writer has a frame for; -1 for none.
    var lastSlot: Int64 = -1
    /// Frames whose loss the device told of, and whose empty slots were not seen yet.
    var announcedLoss: Int64 = 0
    var frames = RecordingReport.Frames()
    var sound: [SoundTrack]
    var incidents: [RecordingReport.Incident] = []
    var incidentsOmitted = 0
    /// How the threads of the sources are scheduled, as far as one has delivered.
    var threads: [ThreadScheduling] = []
    var startTimecode: Timecode?
    /// The address that a mark gives a take that begins before its first frame has come.
    var markedAddress: Timecode?
    var startDate: String?
    var startTime: Double?
    /// What the take is called.
    var label: TakeLabel
    var hasSignal = true
    /// When the last event of the pictures' stream came, in nanoseconds.
    var lastArrival: Int64 = 0
    /// The source's absence, while it is bridged.
    var absence: Absence?
    /// The first of the slots that were filled while nothing came; nil where frames come.
    var filledFrom: Int64?
    var showsSlate = false
    var isDiskBehind = false
    /// True while nothing is written yet: what comes is kept, and the oldest let go.
    var standsBy: Bool
    /// The slot of the file's first frame.
    var origin: Int64 = 0
    /// The slot at which the recording is full.
    var frameLimit: Int64?
    var end = RecordingReport.End.stopped
    var endError: CaptureError?
    /// True once finishing the file was begun.
    var isFinishing = false
    var waiters: [CheckedContinuation<RecordingReport, Never>] = []
    var report: RecordingReport?
  }

  /// A source that gives nothing, and for which the last frame or a slate stands.
  struct Absence: Sendable {
    /// When it began, in nanoseconds.
    var since: Int64
    /// True where the device itself is gone.
    var isOfDevice = false
    /// How the take ends where the source does not come back in time.
    var end: RecordingReport.End
    var error: CaptureError
  }

  /// What the owner wants to hear, on ``queue``.
  struct Observer: Sendable {
    var didStart: @Sendable (MovieRecording) -> Void
    var didFinish: @Sendable (MovieRecording, RecordingReport, CaptureError?) -> Void
    /// One line of what happens to the files.
    var didNotice: @Sendable (String) -> Void = { _ in }
  }

  /// Seconds without any sound after which its end is not awaited any longer.
  static let drainTime = 1.0
  /// Seconds for which the end of the sound is awaited at most.
  static let longestDrainTime = 10.0

  package let plan: RecordingPlan
  let writer: AssetWriter
  let pictureInput: AssetWriterInput
  let pictures: AssetWriterInput.SampleBufferReceiver
  let state: Mutex<State>
  /// The path of the movie that is being written. Has a lock of its own: the writer tells it while
  /// ``state`` may be locked.
  let presentMovie = Mutex<String?>(nil)
  let queue = DispatchQueue(label: "movie-recording")
  let freeSpace: FreeSpace
  let observer: Observer
  /// Writes the sidecars; nil where none are wanted.
  let sidecars: SidecarKeeper?

  /// Makes the file, or, where the recording stands by, only begins to encode.
  init(
    _ plan: RecordingPlan, standsBy: Bool = false, freeSpace: FreeSpace, observer: Observer
  ) throws(CaptureError) {
    let (writer, pictureInput, sound) = try plan.makeWriter()
    self.plan = plan
    self.writer = writer
    self.pictureInput = pictureInput
    do throws(AssetWriterError) {
      self.pictures = try writer.inputReceiver(for: pictureInput)
    } catch {
      throw CaptureError(error)
    }
    self.freeSpace = freeSpace
    self.observer = observer
    self.sidecars = plan.sidecarKeeper
    self.state = Mutex(
      State(
        clock: FrameClock(rate: plan.rate),
        sound: zip(plan.sound, sound).map { source, receiver in
          SoundTrack(
            connection: source.connection, format: source.format, receiver: receiver,
            aligner: AudioAligner(format: source.format),
            meter: AudioMeter(channelCount: source.format.channelCount),
            recentMeter: AudioMeter(channelCount: source.format.channelCount),
            account: RecordingReport.Sound(source, rate: source.format),
            isDead: !source.connection.isActive)
        }, label: plan.options.label, standsBy: standsBy, frameLimit: plan.frameLimit))
    if !standsBy { try check(plan.url) }
    writer.segmentHandler = { [weak self] event in self?.keepSidecar(event) }
    do throws(AssetWriterError) {
      if standsBy {
        try writer.startPreRoll(plan.options.preRoll)
      } else {
        try writer.start()
      }
      try writer.startSession(atSourceTime: .zero)
    } catch {
      throw CaptureError(error)
    }
    if !standsBy { watchDisk() }
  }

  /// The file; the name from which its segments' come, where there are several.
  var url: URL { writer.outputURL }

  // MARK: Requests

  /// Leaves out what comes from now on.
  ///
  /// - Returns: False where nothing is being recorded.
  func pause() -> Bool {
    state.withLock { state in
      guard state.phase == .recording else { return false }
      state.phase = .paused
      endRun(&state)
      return true
    }
  }

  /// Records again from the next frame on.
  ///
  /// - Returns: False where there is no pause.
  func resume() -> Bool {
    state.withLock { state in
      guard state.phase == .paused else { return false }
      state.phase = .armed
      state.clock.rebase()
      state.announcedLoss = 0
      return true
    }
  }

  /// Ends the take; does nothing where it has ended.
  package func stop(_ end: RecordingReport.End, error: CaptureError? = nil) {
    state.withLock { finish(&$0, end, error: error) }
  }

  var isPaused: Bool { state.withLock { $0.phase == .paused } }
  package var isActive: Bool {
    state.withLock { $0.phase != .draining && $0.phase != .finished }
  }
  var recordedDuration: MediaTime {
    state.withLock { plan.rate.time(ofFrame: $0.standsBy ? 0 : $0.clock.nextSlot - $0.origin) }
  }

  /// Lets the next frame begin a new movie.
  func startNewSegment() throws(CaptureError) {
    try state.withLock { state throws(CaptureError) in
      guard state.phase != .draining, state.phase != .finished, state.lastSlot >= 0, !state.standsBy
      else {
        throw CaptureError(
          .invalidState, "nothing was recorded yet; a new segment begins after a frame")
      }
      do throws(AssetWriterError) { try writer.startNewSegment() } catch {
        throw CaptureError(error)
      }
    }
  }

  /// The address behind the last frame so far; nil without timecode.
  package var endTimecode: Timecode? {
    state.withLock { $0.startTimecode?.advanced(by: $0.clock.nextSlot - $0.origin) }
  }

  /// Waits for the finished file.
  package func waitForReport() async -> RecordingReport {
    await withCheckedContinuation { continuation in
      let report = state.withLock { state -> RecordingReport? in
        if state.report == nil { state.waiters.append(continuation) }
        return state.report
      }
      if let report { continuation.resume(returning: report) }
    }
  }

  /// As ``waitForReport()``; ends the take where the task is cancelled.
  package func waitForReportOrStop() async -> RecordingReport {
    await withTaskCancellationHandler {
      await waitForReport()
    } onCancel: {
      stop(.stopped)
    }
  }

  // MARK: The end

  /// Closes the timeline. Called with the lock held, on any thread.
  func finish(_ state: inout State, _ end: RecordingReport.End, error: CaptureError?) {
    guard state.phase != .draining, state.phase != .finished else { return }
    framesAreBack(&state)
    if state.phase == .recording { endRun(&state) }
    state.phase = .draining
    state.end = end
    state.endError = error
    awaitSound(seen: state.sound.map(\.aligner.position), since: 0)
    finishIfDrained(&state)
  }

  /// As ``finish(_:_:error:)`` where the file could not be written.
  func finishUnwritten(_ state: inout State, _ error: AssetWriterError) {
    let error = CaptureError(error)
    finish(&state, .init(writingFailure: error), error: error)
  }

  /// Waits for sound as long as some comes: a busy machine or a large device buffer may be seconds
  /// behind the pictures.
  private func awaitSound(seen: [Int64], since waited: Double) {
    queue.asyncAfter(deadline: .now() + Self.drainTime) { [self] in
      let positions = state.withLock { $0.isFinishing ? seen : $0.sound.map(\.aligner.position) }
      let total = waited + Self.drainTime
      if positions == seen || total >= Self.longestDrainTime {
        completeFile()
      } else {
        awaitSound(seen: positions, since: total)
      }
    }
  }

  /// Hurries the end where nothing is awaited any more.
  func finishIfDrained(_ state: inout State, force: Bool = false) {
    guard state.phase == .draining else { return }
    let isWaiting = state.sound.contains { !$0.aligner.isComplete && !$0.isDead }
    if force || !isWaiting { queue.async { [self] in completeFile() } }
  }

  /// The session is over: no sound will come.
  func finishAtOnce() { state.withLock { finishIfDrained(&$0, force: true) } }

  private func endRun(_ state: inout State) {
    for index in state.sound.indices {
      let rate = state.sound[index].format.sampleRate
      state.sound[index].aligner.end(
        fileEnd: plan.samples(toSlot: state.clock.nextSlot, rate: rate))
    }
  }

  /// Finishes the file, once, on ``queue``.
  private func completeFile() {
    let slots = state.withLock { state -> Int64? in
      guard !state.isFinishing else { return nil }
      state.isFinishing = true
      state.phase = .finished
      if state.lastSlot >= 0 { fillSound(&state, toSlot: state.clock.nextSlot) }
      return state.lastSlot < 0 || state.standsBy ? 0 : state.clock.nextSlot
    }
    guard let slots else { return }
    guard slots > 0 else {
      writer.cancelWriting()
      conclude(writing: emptiness, isValid: false)
      return
    }
    try? writer.endSession(atSourceTime: plan.rate.time(ofFrame: slots))
    Task { await closeWriter() }
  }

  /// Why there is no file.
  private var emptiness: CaptureError {
    state.withLock { state in
      state.standsBy
        ? state.endError
          ?? CaptureError(.outputFailed, "the recording was ended before it was started")
        : CaptureError(
          .outputFailed,
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

  /// Tells everybody who waits.
  private func conclude(writing failure: CaptureError?, isValid: Bool) {
    let (account, error) = state.withLock { state in
      if let failure, state.end.isIntended || state.endError == nil {
        if state.lastSlot >= 0 {
          state.end = RecordingReport.End(writingFailure: failure)
        }
        state.endError = failure
      }
      return (makeReport(&state, isValid: isValid), finalError(state, isValid: isValid))
    }
    let report = completeSidecars(of: account)
    let waiters = state.withLock { state in
      state.report = report
      defer { state.waiters = [] }
      return state.waiters
    }
    observer.didFinish(self, report, error)
    for waiter in waiters { waiter.resume(returning: report) }
  }

  /// The error that Apple's delegate gets: nil where the end was asked for.
  private func finalError(_ state: State, isValid: Bool) -> CaptureError? {
    var error = state.endError
    error?.recordingSuccessfullyFinished = isValid
    return error
  }
}
