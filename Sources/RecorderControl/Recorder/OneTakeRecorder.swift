import FoundationEssentials
import MediaCore
import Synchronization
public import TakeReports
public import Takes
public import VideoRecorder

/// A recorder of a single take, with which it ends. The take can be watched, marked, split and ended.
public final class OneTakeRecorder: SteeredRecorder {
  private struct State {
    var recorder = RecorderState.starting
    var observer: (@Sendable (RecorderEvent) -> Void)?
    /// Begins a take that stands by; nil if the take begins without a command.
    var begin: (@Sendable (StartMark) -> Void)?
    var end: (@Sendable () -> Void)?
    /// True once its end was asked for.
    var isEnding = false
    /// Why the take gets no frames, in words, until its source is back; nil if it does.
    var sourceAway: String?
    /// True once listeners were sent the beginning of the take, which is sent once only.
    var hasBegun = false
  }

  private static let remedy = "start one that records several takes"

  private let series: RecordingSeries
  private let state = Mutex(State())
  private let sessionID = UUID().uuidString
  private let counter = StatusCounter()

  /// Steers a series.
  public init(_ series: RecordingSeries) { self.series = series }

  /// Sets the function that begins the take for a `start` command.
  public func begins(_ begin: @escaping @Sendable (StartMark) -> Void) {
    state.withLock { $0.begin = begin }
  }

  /// Sets the function that ends the take.
  public func ends(by end: @escaping @Sendable () -> Void) { state.withLock { $0.end = end } }

  /// Ends the take.
  public func end() {
    let end = state.withLock { state in
      state.isEnding = true
      return state.end
    }
    end?()
  }

  public func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  /// Checks the state of the recording, and reports changes. To be called a few times a second.
  public func look() {
    let present = present
    let (before, begins, observer) = state.withLock { state in
      let before = state.recorder
      state.recorder = present
      let begins = present.name == .recording && !state.hasBegun
      state.hasBegun = state.hasBegun || begins
      return (before, begins, state.observer)
    }
    guard before != present, let observer else { return }
    if case .recording(let take, _) = present, begins {
      var event = RecorderEvent(.takeStarted)
      event.take = take
      observer(event)
    }
    var event = RecorderEvent(.state)
    event.status = status
    observer(event)
  }

  /// Tells of something that happened between two movies.
  public func note(_ event: RecordingSeries.Event) {
    let isOther = state.withLock { state in
      let before = state.sourceAway
      state.sourceAway = event.sourceAway(besides: before)
      return before != state.sourceAway
    }
    guard let reported = RecorderEvent(.series(event)),
      let observer = state.withLock({ $0.observer })
    else { return }
    observer(reported)
    guard isOther else { return }
    var change = RecorderEvent(.state)
    change.status = status
    observer(change)
  }

  /// Sends a notice to the listeners.
  public func notice(_ text: String) {
    var event = RecorderEvent(.notice)
    event.message = text
    state.withLock { $0.observer }?(event)
  }

  /// Reports that the take is complete and the recorder has ended, with the take's report, or the error if
  /// there is none.
  public func finish(
    _ result: Result<RecordingReport, any Error>,
    outcome: (RecordingReport) -> RecordingReport.Outcome
  ) {
    var message: String?
    if case .failure(let error) = result { message = "\(error)" }
    let observer = state.withLock { state in
      state.recorder = .ended(message: message)
      return state.observer
    }
    if case .success(let report) = result {
      var event = RecorderEvent(.takeFinished)
      event.finished = .init(number: 1, report, outcome(report))
      observer?(event)
    }
    var event = RecorderEvent(.state)
    event.status = status
    observer?(event)
  }

  private var present: RecorderState {
    let (known, isEnding, isAway) = state.withLock {
      ($0.recorder, $0.isEnding, $0.sourceAway != nil)
    }
    if case .ended = known { return known }
    let output = series.setup.output
    if output.isStandingBy { return .standingBy }
    let path = output.outputFileURL?.path ?? ""
    if output.isRecording {
      return .recording(.init(number: 1, path: path), isPaused: output.isRecordingPaused)
    }
    switch known {
    // The take continues once its source is back.
    case .recording where !isEnding && (isAway || losesSource): return known
    case .finishing(let take) where !isEnding && isAway: return .recording(take, isPaused: false)
    case .recording(let take, _), .finishing(let take): return .finishing(take)
    // Whatever it was that ended the source: not each end is an interruption of the session.
    case .standingBy where output.connection(with: .video)?.isActive != true:
      return .awaitingSource(message: "\(series.setup.selection.device) delivers no frames")
    default: return known
    }
  }

  /// True if the source has just gone and the take may continue. The movie so far is being completed meanwhile.
  private var losesSource: Bool {
    let setup = series.setup
    return setup.session.isRunning && setup.selection.device.canComeBack
      && setup.output.connection(with: .video)?.isActive != true
      && series.request.preset.faults.interruption != .stop
  }

  public var status: RecorderStatus { counter.status { presentStatus } }

  private var presentStatus: RecorderStatus {
    let setup = series.setup
    var status = RecorderStatus(
      state: .starting, isStandingBy: state.withLock { $0.begin != nil }, isPaused: false,
      takesFinishing: 0,
      takesFinished: 0,
      source: .init(setup, hasSignal: !setup.session.isInterrupted),
      progress: setup.output.progressForObservers,
      clock: setup.clock, processID: ProcessInfo.processInfo.processIdentifier,
      sessionID: sessionID)
    status.adopt(present)
    if status.state == .finishing { status.takesFinishing = 1 }
    if status.state == .recording, !setup.output.isRecording {
      status.message =
        state.withLock { $0.sourceAway } ?? "\(setup.selection.device) delivers no frames"
      status.source?.hasSignal = false
    }
    return status
  }

  public func perform(
    _ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    let output = series.setup.output
    do {
      switch command {
      case .status, .events, .monitor, .acknowledge: reply(RecorderReply(status: status))
      case .start(let slate, nil):
        if case .awaitingSource = present { throw ControlError(.invalidState, present.refusal) }
        guard let begin = state.withLock({ $0.begin }), output.isStandingBy else {
          throw ControlError(
            .invalidState, "this recorder's one take has begun; \(Self.remedy)")
        }
        begin(.now)
        let note =
          "name, reel, scene and take are fixed when this recorder starts"
        reply(RecorderReply(notes: slate == TakeSlate() ? [] : [note]))
      case .stop, .quit:
        guard state.withLock({ $0.end != nil }) else {
          throw ControlError(.invalidState, "the recorder is starting")
        }
        end()
        reply(RecorderReply(notes: ["the recorder ends with its take"]))
      case .split:
        try output.startNewSegment()
        state.withLock { $0.observer }?(RecorderEvent(.split))
        reply(RecorderReply(status: status))
      case .mark(let note):
        let marker = try output.addMarker(note)
        var event = RecorderEvent(.marker)
        event.marker = marker
        state.withLock { $0.observer }?(event)
        reply(RecorderReply(status: status, marker: marker))
      case .start, .standBy, .preset, .retire:
        throw ControlError(
          .invalidState, "this recorder records one take, and ends with it; \(Self.remedy)")
      }
    } catch let error as any CodedError {
      reply(RecorderReply(error: ErrorSummary(error)))
    } catch {
      reply(RecorderReply(ControlError(.invalidState, "\(error)")))
    }
  }
}
