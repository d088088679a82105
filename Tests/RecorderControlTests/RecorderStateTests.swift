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

  @Test func a_recorder_goes_from_idle_over_a_take_to_idle() {
    #expect(Self.state(.idle(number: 1)) == .idle)
    #expect(Self.state(.standingBy(number: 1)) == .standingBy)
    var state = Self.state(.idle(number: 1), .started(number: 1, path: "a.mov"))
    #expect(state == .recording(Self.take, isPaused: false))
    state.take(.paused)
    #expect(state == .recording(Self.take, isPaused: true))
    state.take(.resumed)
    state.willStop()
    #expect(state == .finishing(Self.take))
    state.take(.idle(number: 2))
    #expect(state == .idle)
  }

  @Test func a_start_that_is_set_stays_while_the_recorder_stands_by_for_it() throws {
    var state = Self.state(.idle(number: 1))
    try state.arm(Self.start)
    #expect(state == .armed(Self.start, standsBy: false))
    state.take(.standingBy(number: 1))
    #expect(state == .armed(Self.start, standsBy: true))
    let wasArmed = state.disarm()
    #expect(wasArmed && state == .standingBy)
    let isArmed = state.disarm()
    #expect(!isArmed)
    try state.arm(Self.start)
    state.take(.started(number: 1, path: "a.mov"))
    #expect(state == .recording(Self.take, isPaused: false))
    #expect(throws: ControlError.self) { try state.arm(Self.start) }
  }

  @Test func a_source_that_is_lost_is_awaited_or_ends_the_recorder() {
    let lost = TakeSession.Event.sourceLost(Self.error, isAwaited: true)
    #expect(Self.state(.idle(number: 1), lost) == .awaitingSource(message: "gone"))
    #expect(Self.state(lost, .idle(number: 1)) == .idle)
    let ended = Self.state(.sourceLost(Self.error, isAwaited: false), .idle(number: 1))
    #expect(ended == .ended(message: "gone"), "nothing comes behind the end")
  }

  @Test func every_state_has_a_name_and_a_reason_to_refuse() {
    let states: [RecorderState] = [
      .starting, .idle, .standingBy, .armed(Self.start, standsBy: true),
      .recording(Self.take, isPaused: false), .finishing(Self.take),
      .awaitingSource(message: "x"), .ended(message: nil),
    ]
    #expect(Set(states.map(\.name)) == Set(RecorderStatus.StateName.allCases))
    #expect(states.allSatisfy { !$0.refusal.isEmpty })
  }
}
