import Foundation
import Synchronization
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// The disk space for the next take.
@Suite struct IdleDiskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func an_idle_recorder_reports_disk_space_for_its_next_take() throws {
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
    #expect(disk.folderName == URL(filePath: place).lastPathComponent)
    #expect(abs(try #require(disk.worstCaseSecondsLeft) - 60) < 0.01)
    let blind = TakeRecorder(session, freeBytes: { _ in nil })
    #expect(blind.status.disk == nil)
  }

  @Test func a_recorder_on_standby_reports_disk_space_until_a_take_starts() async throws {
    let rig = try await RecorderRig(idles: false, in: folder)
    try await eventually("the recorder is on standby") {
      try await rig.client.send(.status).status?.progress?.isStandingBy == true
    }
    let waiting = try #require(try await rig.client.send(.status).status)
    #expect(waiting.disk?.folderName == folder.url.lastPathComponent)
    #expect(waiting.disk?.freeSpace ?? 0 > 0 && waiting.secondsLeft != nil)
    #expect(try await rig.client.send(.start(TakeSlate(), nil)).isDone)
    try await rig.waitForFrames(3)
    let recording = try #require(try await rig.client.send(.status).status)
    #expect(recording.disk == nil && recording.progress?.freeDiskSpace != nil)
    _ = try await rig.end()
  }

  /// Whether the name is that of a folder can only be found out from the disk.
  @Test func status_does_not_wait_for_a_hanging_disk() async throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    let session = try TakeSession(request, name: folder.path("day"), idles: true)
    let looks = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    let recorder = TakeRecorder(
      session,
      freeBytes: { _ in
        let look = looks.withLock { count in
          count += 1
          return count
        }
        if look > 1 { gate.wait() }
        return 7_000
      })
    defer { for _ in 0..<8 { gate.signal() } }
    #expect(recorder.status.disk?.freeSpace == 7_000)
    try FileManager.default.createDirectory(
      at: folder.url("day"), withIntermediateDirectories: false)
    // The last answer is reused for a moment.
    try await eventually("the disk is checked again") {
      _ = recorder.status
      return looks.withLock { $0 } > 1
    }
    #expect(recorder.status.disk?.freeSpace == 7_000, "the last known value is reported")
  }
}
