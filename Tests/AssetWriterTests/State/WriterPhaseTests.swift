import MediaCore
import Testing

@testable import AssetWriter

/// Which call leads where, and what goes before what.
@Suite struct WriterPhaseTests {
  private let failure = AssetWriterError(.encodingFailed, "an encoder failed")
  private let preRoll = PreRoll(duration: MediaTime(value: 1, timescale: 1))

  @Test("a writer starts once")
  func start() throws {
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

  @Test("a writer that failed says why, whatever it is asked")
  func failed() {
    var phase = WriterPhase.failed(failure)
    #expect(phase.status == .failed)
    #expect(phase.statusError == failure)
    let error = #expect(throws: AssetWriterError.self) { try phase.start() }
    #expect(error == failure)
  }

  @Test("the first failure counts, and goes before the end that was asked for")
  func failures() {
    var phase = WriterPhase.writing(.recording)
    phase.finish()
    #expect(phase.isFinishing)
    phase.fail(failure)
    phase.fail(AssetWriterError(.diskFull, "later"))
    #expect(phase.failure == failure)
    phase.finish()
    #expect(!phase.isFinishing)
  }

  @Test("a cancellation goes before everything")
  func cancel() {
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

  @Test("a failure while the past is kept ends writing as soon as there is a thread")
  func holding() {
    var phase = WriterPhase.holding(preRoll)
    phase.fail(failure)
    #expect(phase.status == .writing && phase.preRoll == preRoll && phase.failure == failure)
    phase.beginWriting()
    #expect(phase.preRoll == nil && phase.failure == failure)
  }

  @Test("a session has one start and one end, in order")
  func session() throws {
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
