import AssetWriter
import CaptureDevices
import FoundationEssentials
import MediaCore
import Synchronization
import TakeReports
import VideoRecorder

/// The state of a ``TakeSession`` that runs. Everything that happens comes to it one after the other.
struct TakeLoop {
  /// Where the session stands.
  enum Phase {
    /// What comes is kept, for a take to begin with.
    case standingBy(MovieRecording)
    /// The take of this number is recorded, or awaits its source.
    case recording(number: Int)
    /// The take of this number is to end, and leaves the devices only then.
    case closing(number: Int)
    /// Between takes, the devices are being opened again.
    case awaitingSource(Task<Void, Never>)
    /// Nothing is recorded any more.
    case closed
  }

  /// A take that is not complete yet.
  struct RunningTake {
    let recording: MovieRecording
    let series: RecordingSeries
    let began: Int64
    /// What awaits the source and records its further movies; nil before it went away.
    var continuation: Task<Void, Never>?
    /// True once its end was asked for.
    var isStopped = false
  }

  let session: TakeSession
  let tell: @Sendable (TakeSession.Event) -> Void
  private var setup: RecordingSetup
  private var phase = Phase.closed
  private var running: [Int: RunningTake] = [:]
  /// Takes that are complete before one that began earlier is.
  private var early: [Int: TakeSession.Take] = [:]
  /// The takes that were told of.
  private(set) var takes: [TakeSession.Take] = []
  /// Takes that have begun.
  private var count = 0
  /// The number of the next take on the slate.
  private var nextTake: Int
  /// The address of the next take, where a first one was asked for: it runs on from take to take.
  private var nextAddress: Timecode?
  private var isEnding = false
  /// What ended the session; nil where that was asked for.
  private(set) var failure: CaptureError?

  init(_ session: TakeSession, telling tell: @escaping @Sendable (TakeSession.Event) -> Void) {
    self.session = session
    self.tell = tell
    setup = session.setup
    nextTake = session.firstTake
  }

  /// True once the end was asked for and every take is complete.
  var isOver: Bool { isEnding && running.isEmpty }

  /// Opens the devices and stands by.
  mutating func begin() async throws(CaptureError) {
    hearNotices()
    try await setup.session.start()
    do throws(CaptureError) { try standBy() } catch {
      await setup.session.stop()
      throw error
    }
  }

  /// Gives the devices back.
  mutating func close() async {
    if case .awaitingSource(let task) = phase { task.cancel() }
    phase = .closed
    setup.output.stopRecording()
    await setup.session.stop()
  }

  /// Takes the next thing that happened.
  mutating func handle(_ input: TakeSession.Input) async {
    switch input {
    case .command(let command): await obey(command)
    case .recordingEnded(let recording, let report): await didEnd(recording, report)
    case .takeEnded(let number, let report): await complete(number, report)
    case .sourceBack(let setup): await sourceIsBack(setup)
    case .sourceGivenUp:
      guard case .awaitingSource = phase else { return }
      giveUp(
        CaptureError(
          .deviceDisconnected, "\(setup.selection.device) did not come back in time"))
    }
  }

  // MARK: Commands

  private mutating func obey(_ command: TakeSession.Command) async {
    switch (command, phase) {
    case (.end, _): end()
    case (.start(let mark), .standingBy), (.toggle(let mark), .standingBy): await start(mark)
    case (.toggle, .recording(let number)): await stop(number)
    case (.start, .recording): refuse("a take is being recorded; stop it before the next one")
    case (.togglePause, .recording(let number)): togglePause(number)
    case (.cut, .recording(let number)): cut(number)
    case (.togglePause, .standingBy), (.cut, .standingBy): refuse("no take is being recorded")
    case (_, .awaitingSource): refuse("the source is away; wait until it is back")
    case (_, .closing): refuse("the take before is still ending; try again in a moment")
    case (_, .closed): break
    }
  }

  private func refuse(_ message: String) { tell(.refused(CaptureError(.invalidState, message))) }

  private mutating func start(_ mark: StartMark) async {
    let began = MonotonicClock.now
    do throws(CaptureError) {
      var name = try setup.movieName(for: session.name, from: nextTake, tellsTakes: true)
      name.take = name.take ?? nextTake
      var mark = mark
      if let nextAddress { mark.timecode = nextAddress }
      let recording = try await setup.beginTake(name, from: mark)
      count += 1
      nextTake = (name.take ?? nextTake) + 1
      let series = RecordingSeries(of: setup, identifier: recording.plan.takeIdentifier)
      running[count] = RunningTake(recording: recording, series: series, began: began)
      session.present.withLock { $0 = .series(series) }
      phase = .recording(number: count)
      tell(.started(number: count, path: name.path))
    } catch {
      // It goes on standing by.
      tell(.refused(error))
    }
  }

  private mutating func stop(_ number: Int) async {
    running[number]?.isStopped = true
    guard let take = running[number], take.continuation == nil, take.recording.isActive else {
      running[number]?.continuation?.cancel()
      phase = .closing(number: number)
      return
    }
    take.recording.stop(.stopped)
    runOn(from: take.recording.endTimecode)
    guard !isEnding else {
      phase = .closing(number: number)
      return
    }
    await standByAgain()
  }

  private func togglePause(_ number: Int) {
    guard let output = running[number]?.series.setup.output else { return }
    if output.isRecordingPaused {
      output.resumeRecording()
      tell(.resumed)
    } else {
      output.pauseRecording()
      guard output.isRecordingPaused else { return refuse("the take has no frame yet") }
      tell(.paused)
    }
  }

  private func cut(_ number: Int) {
    do throws(CaptureError) {
      try running[number]?.series.setup.output.startNewSegment()
    } catch {
      tell(.refused(error))
    }
  }

  private mutating func end() {
    isEnding = true
    switch phase {
    case .recording(let number), .closing(let number):
      running[number]?.isStopped = true
      running[number]?.recording.stop(.stopped)
      running[number]?.continuation?.cancel()
    case .awaitingSource(let task): task.cancel()
    case .standingBy, .closed: break
    }
  }

  // MARK: Standing by

  private mutating func standBy() throws(CaptureError) {
    let recording = try setup.output.standByForTake()
    let input = session.input
    Task {
      let report = await recording.waitForReport()
      input.yield(.recordingEnded(recording, report))
    }
    session.present.withLock { $0 = .setup(setup) }
    phase = .standingBy(recording)
    tell(.standingBy(number: count + 1))
  }

  private mutating func standByAgain() async {
    do throws(CaptureError) { try standBy() } catch { await awaitSource(error) }
  }

  /// A given timecode runs on: the next take begins where the one before ended, its pre-roll included.
  private mutating func runOn(from end: Timecode?) {
    guard case .start = session.request.preset.timecode, let end else { return }
    let preRoll = setup.output.options.preRollDuration
    nextAddress = end.advanced(by: end.format.frameRate.frameIndex(nearest: preRoll) ?? 0)
  }

  // MARK: Ends

  private mutating func didEnd(_ recording: MovieRecording, _ report: RecordingReport) async {
    if case .standingBy(let waiting) = phase, waiting === recording {
      guard !isEnding else { return }
      return await awaitSource(
        CaptureError(.deviceFailed, report.error?.message ?? "\(setup.selection.device) has ended"))
    }
    guard let number = running.first(where: { $0.value.recording === recording })?.key,
      let take = running[number]
    else { return }
    guard !take.isStopped, take.series.goesOn(after: report) else {
      return await complete(number, report)
    }
    // The series opens the device itself, again and again.
    await setup.session.stop()
    let (input, tell) = (session.input, tell)
    running[number]?.continuation = Task {
      let whole = await take.series.goOn(
        after: report, since: take.began, telling: { tell(.series($0)) })
      input.yield(.takeEnded(number: number, whole))
    }
  }

  private mutating func complete(_ number: Int, _ report: RecordingReport) async {
    guard let take = running.removeValue(forKey: number) else { return }
    let last = report.continuations.last ?? report
    let outcome = report.outcome(endingWith: take.series.setup.outcome(of: last))
    early[number] = TakeSession.Take(number: number, report: report, outcome: outcome)
    while let next = early.removeValue(forKey: takes.count + 1) {
      takes.append(next)
      tell(.finished(next))
    }
    switch phase {
    case .recording(number), .closing(number): await goOn(after: last, take)
    default: break
    }
  }

  /// Makes ready for the next take after one that ended by itself, or while its source was away.
  private mutating func goOn(after last: RecordingReport, _ take: RunningTake) async {
    phase = .closed
    guard !isEnding else { return }
    runOn(
      from: last.movie.endTimecode.flatMap { Timecode($0, frameRate: take.recording.plan.rate) })
    if last.end == .sourceEnded {
      isEnding = true
    } else if take.continuation == nil, !last.end.isInterruption {
      await standByAgain()
    } else {
      await awaitSource(CaptureError(.deviceFailed, last.error?.message ?? "the source went away"))
    }
  }

  // MARK: The source

  /// Opens the very device again as soon as it is there.
  private mutating func awaitSource(_ error: CaptureError) async {
    await setup.session.stop()
    let faults = session.request.preset.faults
    guard faults.interruption != .stop else { return giveUp(error) }
    tell(.sourceLost(error, isAwaited: true))
    var request = session.request
    request.deviceID = setup.selection.device.uniqueID
    let (input, wanted) = (session.input, request)
    let limit =
      faults.sourceWaitLimit.map {
        MonotonicClock.now.addingSaturating(Int64(saturating: $0 * 1e9))
      } ?? .max
    phase = .awaitingSource(
      Task {
        while MonotonicClock.now < limit {
          do { try await Task.sleep(for: .seconds(RecordingSeries.patience)) } catch { return }
          guard let next = try? RecordingSetup(wanted), (try? await next.session.start()) != nil
          else { continue }
          input.yield(.sourceBack(next))
          return
        }
        input.yield(.sourceGivenUp)
      })
  }

  private mutating func giveUp(_ error: CaptureError) {
    failure = error
    isEnding = true
    phase = .closed
    tell(.sourceLost(error, isAwaited: false))
  }

  private mutating func sourceIsBack(_ next: RecordingSetup) async {
    guard case .awaitingSource = phase, !isEnding else { return await next.session.stop() }
    setup = next
    hearNotices()
    await standByAgain()
  }

  /// Passes on what happens to the files of takes.
  private func hearNotices() {
    let tell = tell
    setup.output.noticeHandler = { tell(.series(.noticed($0))) }
  }
}
