import Foundation
import MediaCore
import Testing

@testable import VideoRecorder

/// Sources that go away while a take is recorded.
@Suite("Interruptions")
struct InterruptionTests {
  /// True where the machine is not busy with a thousand other tests that must end soon.
  static let keepsTime = ProcessInfo.processInfo.environment["TEST_ALL"] != nil

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "series-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func request(
    _ device: String, _ duration: RecordingDuration, _ policy: InterruptionPolicy
  ) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.duration = duration
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    request.preset.faults.interruption = policy
    return request
  }

  private func take(_ request: RecordingRequest) async throws -> RecordingReport {
    let path = folder.appending(path: "take.mov").path
    let report = try await RecordingSeries(request).record {
      () throws(CaptureError) in path
    }
    for part in [report] + report.continuations {
      #expect(part.isValid)
      let complaints = try MovieRig.run(
        "ffmpeg",
        [
          "-v", "error", "-xerror", "-err_detect", "explode", "-i", part.movie.path, "-f", "null",
          "-",
        ])
      #expect(complaints.isEmpty, "\(complaints)")
    }
    return report
  }

  @Test(
    "a device that was pulled out and is back goes on in a new movie, timecode running",
    .enabled(if: Self.keepsTime, "the pattern is gone after seconds; make test-all waits for it"))
  func newSegment() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // The device is gone after some seconds each time that it is opened.
    let report = try await take(request("pattern?unplug=60", .frames(250), .newSegment))
    let parts = [report] + report.continuations
    #expect(parts.count >= 2)
    #expect(parts.dropLast().allSatisfy { $0.end == .deviceDisconnected })
    #expect(
      parts.prefix(2).map { URL(filePath: $0.movie.path).lastPathComponent }
        == ["take.mov", "take-002.mov"])
    let first = try #require(report.movie.startTime)
    for part in parts {
      let text = try #require(part.movie.startTimecode)
      let start = try #require(Timecode(text, frameRate: .fps25))
      let time = try #require(part.movie.startTime)
      #expect(start.frameNumber == 90_000 + Int64(((time - first) * 25).rounded()))
    }
    #expect(report.status(of: 0) == 3 && report.status(of: 4) == 4)
  }

  @Test(
    "where the source is not to be awaited, the take ends with a valid movie",
    .enabled(if: Self.keepsTime, "the pattern is gone after seconds; make test-all waits for it"))
  func stop() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await take(request("pattern?unplug=60", .frames(100), .stop))
    #expect(report.end == .deviceDisconnected)
    #expect(report.continuations.isEmpty)
    #expect(report.movie.frameCount <= 60)
    #expect(report.status(of: report.exitStatus) == 4)
  }

  /// The number of the frame that starts now, at 25 a second.
  private var present: Int { Int(MonotonicClock.now / 40_000_000) }

  @Test(
    "a lost signal is bridged by the last frame or a slate, in step with the clock",
    arguments: [RecordingOptions.SignalLossPolicy.holdLastFrame, .slate])
  func bridge(_ policy: RecordingOptions.SignalLossPolicy) async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = policy
    var filled = 0
    let report = try await rig.record { camera, _ in
      let begin = present
      for index in begin - 24...begin { try camera.sendFrame(index) }
      camera.send(.signalLost)
      while rig.output.progress?.frames ?? 0 < 50 { try await Task.sleep(for: .milliseconds(20)) }
      camera.send(.signalRestored)
      let end = present + 1
      filled = end - begin - 1
      for index in end..<end + 5 { try camera.sendFrame(index) }
      rig.output.stopRecording()
    }
    #expect(report.isValid)
    #expect(report.movie.frameCount == Int64(25 + filled + 5))
    #expect(report.frames.repeated == (policy == .slate ? filled - 1 : filled))
    #expect(report.frames.dropped == 0)
    #expect(report.incidents.first { $0.kind == .signalLost }?.frame == 25)
    let bridged = report.incidents.filter { $0.kind == .repeated }
    #expect(bridged.first?.frame == 25)
    #expect(bridged.reduce(0) { $0 + $1.count } == filled)
    _ = try rig.judge()
    let pictures = try rig.frameHashes()
    #expect(pictures.count == 25 + filled + 5)
    #expect(Set(pictures[25..<25 + filled]).count == 1)
    #expect((pictures[25] == pictures[24]) == (policy == .holdLastFrame))
    #expect(pictures[25 + filled] != pictures[24 + filled])
  }

  @Test("a device that delivers nothing any more is noticed")
  func stall() async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 0.5
    let report = try await rig.record { camera, _ in
      let begin = present
      for index in begin - 24...begin { try camera.sendFrame(index) }
    }
    #expect(report.end == .deviceStalled)
    #expect(report.movie.frameCount == 25)
    #expect(report.incidents.contains { $0.kind == .stalled && $0.frame == 25 })
    #expect(report.exitStatus == 4)
    _ = try rig.judge()
  }

  @Test("a device that stalls for a while is bridged")
  func bridgedStall() async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 0.5
    rig.output.options.signalLossPolicy = .holdLastFrame
    let report = try await rig.record { camera, _ in
      let begin = present
      for index in begin - 24...begin { try camera.sendFrame(index) }
      while rig.output.progress?.frames ?? 0 < 40 { try await Task.sleep(for: .milliseconds(20)) }
      try camera.sendFrame(present + 1)
      rig.output.stopRecording()
    }
    #expect(report.isValid && report.end == .stopped)
    #expect(report.frames.repeated >= 15)
    #expect(report.incidents.map(\.kind).prefix(2) == [.stalled, .repeated])
    _ = try rig.judge()
  }
}
