import Foundation
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// The room for a take that is to come.
@Suite struct IdleDiskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_recorder_that_idles_tells_the_room_for_its_next_take() throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    request.preset.limits.minimumFreeSeconds = 10
    let session = try TakeSession(request, name: folder.path("t-{take}.mov"), idles: true)
    let place = URL(filePath: folder.path("t.mov")).deletingLastPathComponent().path
    let free = Int64(session.setup.targetBytesPerSecond * 70)
    let recorder = TakeRecorder(session, freeBytes: { $0 == place ? free : nil })
    let status = recorder.status
    #expect(status.progress == nil)
    let disk = try #require(status.disk)
    #expect(disk.freeSpace == free)
    #expect(abs(try #require(disk.worstCaseSecondsLeft) - 60) < 0.01)
    let blind = TakeRecorder(session, freeBytes: { _ in nil })
    #expect(blind.status.disk == nil)
  }
}
