import CaptureTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// Takes that begin behind a loss within the time of standing by.
@Suite struct StandByLossTests {
  /// Has a second of frames come, and gives the number of the last one.
  private func standBy(_ rig: MovieRig) async throws -> (camera: ScriptedStream, last: Int) {
    rig.output.preRollDuration = MediaTime(value: 10, timescale: 25)
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.output.standBy()
    let now = Int(MonotonicClock.now / 40_000_000)
    for index in now - 24...now { try camera.sendFrame(index) }
    try await eventually("the pre-roll is full") { (rig.output.progress?.preRoll ?? 0) >= 0.4 }
    return (camera, now)
  }

  @Test func a_take_that_begins_without_a_signal_ends_and_says_so() async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = .finish
    let (camera, _) = try await standBy(rig)
    camera.send(.signalLost)
    try await eventually("it is known") { rig.session.isInterrupted }
    let report = try await rig.output.record(to: rig.url)
    await rig.session.stop()
    #expect(report.end == .signalLost && report.movie.frameCount == 10)
    #expect(report.error?.message.isEmpty == false)
  }

  /// Standing by may have begun hours before.
  @Test func the_time_that_a_delegate_is_told_is_that_of_the_first_frame_of_the_movie() async throws
  {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    let (_, last) = try await standBy(rig)
    let recording = try await rig.begin()
    let told = try #require(rig.output.current?.startPTS)
    #expect(abs(told.seconds - Double(last - 9) / 25) < 0.02, "\(told.seconds) for frame \(last)")
    rig.output.stopRecording()
    _ = try await recording.value
    await rig.session.stop()
  }
}
