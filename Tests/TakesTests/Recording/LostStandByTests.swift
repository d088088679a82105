import AssetWriter
import CaptureTestSupport
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder

/// Sources that go away while a recording stands by for its start.
@Suite struct LostStandByTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_device_lost_during_standby_is_reported_and_awaited() async throws {
    let driver = ScriptedDriver(formats: [.frames(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.preset.preRoll = .seconds(0.4)
    request.device = driver
    let setup = try RecordingSetup(request)
    let lines = Mutex<[String]>([])
    setup.output.noticeHandler = { line in lines.withLock { $0.append(line) } }
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let path = folder.path("take.mov")
    async let report = setup.record(
      after: {
        for await _ in starts { break }
        return nil
      },
      to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    try await eventually("the recording stands by") { setup.output.isStandingBy }
    let gone = CaptureError(.deviceDisconnected, "Test was disconnected")
    driver.state.withLock { $0.openError = gone }
    try #require(driver.stream).send(.failed(gone))
    try await eventually("a notice reports it") {
      lines.withLock { $0.contains { $0.hasPrefix("Test was disconnected; nothing is buffered") } }
    }
    driver.state.withLock { $0.openError = nil }
    try await eventually("the recording is in standby again") {
      lines.withLock { $0.contains { $0.contains("is in standby again") } }
    }
    let camera = try #require(driver.stream)
    let now = Int(MonotonicClock.now / 40_000_000)
    for index in now - 9...now { try camera.sendFrame(index) }
    start.yield()
    try await eventually("the take has begun") { setup.output.isRecording }
    for index in now + 1..<now + 6 { try camera.sendFrame(index) }
    setup.output.stopRecording()
    let whole = try await report
    #expect(whole.isValid && whole.movie.preRollFrames == 10 && whole.movie.frameCount == 15)
    #expect(lines.withLock { $0.count } == 2)
  }

  /// Either the format changes in place, or the device returns with another one.
  @Test(arguments: [true, false])
  func a_format_change_during_standby_asks_for_a_restart(isThere: Bool) async throws {
    let driver = ScriptedDriver(formats: [.frames(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = driver
    let setup = try RecordingSetup(request)
    let lines = Mutex<[String]>([])
    setup.output.noticeHandler = { line in lines.withLock { $0.append(line) } }
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let path = folder.path("take.mov")
    let recording = Task {
      try await setup.record(
        after: {
          for await _ in starts { break }
          return nil
        },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    try await eventually("the recording stands by") { setup.output.isStandingBy }
    driver.state.withLock { $0.openError = CaptureError(.formatUnavailable, "no such format") }
    let gone = CaptureError(.deviceDisconnected, "Test was disconnected")
    try #require(driver.stream).send(isThere ? .formatChanged : .failed(gone))
    try await eventually("a notice reports it") {
      lines.withLock {
        $0.last?.hasSuffix("no recording can start; end this one and start it again")
      }
        == true
    }
    #expect(lines.withLock { $0.count } == (isThere ? 1 : 2))
    start.yield()
    await #expect(throws: CaptureError.self) { try await recording.value }
  }
}
