import CaptureDevices
import Foundation
import MediaCore
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// Reports of a source that goes away, and of one that ends.
@Suite(.timeLimit(.minutes(5))) struct SourceAwayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_take_reports_a_missing_source_until_it_returns() async throws {
    let rig = try await RecorderRig("pattern:bars?unplug=150", in: folder)
    var events = rig.events
    // The source also goes away between takes.
    try await eventually("a take begins") {
      try await rig.client.send(.start(TakeSlate(), nil)).isDone
    }
    func status(_ isWanted: (RecorderStatus) -> Bool) async -> RecorderStatus? {
      while let event = await events.next() {
        if let status = event.status, status.take != nil, isWanted(status) { return status }
      }
      return nil
    }
    let away = try #require(await status { $0.message != nil })
    #expect(away.state == .recording && away.source?.hasSignal == false)
    #expect(away.message?.hasPrefix("the source is lost; the take continues") == true)
    let back = try #require(await status { $0.message == nil })
    #expect(back.state == .recording && back.source?.hasSignal == true)
    #expect(try await rig.client.send(.stop).isDone)
    var finished: RecorderEvent.FinishedTake?
    while finished == nil, let event = await events.next() { finished = event.finished }
    #expect(finished?.message?.hasPrefix("the source was lost ") == true)
    _ = try await rig.end()
  }

  @Test func a_recorder_reports_the_end_of_its_source() async throws {
    let rig = try await RecorderRig(in: folder)
    #expect(try await rig.client.send(.start(TakeSlate(), nil)).isDone)
    try await rig.waitForFrames(10)
    _ = try await rig.end()
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "file:" + folder.path("t-001.mov")
    let recorder = TakeRecorder(
      try TakeSession(request, name: folder.path("u-{take}.mov"), idles: true))
    let outcome = try await recorder.run()
    #expect(outcome.takes.isEmpty && outcome.endedWithSource && outcome.failure == nil)
    let status = recorder.status
    #expect(status.state == .ended)
    #expect(status.message?.hasSuffix(" has ended") == true, "\(status)")
  }
}
