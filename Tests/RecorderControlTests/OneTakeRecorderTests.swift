import CaptureDevices
import CaptureTestSupport
import MediaCore
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// What a recorder of one take tells while it stands by.
@Suite struct OneTakeRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A failure is none of the interruptions that a session tells, and neither is an end.
  @Test(arguments: [true, false])
  func a_recorder_whose_source_ends_while_it_stands_by_does_not_say_that_it_stands_by(
    fails: Bool
  ) async throws {
    let driver = ScriptedDriver(formats: [.pictures(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = driver
    let series = try RecordingSeries(request)
    let recorder = OneTakeRecorder(series)
    recorder.begins { _ in }
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let path = folder.path("take.mov")
    let recording = Task {
      try await series.record(
        after: {
          for await _ in starts { break }
          return nil
        },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    func state() -> RecorderStatus.StateName {
      recorder.look()
      return recorder.status.state
    }
    try await eventually("it stands by") { state() == .standingBy }
    let broken = CaptureError(.deviceFailed, "Test does not answer")
    driver.state.withLock { $0.openError = broken }
    try #require(driver.stream).send(fails ? .failed(broken) : .ended)
    try await eventually("it awaits its source") { state() == .awaitingSource }
    let answer = Mutex<RecorderReply?>(nil)
    recorder.perform(.start(TakeSlate(), nil)) { reply in answer.withLock { $0 = reply } }
    #expect(answer.withLock { $0?.error?.message } == "the source is away")
    start.yield()
    await #expect(throws: CaptureError.self) { try await recording.value }
  }
}
