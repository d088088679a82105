import CaptureDevices
import CaptureTestSupport
import MediaCore
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// The status of a one-take recorder while it stands by and while its source is away.
@Suite struct OneTakeRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Neither a failure nor an end is among the interruptions that a session reports.
  @Test(arguments: [true, false])
  func a_source_lost_on_standby_changes_the_state(
    fails: Bool
  ) async throws {
    let driver = ScriptedDriver(formats: [.frames(.v210)])
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
    try await eventually("the recorder is on standby") { state() == .standingBy }
    let broken = CaptureError(.deviceFailed, "Test does not answer")
    driver.state.withLock { $0.openError = broken }
    try #require(driver.stream).send(fails ? .failed(broken) : .ended)
    try await eventually("the recorder awaits its source") { state() == .awaitingSource }
    let answer = Mutex<RecorderReply?>(nil)
    recorder.perform(.start(TakeSlate(), nil)) { reply in answer.withLock { $0 = reply } }
    #expect(answer.withLock { $0?.error?.message } == "the source is lost")
    start.yield()
    await #expect(throws: CaptureError.self) { try await recording.value }
  }

  /// The device disappears after eight frames and is there again when the recorder looks for it.
  @Test func a_take_continues_and_reports_a_missing_source() async throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern:bars?unplug=8"
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    let series = try RecordingSeries(request)
    let recorder = OneTakeRecorder(series)
    let reported = Mutex<[RecorderEvent]>([])
    recorder.observe { event in reported.withLock { $0.append(event) } }
    let path = folder.path("take.mov")
    let recording = Task {
      try await series.record(
        telling: { recorder.note($0) },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    recorder.ends { recording.cancel() }
    func statuses() -> [RecorderStatus] {
      recorder.look()
      return reported.withLock { $0.compactMap(\.status) }
    }
    let words = "the source is lost; the take continues when it is back"
    try await eventually("the source is away") {
      statuses().contains { $0.message?.hasPrefix(words) == true }
    }
    try await eventually("the source is back") {
      statuses().drop { $0.message == nil }.contains { $0.source?.hasSignal == true }
    }
    let seen = statuses()
    recorder.end()
    #expect(
      seen.allSatisfy {
        $0.message == nil || $0.state == .recording && $0.source?.hasSignal == false
      })
    let report = try await recording.value
    #expect(recorder.status.state == .finishing)
    recorder.finish(.success(report), outcome: { _ in .imperfect })
    #expect(recorder.status.state == .ended)
    let kinds = reported.withLock { $0.map(\.event) }
    #expect(kinds.filter { $0 == .takeStarted }.count == 1, "it starts once: \(kinds)")
  }
}
