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
    /// Samples flow but are not kept. The task watches whether they continue.
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
  var setup: RecordingSetup
  /// What the next takes are recorded by.
  var request: RecordingRequest
  /// True to stand by between takes.
  var isStandingBy: Bool
  var phase = Phase.closed
  /// The result of the command that is being carried out.
  var result: Result<TakeSession.Event?, CaptureError> = .success(nil)
  var running: [Int: RunningTake] = [:]
  /// Takes that are complete before one that began earlier is.
  private var early: [Int: TakeSession.Take] = [:]
  /// The takes that were told of.
  private(set) var takes: [TakeSession.Take] = []
  /// Takes that have begun.
  var count = 0
  /// The number of the next take on the slate.
  var nextTake: Int
  /// The address of the next take, where a first one was asked for: it runs on from take to take.
  var nextAddress: Timecode?
  var isEnding = false
  /// True once the source has come to its end.
  var hasSourceEnded = false
  /// What ended the session; nil where that was asked for.
  var failure: CaptureError?

  init(_ session: TakeSession, telling tell: @escaping @Sendable (TakeSession.Event) -> Void) {
    self.session = session
    self.tell = tell
    setup = session.setup
    request = session.request
    isStandingBy = !session.idles
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

  // MARK: Ends

  mutating func didEnd(_ recording: MovieRecording, _ report: RecordingReport) async {
    if case .standingBy(let waiting) = phase, waiting === recording {
      guard !isEnding else { return }
      return await awaitSource(
        CaptureError(.deviceFailed, report.error?.message ?? "\(setup.selection.device) has ended"))
    }
    guard let number = running.first(where: { $0.value.recording === recording })?.key,
      let take = running[number]
    else { return }
    guard !take.isStopped, take.series.continues(after: report) else {
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

  mutating func complete(_ number: Int, _ report: RecordingReport) async {
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
  mutating func goOn(after last: RecordingReport, _ take: RunningTake) async {
    phase = .closed
    guard !isEnding else { return }
    runOn(
      from: last.movie.endTimecode.flatMap { Timecode($0, frameRate: take.recording.plan.rate) })
    if last.end == .sourceEnded {
      (isEnding, hasSourceEnded) = (true, true)
    } else if take.continuation == nil, !last.end.isInterruption {
      await makeReadyAgain()
    } else {
      await awaitSource(CaptureError(.deviceFailed, last.error?.message ?? "the source was lost"))
    }
  }
}
