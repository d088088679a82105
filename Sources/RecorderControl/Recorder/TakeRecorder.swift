public import CaptureDevices
import FoundationEssentials
import MediaCore
import Synchronization
import TakeReports
public import Takes
import VideoRecorder

/// A recorder for as long as it runs: a session of takes that messages steer.
///
/// ```swift
/// let recorder = TakeRecorder(session, request: session.request)
/// let server = try ControlServer(path: "/run/user/1000/camera-a.socket", recorder: recorder)
/// _ = try await recorder.run()
/// ```
public final class TakeRecorder: SteeredRecorder {
  struct State {
    var recorder = RecorderState.starting
    var observer: (@Sendable (RecorderEvent) -> Void)?
    var takesBegun = 0
    var takesFinished = 0
    /// The scheduled start; nil for none.
    var start: PendingStart?
    var startsSet = 0
    /// The scheduled start that began the present take; nil if the take was begun immediately.
    var begunBy: RecorderStatus.Armed?
    /// The task that waits for the last scheduled start.
    var lastWait: Task<Void, Never>?
    /// Why the start that was set last has failed, until another is set or a take begins.
    var startFailure: String?
    /// That the clock was set while the start that is set is awaited; nil if it was not.
    var clockRemark: String?
    /// Why the present take gets no frames, in words, until its source is back; nil if it does.
    var sourceAway: String?
    /// True if the recorder stands by between takes, regardless of a scheduled start.
    var isStandingBy: Bool
    /// Figures, and the instant they are from: clients that ask often ask neither the recording nor the disk.
    var figures: (progress: RecordingProgress?, disk: RecorderStatus.Disk?, instant: Int64) =
      (nil, nil, .min)

    /// Cancels the scheduled start.
    ///
    /// - Returns: True if its take will not begin; false if no start was scheduled, or its take may already
    ///   have begun.
    mutating func takeStartBack() -> Bool {
      guard case .waiting(let task) = start.take()?.phase else { return false }
      task.cancel()
      return true
    }
  }

  /// The takes.
  public let session: TakeSession
  let state: Mutex<State>
  /// Held from the decision on a scheduled start or a stop until the session has it: a stop that finds the start decided
  /// reaches the session after it.
  let order = Mutex(())
  private let makeRequest: @Sendable (Preset) -> RecordingRequest
  private let disks: DiskWatch
  /// The clock of scheduled starts.
  let clock: StartClock
  private let folder: FolderPath
  private let sessionID = UUID().uuidString
  private let counter = StatusCounter()

  /// How long figures are reused, in nanoseconds.
  private static let freshness: Int64 = 100_000_000
  static let takenBack = "the scheduled start was cancelled"

  /// Creates a recorder that controls a session.
  ///
  /// - Parameters:
  ///   - session: A session that is not running yet.
  ///   - makeRequest: Makes the request for another preset; nil for the session's own request with the preset
  ///     replaced.
  public convenience init(
    _ session: TakeSession, makeRequest: (@Sendable (Preset) -> RecordingRequest)? = nil
  ) {
    self.init(session, freeBytes: FreeSpace.system.bytes, makeRequest: makeRequest)
  }

  /// As ``init(_:makeRequest:)``, with a function that returns the free bytes of a folder, and a clock.
  init(
    _ session: TakeSession, freeBytes: @escaping @Sendable (_ folder: String) -> Int64?,
    clock: StartClock = .system, makeRequest: (@Sendable (Preset) -> RecordingRequest)? = nil
  ) {
    self.session = session
    self.clock = clock
    let folder = FolderPath()
    self.folder = folder
    disks = DiskWatch { [session] _ in
      let path = session.folderPath
      folder.last.withLock { $0 = path }
      return path.flatMap(freeBytes)
    }
    state = Mutex(State(isStandingBy: !session.idles))
    self.makeRequest =
      makeRequest ?? { preset in
        var request = session.setup.request
        request.preset = preset
        return request
      }
  }

  /// Opens the devices, and runs until the session is told to end, or its source ends. Call it once only.
  ///
  /// - Parameter tell: As for `TakeSession.run(telling:)`.
  /// - Throws: As `TakeSession.run(telling:)`.
  public func run(
    telling tell: @escaping @Sendable (TakeSession.Event) -> Void = { _ in }
  ) async throws(CaptureError) -> TakeSession.Outcome {
    do throws(CaptureError) {
      let outcome = try await session.run { [self] event in
        note(event)
        tell(event)
      }
      let isAtEnd = outcome.endedWithSource && outcome.failure == nil
      end(
        isAtEnd ? "\(session.setup.selection.device) has ended" : outcome.failure?.message
      )
      return outcome
    } catch {
      end(error.message)
      throw error
    }
  }

  private func end(_ message: String?) {
    state.withLock { state in
      state.recorder = .ended(message: message)
      _ = state.takeStartBack()
    }
    tellState()
  }

  public func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  // MARK: Status

  public var status: RecorderStatus { counter.status { presentStatus } }

  private var presentStatus: RecorderStatus {
    let setup = session.setup
    let figures = figures(setup)
    let clock = setup.clock
    let isInterrupted = setup.session.isInterrupted
    return state.withLock { state in
      var status = RecorderStatus(
        state: .idle, isStandingBy: state.isStandingBy, isPaused: false,
        takesFinishing: state.takesBegun - state.takesFinished, takesFinished: state.takesFinished,
        source: .init(setup, hasSignal: !isInterrupted),
        progress: figures.progress, disk: figures.disk, clock: clock,
        processID: ProcessInfo.processInfo.processIdentifier, sessionID: sessionID)
      status.adopt(state.recorder, state.start?.armed)
      status.take?.armed = state.begunBy
      status.message =
        status.message ?? state.startFailure ?? (state.start == nil ? nil : state.clockRemark)
      if status.state == .recording {
        status.takesFinishing -= 1
        if let reason = state.sourceAway {
          status.message = reason
          status.source?.hasSignal = false
        }
      }
      status.takesFinishing = max(status.takesFinishing, 0)
      return status
    }
  }

  private func figures(
    _ setup: RecordingSetup
  ) -> (progress: RecordingProgress?, disk: RecorderStatus.Disk?) {
    let now = MonotonicClock.now
    let known = state.withLock { $0.figures }
    if known.instant > now - Self.freshness { return (known.progress, known.disk) }
    let progress = setup.output.progressForObservers
    // A pre-roll is in no movie yet: its disk is that of the next take.
    let isOfTake = progress.map { !$0.isStandingBy && $0.freeDiskSpace != nil } ?? false
    let disk = isOfTake ? nil : disk(of: session)
    state.withLock { $0.figures = (progress, disk, now) }
    return (progress, disk)
  }

  private func disk(of session: TakeSession) -> RecorderStatus.Disk? {
    RecorderStatus.Disk(session, disks) { folder.last.withLock { $0 } }
  }

  /// The folder of the next take when the free space was last measured.
  private final class FolderPath: Sendable {
    let last = Mutex<String?>(nil)
  }

  // MARK: Events

  private func note(_ event: TakeSession.Event) {
    let (isOther, isTakenBack) = state.withLock { state in
      let (before, sourceAway) = (state.recorder, state.sourceAway)
      state.recorder.take(event)
      var isTakenBack = false
      switch event {
      case .started:
        state.takesBegun += 1
        (state.startFailure, state.sourceAway) = (nil, nil)
        if case .beginning = state.start?.phase {
          state.begunBy = state.start?.armed
        } else {
          state.begunBy = nil
        }
        // A take that was begun by hand replaces the scheduled one.
        isTakenBack = state.takeStartBack()
      case .finished: state.takesFinished += 1
      case .series(let event): state.sourceAway = event.sourceAway(besides: sourceAway)
      default: break
      }
      // The cached figures may be those of the previous take.
      state.figures.instant = .min
      return (before != state.recorder || sourceAway != state.sourceAway, isTakenBack)
    }
    if let reported = RecorderEvent(event) { send(reported) }
    if isTakenBack { notice("\(Self.takenBack): a take has begun") }
    if isOther { tellState() }
  }

  func tellState() {
    var event = RecorderEvent(.state)
    event.status = status
    send(event)
  }

  /// Sends a notice to the listeners.
  public func notice(_ text: String) {
    var event = RecorderEvent(.notice)
    event.message = text
    send(event)
  }

  /// Reports to the listeners that a take's movies were moved into a library.
  ///
  /// - Parameter paths: The present paths of the movies, by their file names. A movie that is missing here is
  ///   still where it was recorded.
  public func noteSaved(_ take: TakeSession.Take, at paths: [String: String]) {
    send(RecorderEvent(saved: take, at: paths))
  }

  private func send(_ event: RecorderEvent) { state.withLock { $0.observer }?(event) }

  // MARK: Commands

  public func perform(
    _ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    switch command {
    case .status, .events, .monitor, .acknowledge: reply(RecorderReply(status: status))
    case .start(let slate, _) where slate.name?.hasSlash == true:
      // Clients may give names, but never paths.
      reply(
        RecorderReply(
          CaptureError(
            .invalidArgument,
            "'\(slate.name ?? "")' includes a folder; give only the movie's name")))
    case .start(let slate, nil): start(slate, .now, reply)
    case .start(let slate, let moment?): arm(slate, moment, reply)
    case .stop: stop(reply)
    case .split: send(.cut, reply)
    case .mark(let note): send(.mark(note), reply)
    case .standBy(let isWanted): standBy(isWanted, reply)
    case .preset(let name): change(toPreset: name, reply)
    case .quit:
      _ = state.withLock { $0.takeStartBack() }
      send(.end, reply)
    case .retire:
      // A scheduled start is a take to come.
      guard state.withLock({ $0.start == nil }) else {
        return reply(RecorderReply(ControlError(.invalidState, "a start is set")))
      }
      send(.endBetweenTakes, reply)
    }
  }

  private func send(
    _ command: TakeSession.Command, _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    session.send(command) { [self] result in reply(answer(result)) }
  }

  private func standBy(
    _ isWanted: Bool, _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    state.withLock { $0.isStandingBy = isWanted }
    session.send(.standBy(isWanted)) { [self] result in
      // Where standing by fails, the recorder stays idle.
      if case .failure = result { state.withLock { $0.isStandingBy = false } }
      reply(answer(result))
    }
  }

  func answer(
    _ result: Result<TakeSession.Event?, CaptureError>
  ) -> RecorderReply {
    switch result {
    case .failure(let error):
      tellState()
      return RecorderReply(error)
    case .success(let event):
      var reply = RecorderReply(status: status)
      switch event {
      case .started(let number, let path)?: reply.take = .init(number: number, path: path)
      case .marked(let marker)?: reply.marker = marker
      default: break
      }
      return reply
    }
  }

  private func start(
    _ slate: TakeSlate, _ mark: StartMark, _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    let wasSet = state.withLock { $0.start != nil }
    session.send(.startTake(slate, mark)) { [self] result in
      var answer = answer(result)
      if wasSet, answer.isDone { answer.notes = [Self.takenBack] }
      reply(answer)
    }
  }

  private func stop(_ reply: @escaping @Sendable (RecorderReply) -> Void) {
    let isTakenBack = order.withLock { _ in
      if state.withLock({ $0.takeStartBack() }) { return true }
      // If a take is about to begin, or a start is being scheduled, the session gets to this command after that.
      session.send(.stop) { [self] result in
        guard case .failure = result, state.withLock({ $0.takeStartBack() }) else {
          return reply(answer(result))
        }
        tellState()
        reply(RecorderReply(status: status, notes: [Self.takenBack]))
      }
      return false
    }
    guard isTakenBack else { return }
    tellState()
    reply(RecorderReply(status: status, notes: [Self.takenBack]))
  }

  private func change(
    toPreset name: String, _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    // Clients may give names, but never paths.
    guard !name.hasSlash, !name.hasSuffix(".toml") else {
      return reply(
        RecorderReply(
          ControlError(.invalidMessage, "'\(name)' is a path; give the name of a preset")))
    }
    do throws(CaptureError) {
      let request = makeRequest(try PresetLibrary().preset(named: name))
      session.change(to: request) { [self] result in reply(answer(result)) }
    } catch {
      reply(RecorderReply(error))
    }
  }
}
