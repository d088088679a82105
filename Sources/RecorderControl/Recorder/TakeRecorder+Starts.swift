import MediaCore
import Synchronization
import TakeReports
import Takes
import VideoRecorder

/// Starts that are set for a moment.
extension TakeRecorder {
  /// How many seconds before a scheduled start the recorder begins to stand by.
  private static let lead = 3.0

  func arm(
    _ slate: TakeSlate, _ wanted: ArmedStart,
    _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    // Checks now whether a take could begin, while the operator is there to see the error.
    session.send(.checkTake(slate)) { [self] result in
      guard case .success = result else { return reply(answer(result)) }
      set(slate, wanted, reply)
    }
  }

  private func set(
    _ slate: TakeSlate, _ wanted: ArmedStart,
    _ reply: @escaping @Sendable (RecorderReply) -> Void
  ) {
    let setup = session.setup
    do {
      let moment = try moment(of: wanted, setup)
      var armed = RecorderStatus.Armed(
        date: JSONDocument.date(unixTime: Int64(moment.unixTime.rounded(.down))))
      if case .timeOfDay(_, let text) = wanted { armed.timecode = text }
      let isAnother = try state.withLock { state throws(ControlError) in
        try state.recorder.checkStart()
        let isAnother = state.takeStartBack()
        state.startsSet += 1
        (state.startFailure, state.clockRemark) = (nil, nil)
        let number = state.startsSet
        // A start that was taken back stops standing by before the new one begins to.
        let before = state.lastWait
        let waiting = Task { [self] in
          await before?.value
          await wait(for: moment, slate, setup, number)
        }
        state.lastWait = waiting
        state.start = PendingStart(number: number, armed: armed, phase: .waiting(waiting))
        return isAnother
      }
      if isAnother { notice("\(Self.takenBack): another start is set") }
      tellState()
      // The remark on the clock may need other programs, which take a moment, and the start may come before that.
      let status = status
      Task {
        let remark = await setup.remarkOnClock()
        let notes = [isAnother ? Self.takenBack : nil, remark].compactMap(\.self)
        reply(RecorderReply(status: status, notes: notes.isEmpty ? nil : notes))
      }
    } catch let error as CaptureError {
      reply(RecorderReply(error))
    } catch let error as ControlError {
      reply(RecorderReply(error))
    } catch {
      reply(RecorderReply(ControlError(.invalidState, "\(error)")))
    }
  }

  private func moment(
    of wanted: ArmedStart, _ setup: RecordingSetup
  ) throws(CaptureError) -> StartTime.Moment {
    switch wanted {
    case .timeOfDay(let time, _): return try setup.moment(of: time, after: clock.read().unixTime)
    case .date(let unixTime):
      guard unixTime > clock.read().unixTime else {
        throw CaptureError(
          .invalidArgument,
          "\(JSONDocument.date(unixTime: Int64(saturating: unixTime))) is past; set a later start")
      }
      return StartTime.Moment(unixTime: unixTime)
    }
  }

  /// Stands by shortly before the moment, and begins the take at it.
  private func wait(
    for moment: StartTime.Moment, _ slate: TakeSlate, _ setup: RecordingSetup, _ number: Int
  ) async {
    let lead = Self.lead + setup.output.options.preRollDuration.seconds
    var steps = ClockSteps(from: clock.read())
    guard await sleep(until: moment.unixTime - lead, &steps) != nil else { return }
    let isStandingBy = state.withLock { $0.isStandingBy }
    if !isStandingBy { session.send(.standBy(true)) }
    if let reading = await sleep(until: moment.unixTime, &steps) {
      begin(number, slate, StartMark(moment, by: reading))
    }
    // Back to idle between takes, unless a client has asked for standing by meanwhile.
    if !isStandingBy, !state.withLock({ $0.isStandingBy }) { session.send(.standBy(false)) }
  }

  /// Begins the take of a start that is set, unless that was taken back.
  private func begin(_ number: Int, _ slate: TakeSlate, _ mark: StartMark) {
    order.withLock { _ in
      let isSet = state.withLock { state in
        guard state.start?.number == number else { return false }
        state.start?.phase = .beginning
        return true
      }
      guard isSet else { return }
      session.send(.startTake(slate, mark)) { [self] result in
        guard case .failure(let error) = result else { return }
        startFailed(number, error)
      }
    }
  }

  private func startFailed(_ number: Int, _ error: CaptureError) {
    let failure = "the scheduled start failed: \(error.message)"
    state.withLock { state in
      if state.start?.number == number { state.start = nil }
      state.startFailure = failure
    }
    notice(failure)
    tellState()
  }

  /// Sleeps until the wall clock shows a moment, and reports if the clock is set meanwhile.
  ///
  /// - Returns: The clocks' readings at the end; nil if the task was cancelled.
  private func sleep(
    until unixTime: Double, _ steps: inout ClockSteps
  ) async -> StartClock.Reading? {
    while true {
      let reading = clock.read()
      if let step = steps.step(to: reading), !Task.isCancelled { tellStep(step) }
      let left = unixTime - reading.unixTime
      guard left > 0 else { return Task.isCancelled ? nil : reading }
      do { try await Task.sleep(for: .seconds(min(left, 0.5))) } catch { return nil }
    }
  }

  /// Reports that the clock was set, because whoever scheduled the start may have relied on the previous time.
  private func tellStep(_ seconds: Double) {
    let remark = state.withLock { state -> String? in
      guard let armed = state.start?.armed else { return nil }
      state.clockRemark =
        "\(ClockSteps.words(seconds)): the scheduled start happens when it shows "
        + (armed.timecode ?? armed.date)
      return state.clockRemark
    }
    guard let remark else { return }
    notice(remark)
    tellState()
  }
}
