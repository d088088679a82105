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
    /// Samples flow, and nothing of them is kept; the task looks whether they go on.
    case idle(Task<Void, Never>)
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
  /// What the next takes are recorded by.
  private var request: RecordingRequest
  /// True to stand by between takes.
  private var standsBy: Bool
  private var phase = Phase.closed
  /// What the command that is being obeyed came to.
  private var result: Result<TakeSession.Event?, CaptureError> = .success(nil)
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
    request = session.request
    standsBy = !session.idles
    nextTake = session.firstTake
  }

  /// True once the end was asked for and every take is complete.
  var isOver: Bool { isEnding && running.isEmpty }

  /// Opens the devices and stands by.
  mutating func begin() async throws(CaptureError) {
    hearNotices()
    try await setup.session.start()
    do throws(CaptureError) { try makeReady() } catch {
      await setup.session.stop()
      throw error
    }
  }

  /// Gives the devices back.
  mutating func close() async {
    switch phase {
    case .awaitingSource(let task), .idle(let task): task.cancel()
    default: break
    }
    phase = .closed
    setup.output.stopRecording()
    await setup.session.stop()
  }

  /// Takes the next thing that happened.
  mutating func handle(_ input: TakeSession.Input) async {
    switch input {
    case .command(let command, let answer):
      result = .success(nil)
      await obey(command)
      answer?(result)
    case .change(let request, let answer):
      result = .success(nil)
      await change(to: request)
      answer?(result)
    case .idleEnded(let setup, let error): await idleEnded(setup, error)
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
    case (.start(let mark), .standingBy), (.toggle(let mark), .standingBy),
      (.start(let mark), .idle), (.toggle(let mark), .idle):
      await start(TakeSlate(), mark)
    case (.startTake(let slate, let mark), .standingBy),
      (.startTake(let slate, let mark), .idle):
      await start(slate, mark)
    case (.toggle, .recording(let number)), (.stop, .recording(let number)): await stop(number)
    case (.start, .recording), (.startTake, .recording):
      refuse("a take is being recorded; stop it before the next one")
    case (.togglePause, .recording(let number)): togglePause(number)
    case (.cut, .recording(let number)): cut(number)
    case (.mark(let note), .recording(let number)): mark(number, note)
    case (.standBy(let isWanted), _): await standBy(isWanted)
    case (.togglePause, .standingBy), (.cut, .standingBy), (.togglePause, .idle), (.cut, .idle),
      (.stop, .standingBy), (.stop, .idle), (.mark, .standingBy), (.mark, .idle):
      refuse("no take is being recorded")
    case (_, .awaitingSource): refuse("the source is away; wait until it is back")
    case (_, .closing): refuse("the take before is still ending; try again in a moment")
    case (_, .closed): break
    }
  }

  private mutating func refuse(_ message: String) { refuse(CaptureError(.invalidState, message)) }

  private mutating func refuse(_ error: CaptureError) {
    result = .failure(error)
    tell(.refused(error))
  }

  /// Tells what a command has brought about.
  private mutating func done(_ event: TakeSession.Event) {
    result = .success(event)
    tell(event)
  }

  private mutating func start(_ slate: TakeSlate, _ mark: StartMark) async {
    let began = MonotonicClock.now
    let label = setup.output.options.label
    var watcher: Task<Void, Never>?
    do throws(CaptureError) {
      let name = try name(of: slate)
      var mark = mark
      if let nextAddress { mark.timecode = nextAddress }
      setup.output.options.label.reel = slate.reel ?? request.names.reel
      setup.output.options.label.scene = slate.scene ?? request.names.scene
      if case .idle(let task) = phase {
        // The take begins with the first frame that comes now.
        watcher = task
        try keep()
      }
      let recording = try await setup.beginTake(name, from: mark)
      count += 1
      nextTake = (name.take ?? nextTake) + 1
      let series = RecordingSeries(of: setup, identifier: recording.plan.takeIdentifier)
      running[count] = RunningTake(recording: recording, series: series, began: began)
      session.present.withLock { $0 = .series(series) }
      phase = .recording(number: count)
      watcher?.cancel()
      request.names.reel = slate.reel ?? request.names.reel
      request.names.scene = slate.scene ?? request.names.scene
      done(.started(number: count, path: name.path))
    } catch {
      setup.output.options.label = label
      // It goes on standing by, or idling.
      refuse(error)
      if let watcher {
        phase = .idle(watcher)
        setup.output.stopRecording()
      }
    }
  }

  /// The name of the next take.
  private func name(of slate: TakeSlate) throws(CaptureError) -> MovieName.Resolution {
    let template = try slate.template(in: session.name, setup)
    var name = try setup.movieName(
      for: template, take: slate.take, from: nextTake, tellsTakes: true,
      reel: slate.reel ?? request.names.reel, scene: slate.scene ?? request.names.scene)
    name.take = name.take ?? nextTake
    return name
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
    await makeReadyAgain()
  }

  private mutating func mark(_ number: Int, _ note: String) {
    guard let output = running[number]?.series.setup.output else { return }
    do throws(CaptureError) { done(.marked(try output.addMarker(note))) } catch { refuse(error) }
  }

  private mutating func togglePause(_ number: Int) {
    guard let output = running[number]?.series.setup.output else { return }
    if output.isRecordingPaused {
      output.resumeRecording()
      done(.resumed)
    } else {
      output.pauseRecording()
      guard output.isRecordingPaused else { return refuse("the take has no frame yet") }
      done(.paused)
    }
  }

  private mutating func cut(_ number: Int) {
    do throws(CaptureError) {
      try running[number]?.series.setup.output.startNewSegment()
      done(.cut)
    } catch {
      refuse(error)
    }
  }

  private mutating func end() {
    isEnding = true
    switch phase {
    case .recording(let number), .closing(let number):
      running[number]?.isStopped = true
      running[number]?.recording.stop(.stopped)
      running[number]?.continuation?.cancel()
    case .awaitingSource(let task), .idle(let task): task.cancel()
    case .standingBy, .closed: break
    }
  }

  // MARK: Standing by

  private mutating func makeReady() throws(CaptureError) {
    session.present.withLock { $0 = .setup(setup) }
    if standsBy {
      try keep()
      tell(.standingBy(number: count + 1))
    } else {
      idle()
      tell(.idle(number: count + 1))
    }
  }

  private mutating func makeReadyAgain() async {
    do throws(CaptureError) { try makeReady() } catch { await awaitSource(error) }
  }

  /// Keeps what comes, for a take to begin with.
  private mutating func keep() throws(CaptureError) {
    let recording = try setup.output.standByForTake()
    let input = session.input
    Task {
      let report = await recording.waitForReport()
      input.yield(.recordingEnded(recording, report))
    }
    phase = .standingBy(recording)
  }

  /// Keeps nothing, and looks whether the devices go on.
  private mutating func idle() {
    let (input, setup) = (session.input, setup)
    let events = setup.session.events
    phase = .idle(
      Task {
        for await event in events {
          switch event {
          case .wasInterrupted(let reason, let device) where reason != .signalLost:
            let error = CaptureError(
              .deviceFailed, "\(device) gives no pictures (\(reason.rawValue))")
            return _ = input.yield(.idleEnded(setup, error))
          case .runtimeError(let error): return _ = input.yield(.idleEnded(setup, error))
          case .deviceEnded: return _ = input.yield(.idleEnded(setup, nil))
          default: break
          }
        }
      })
  }

  private mutating func idleEnded(_ ended: RecordingSetup, _ error: CaptureError?) async {
    guard case .idle = phase, ended === setup, !isEnding else { return }
    guard let error else { return isEnding = true }
    await awaitSource(error)
  }

  private mutating func standBy(_ isWanted: Bool) async {
    standsBy = isWanted
    switch (phase, isWanted) {
    case (.idle(let task), true):
      do throws(CaptureError) {
        try makeReady()
        task.cancel()
      } catch {
        standsBy = false
        refuse(error)
      }
    case (.standingBy, false):
      phase = .closed
      setup.output.stopRecording()
      await makeReadyAgain()
    default: break
    }
  }

  /// Has the next takes recorded by another request; what runs goes on where that cannot be.
  private mutating func change(to wanted: RecordingRequest) async {
    switch phase {
    case .idle, .standingBy: break
    case .recording, .closing:
      return refuse("a take is being recorded; its preset can be changed behind it")
    case .awaitingSource: return refuse("the source is away; wait until it is back")
    case .closed: return refuse("the session is over")
    }
    var wanted = wanted
    wanted.names.take = nil
    wanted.takeIdentifier = nil
    do throws(CaptureError) {
      let next = try RecordingSetup(wanted)
      _ = try next.movieName(for: session.name, from: nextTake, tellsTakes: true)
      try await replace(by: next)
      request = wanted
      session.present.withLock { $0 = .setup(setup) }
      done(.changed)
      await makeReadyAgain()
    } catch {
      refuse(error)
      // Devices may have the other request's formats by now.
      do throws(CaptureError) { try await replace(by: try RecordingSetup(request)) } catch {
        return await awaitSource(error)
      }
      await makeReadyAgain()
    }
  }

  /// Lets go of the devices and takes them again, as another set-up wants them.
  private mutating func replace(by next: RecordingSetup) async throws(CaptureError) {
    if case .idle(let task) = phase { task.cancel() }
    phase = .closed
    setup.output.stopRecording()
    await setup.session.stop()
    setup = next
    hearNotices()
    try await next.session.start()
  }

  /// A given timecode runs on: the next take begins where the one before ended, its pre-roll included.
  private mutating func runOn(from end: Timecode?) {
    guard case .start = request.preset.timecode, let end else { return }
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
      await makeReadyAgain()
    } else {
      await awaitSource(CaptureError(.deviceFailed, last.error?.message ?? "the source went away"))
    }
  }

  // MARK: The source

  /// Opens the very device again as soon as it is there.
  private mutating func awaitSource(_ error: CaptureError) async {
    await setup.session.stop()
    let faults = request.preset.faults
    guard faults.interruption != .stop else { return giveUp(error) }
    tell(.sourceLost(error, isAwaited: true))
    var request = request
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
    await makeReadyAgain()
  }

  /// Passes on what happens to the files of takes.
  private func hearNotices() {
    let tell = tell
    setup.output.noticeHandler = { tell(.series(.noticed($0))) }
  }
}
