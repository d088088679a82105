import MediaCore
import Testing

@testable import AssetWriter

/// The phase that each call leads to, and the calls that must come first.
@Suite struct WriterPhaseTests {
  private let failure = AssetWriterError(.encodingFailed, "an encoder failed")
  private let preRoll = PreRoll(duration: MediaTime(value: 1, timescale: 1))

  @Test func a_writer_starts_once() throws {
    var phase = WriterPhase.unknown
    try phase.start()
    #expect(phase.status == .unknown)
    let second = #expect(throws: AssetWriterError.self) { try phase.start() }
    #expect(second?.code == .invalidStatus)
    phase.beginWriting()
    #expect(phase.status == .writing)
    #expect(phase.statusError == nil)
    let third = #expect(throws: AssetWriterError.self) { try phase.start() }
    #expect(third?.code == .invalidStatus)
  }

  @Test func a_failed_writer_reports_its_error() {
    var phase = WriterPhase.failed(failure)
    #expect(phase.status == .failed)
    #expect(phase.statusError == failure)
    let error = #expect(throws: AssetWriterError.self) { try phase.start() }
    #expect(error == failure)
  }

  @Test func the_first_failure_overrides_finishing() {
    var phase = WriterPhase.writing(.recording)
    phase.finish()
    #expect(phase.isFinishing)
    phase.fail(failure)
    phase.fail(AssetWriterError(.diskFull, "later"))
    #expect(phase.failure == failure)
    phase.finish()
    #expect(!phase.isFinishing)
  }

  @Test func cancellation_overrides_every_other_phase() {
    for goal in [WriterPhase.Goal.recording, .finishing, .aborting(failure)] {
      var phase = WriterPhase.writing(goal)
      let isWriting = phase.cancel()
      #expect(isWriting)
      phase.fail(failure)
      phase.finish()
      #expect(phase.isCancelling)
    }
    for early in [WriterPhase.unknown, .starting] {
      var phase = early
      let isWriting = phase.cancel()
      #expect(!isWriting)
      #expect(phase.status == .cancelled)
    }
    var complete = WriterPhase.completed
    let isWriting = complete.cancel()
    #expect(!isWriting)
    #expect(complete.status == .completed)
  }

  @Test func a_failure_during_the_pre_roll_persists_when_writing_begins() {
    var phase = WriterPhase.holding(preRoll)
    phase.fail(failure)
    #expect(phase.status == .writing && phase.preRoll == preRoll && phase.failure == failure)
    phase.beginWriting()
    #expect(phase.preRoll == nil && phase.failure == failure)
  }

  @Test func a_session_has_one_start_and_one_end_in_order() throws {
    func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }
    var session = WriterSession.none
    #expect(throws: AssetWriterError.self) { try session.end(at: time(1)) }
    #expect(throws: AssetWriterError.self) { try session.start(at: .invalid) }
    try session.start(at: time(2))
    #expect(throws: AssetWriterError.self) { try session.start(at: time(3)) }
    #expect(throws: AssetWriterError.self) { try session.end(at: time(2)) }
    #expect(session.length == nil)
    try session.end(at: time(5))
    #expect(session.start == time(2) && session.length == time(3))
    #expect(throws: AssetWriterError.self) { try session.end(at: time(6)) }
  }
}
