import CaptureDevices
import MediaCore
import Takes
import Testing

@testable import RecorderControl

@Suite struct RecorderStateTests {
  private static let take = RecorderStatus.Take(number: 1, path: "a.mov")
  private static let start = RecorderStatus.Armed(date: "2026-11-23T09:30:00Z")
  private static let error = CaptureError(.deviceDisconnected, "gone")

  private static func state(_ events: TakeSession.Event...) -> RecorderState {
    var state = RecorderState.starting
    for event in events { state.take(event) }
    return state
  }

  @Test func a_recorder_returns_to_idle_after_a_take() {
    #expect(Self.state(.idle(number: 1)) == .idle)
    #expect(Self.state(.standingBy(number: 1)) == .standingBy)
    var state = Self.state(.idle(number: 1), .started(number: 1, path: "a.mov"))
    #expect(state == .recording(Self.take, isPaused: false))
    state.take(.paused)
    #expect(state == .recording(Self.take, isPaused: true))
    state.take(.resumed)
    #expect(state == .recording(Self.take, isPaused: false))
    state = .finishing(Self.take)
    state.take(.idle(number: 2))
    #expect(state == .idle)
  }

  private static func status(
    _ state: RecorderState, _ start: RecorderStatus.Armed?
  ) -> RecorderStatus {
    var status = RecorderStatus(
      state: .starting, isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 0,
      processID: 1)
    status.adopt(state, start)
    return status
  }

  @Test func a_scheduled_start_is_reported_even_without_a_source() {
    for state in [RecorderState.idle, .standingBy] {
      let status = Self.status(state, Self.start)
      #expect(status.state == .armed && status.armed == Self.start)
      #expect(Self.status(state, nil).state == state.name)
    }
    let away = Self.status(.awaitingSource(message: "gone"), Self.start)
    #expect(away.state == .awaitingSource && away.armed == Self.start && away.message == "gone")
  }

  @Test func a_start_can_be_scheduled_only_between_takes() throws {
    try RecorderState.idle.checkStart()
    try RecorderState.standingBy.checkStart()
    for state in [
      RecorderState.starting, .recording(Self.take, isPaused: false), .finishing(Self.take),
      .awaitingSource(message: "gone"), .ended(message: nil),
    ] {
      #expect(throws: ControlError.self) { try state.checkStart() }
    }
  }

  @Test func a_lost_source_is_awaited_or_ends_the_recorder() {
    let lost = TakeSession.Event.sourceLost(Self.error, isAwaited: true)
    #expect(Self.state(.idle(number: 1), lost) == .awaitingSource(message: "gone"))
    #expect(Self.state(lost, .idle(number: 1)) == .idle)
    let ended = Self.state(.sourceLost(Self.error, isAwaited: false), .idle(number: 1))
    #expect(ended == .ended(message: "gone"), "nothing follows the end")
  }

  @Test func every_state_has_a_name_and_a_reason_to_refuse() {
    let states: [RecorderState] = [
      .starting, .idle, .standingBy, .recording(Self.take, isPaused: false), .finishing(Self.take),
      .awaitingSource(message: "x"), .ended(message: nil),
    ]
    let names = Set(states.map(\.name)).union([.armed])
    #expect(names == Set(RecorderStatus.StateName.allCases))
    #expect(states.allSatisfy { !$0.refusal.isEmpty })
  }
}
