import Foundation
import Glibc
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices
@testable import MovieTools
@testable import TakeReports
@testable import Takes
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
    _ device: String, _ duration: RecordingDuration?, _ policy: InterruptionPolicy
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

  /// Records a take, ended where it is not over by itself as its last movie begins.
  private func take(
    _ request: RecordingRequest, movies limit: Int = .max
  ) async throws -> RecordingReport {
    let path = folder.appending(path: "take.mov").path
    let series = try RecordingSeries(request)
    let (starts, continuation) = AsyncStream.makeStream(of: Void.self)
    let recording = Task {
      try await series.record(
        telling: { if case .resumed = $0 { continuation.yield() } },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    let ending = Task {
      var count = 1
      for await _ in starts {
        count += 1
        if count >= limit { recording.cancel() }
      }
    }
    defer { ending.cancel() }
    let report = try await recording.value
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

  @Test("a signal that goes again and again, in a take of segments, makes a movie more each time")
  func segmentsOfASeries() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Without an end by time, which would come sooner on a busy machine.
    var request = request("pattern?pace=none&signal=20,1,20", nil, .newSegment)
    request.preset.segment = .duration(.frames(8))
    let report = try await take(request, movies: 3)
    let parts = [report] + report.continuations
    #expect(parts.count >= 3)
    #expect(parts.prefix(2).allSatisfy { $0.end == .signalLost })
    #expect(Set(parts.map(\.movie.path)).count == parts.count)
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

  // MARK: Devices that are gone

  private static let gone = CaptureError(
    .deviceDisconnected, "Test (v4l2:test) was disconnected", errno: ENODEV)

  /// Frames at the present, then nothing: the device is gone.
  private func unplug(_ rig: MovieRig, _ camera: ScriptedStream) throws -> Int {
    let begin = present
    for index in begin - 24...begin { try camera.sendFrame(index, sequence: UInt32(index)) }
    rig.cameraDriver.state.withLock { $0.openError = Self.gone }
    camera.send(.failed(Self.gone))
    return begin
  }

  @Test(
    "a device that was pulled out is bridged until it is back, timecode and all",
    arguments: [RecordingOptions.SignalLossPolicy.holdLastFrame, .slate])
  func bridgedUnplug(_ policy: RecordingOptions.SignalLossPolicy) async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = policy
    rig.output.options.sourceWaitLimit = 60
    rig.output.options.timecodeSource = .start(
      try #require(Timecode("01:00:00:00", frameRate: .fps25)))
    var filled = 0
    let report = try await rig.record { camera, _ in
      let begin = try unplug(rig, camera)
      // Still away when it is looked for the first time.
      while rig.output.progress?.frames ?? 0 < 45 { try await Task.sleep(for: .milliseconds(20)) }
      rig.cameraDriver.state.withLock { $0.openError = nil }
      while rig.cameraDriver.openings < 2 || rig.cameraDriver.stream?.isFlowing != true {
        try await Task.sleep(for: .milliseconds(5))
      }
      let back = try #require(rig.cameraDriver.stream)
      let end = present + 1
      filled = end - begin - 1
      // The new stream counts from 0.
      for index in end..<end + 10 { try back.sendFrame(index, sequence: UInt32(index - end)) }
      rig.output.stopRecording()
    }
    #expect(report.isValid && report.end == .stopped && report.exitStatus == 3)
    #expect(report.movie.frameCount == Int64(25 + filled + 10))
    #expect(report.frames.dropped == 0)
    #expect(report.frames.repeated == (policy == .slate ? filled - 1 : filled))
    #expect(report.incidents.first { $0.kind == .deviceLost }?.frame == 25)
    #expect(report.incidents.contains { $0.kind == .deviceRestored })
    #expect(!report.incidents.contains { $0.kind == .stalled })
    #expect(report.movie.startTimecode == "01:00:00:00")
    let after = Timecode("01:00:00:00", frameRate: .fps25)?.advanced(by: Int64(35 + filled))
    #expect(report.movie.endTimecode == after?.description)
    _ = try rig.judge()
    let pictures = try rig.frameHashes()
    #expect(pictures.count == 25 + filled + 10)
    #expect(Set(pictures[25..<25 + filled]).count == 1)
    #expect((pictures[25] == pictures[24]) == (policy == .holdLastFrame))
    #expect(Set(pictures[(25 + filled)...]).count == 10)
  }

  @Test("a device that does not come back in time ends the take, which is valid")
  func bridgedTooLong() async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .holdLastFrame
    rig.output.options.sourceWaitLimit = 1.5
    let report = try await rig.record { camera, _ in _ = try unplug(rig, camera) }
    #expect(report.end == .deviceDisconnected && report.exitStatus == 4)
    #expect(report.error?.contains("disconnected") == true)
    #expect((30...80).contains(report.movie.frameCount), "\(report.movie.frameCount)")
    #expect(report.frames.repeated == Int(report.movie.frameCount) - 25)
    _ = try rig.judge()
  }

  @Test("a device that is back with other pictures ends the movie, which is valid")
  func bridgedToOtherFormat() async throws {
    let rig = try MovieRig(isRealTime: true, hasSound: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .slate
    let report = try await rig.record { camera, _ in
      _ = try unplug(rig, camera)
      rig.cameraDriver.state.withLock {
        $0.openError = CaptureError(.formatUnavailable, "the signal is another one by now")
      }
    }
    #expect(report.end == .formatChanged && report.exitStatus == 4)
    #expect(report.incidents.contains { $0.kind == .deviceLost })
    _ = try rig.judge()
  }

  @Test("a V4L2 device that was pulled out is found under another node, and the movie goes on")
  func replug() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let kernel = FakeKernel()
    let device = CaptureDevice(
      driver: try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel))
    let session = CaptureSession()
    session.reconnectsDevices = true
    let output = CaptureMovieFileOutput()
    output.allowedTiers = Set(FormatTier.allCases)
    output.minFreeDiskSpaceLimit = 0
    output.options.signalLossPolicy = .holdLastFrame
    output.options.stallTimeout = 30
    try session.add(CaptureDeviceInput(device: device))
    try session.add(output)
    try await session.start()
    let url = folder.appending(path: "take.mov")
    async let result = output.record(to: url)
    while !output.isRecording { try await Task.sleep(for: .milliseconds(1)) }
    /// Frames at the clock's own instants, each with the next number.
    func feed(_ count: UInt32, to node: String) async throws {
      var number: UInt32 = 0
      while number < count {
        let time = MonotonicClock.now
        kernel.state.withLock { $0.now = time }
        if kernel.fill(number, after: 0, of: node) { number += 1 }
        try await Task.sleep(for: .milliseconds(40))
      }
    }
    try await feed(10, to: "/dev/video0")
    let camera = try #require(kernel.unplug())
    // The clock of the device's kernel goes on by itself no more: nothing reads it meanwhile.
    while output.isRecording, output.progress?.repeated ?? 0 < 10,
      output.progress?.frames ?? 0 < 25
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    kernel.plug(camera, as: "/dev/video1")
    try await feed(10, to: "/dev/video1")
    output.stopRecording()
    let report = try await result
    await session.stop()
    #expect(report.isValid && report.end == .stopped && report.exitStatus == 3)
    #expect(report.incidents.contains { $0.kind == .deviceLost })
    #expect(report.incidents.contains { $0.kind == .deviceRestored })
    #expect(device.identity.node == "/dev/video1")
    #expect(report.frames.repeated >= 10)
    let verified = try MovieVerifier(path: url.path).run()
    #expect(verified.isValid && verified.decodedFrames == report.movie.frameCount)
    #expect(kernel.leaks == (0, 0))
  }

  @Test(
    "a pattern that is gone again and again makes one movie, held in between",
    .enabled(if: Self.keepsTime, "the pattern is gone after seconds; make test-all waits for it"))
  func heldPattern() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await take(request("pattern?unplug=50", .frames(200), .hold))
    #expect(report.continuations.isEmpty)
    #expect(report.end == .maximumDurationReached && report.movie.frameCount == 200)
    #expect(report.incidents.filter { $0.kind == .deviceLost }.count >= 2)
    #expect(report.movie.startTimecode == "01:00:00:00")
    #expect(report.movie.endTimecode == "01:00:08:00")
    #expect(report.frames.repeated > 20)
    #expect(report.status(of: report.exitStatus) == 3)
  }
}
