import CaptureTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import TakeReports
@testable import VideoRecorder

@Suite struct OverlappingTakeTests {
  @Test func a_take_can_begin_while_the_previous_one_awaits_audio() async throws {
    let rig = try MovieRig(isRealTime: true, audioPatience: .init(silence: 60, total: 60))
    defer { rig.cleanUp() }
    let second = rig.folder.appending(path: "second.mov")
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    let microphone = try #require(rig.microphoneDriver.stream)
    func audio(_ frames: Range<Int>) throws {
      for index in frames { try microphone.sendAudio(from: index * 1920, frames: 1920) }
    }
    async let one = rig.output.record(to: rig.url)
    try await eventually("the first take begins") { rig.output.isRecording }
    // The audio is two frames late.
    try rig.feed(0..<8, camera, microphone)
    try rig.feed(8..<10, camera, nil)
    rig.output.stopRecording()
    async let two = rig.output.record(to: second)
    try await eventually("the second take begins") { rig.output.outputFileURL == second }
    try rig.feed(10..<25, camera, nil)
    try audio(8..<20)
    rig.output.stopRecording()
    try audio(20..<26)
    let reports = try await (one, two)
    await rig.session.stop()
    #expect(reports.0.movie.frameCount == 10 && reports.0.outcome == .complete)
    #expect(reports.1.movie.frameCount == 15 && reports.1.outcome == .complete)
    #expect(reports.0.audio.first?.written == 19_200)
    #expect(reports.1.audio.first?.written == 28_800)
    #expect(reports.0.audio.first?.silence == 0 && reports.1.audio.first?.silence == 0)
  }
}
