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

/// Takes whose source goes away, handled according to the request's policy.
@Suite struct InterruptedTakeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
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

  /// Records a take, and ends it when its last wanted movie begins if it is still running.
  private func take(
    _ request: RecordingRequest, movies limit: Int = .max
  ) async throws -> RecordingReport {
    let path = folder.url("take.mov").path
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
      #expect(try Judges.strictDecode(part.movie.path) == "")
    }
    return report
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the device disconnects after seconds; make test-all waits for it"))
  func a_reconnected_device_continues_in_a_new_movie() async throws {
    // The device disappears some seconds after each opening.
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
    #expect(report.outcome(endingWith: .complete) == .imperfect)
    #expect(report.outcome(endingWith: .endedEarly) == .endedEarly)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the device disconnects after seconds; make test-all waits for it"))
  func a_paused_take_stays_paused_when_its_device_returns() async throws {
    let path = folder.url("take.mov").path
    let series = try RecordingSeries(request("pattern?unplug=60", nil, .newSegment))
    let (losses, continuation) = AsyncStream.makeStream(of: Void.self)
    let notices = Mutex<[String]>([])
    let recording = Task {
      try await series.record(
        telling: {
          switch $0 {
          case .interrupted: continuation.yield()
          case .noticed(let line): notices.withLock { $0.append(line) }
          case .resumed: break
          }
        },
        to: { () throws(CaptureError) in MovieName.Resolution(path: path) })
    }
    let ending = Task {
      for await _ in losses.dropFirst() { recording.cancel() }
    }
    defer { ending.cancel() }
    let setup = series.setup
    while setup.output.progress?.frames ?? 0 == 0 { try await Task.sleep(for: .milliseconds(5)) }
    setup.output.pauseRecording()
    let report = try await recording.value
    let next = try #require(report.continuations.first)
    #expect(report.wasPaused == true && next.wasPaused == true)
    #expect(next.movie.frameCount < 30, "fewer than the sixty before the next disconnection")
    #expect(notices.withLock { $0 }.contains { $0.contains("still paused") })
  }

  @Test func each_signal_loss_in_a_segmented_take_starts_a_new_movie() async throws {
    // Without a duration, which would be reached too soon on a busy machine.
    var request = request("pattern?pace=none&signal=20,1,20", nil, .newSegment)
    request.preset.segment = .duration(.frames(8))
    let report = try await take(request, movies: 3)
    let parts = [report] + report.continuations
    #expect(parts.count >= 3)
    #expect(parts.prefix(2).allSatisfy { $0.end == .signalLost })
    #expect(Set(parts.map(\.movie.path)).count == parts.count)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the device disconnects after seconds; make test-all waits for it"))
  func under_the_stop_policy_a_lost_device_ends_the_take() async throws {
    let report = try await take(request("pattern?unplug=60", .frames(100), .stop))
    #expect(report.end == .deviceDisconnected)
    #expect(report.continuations.isEmpty)
    #expect(report.movie.frameCount <= 60)
    #expect(report.outcome(endingWith: report.outcome) == .endedEarly)
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough, "the device disconnects after seconds; make test-all waits for it"))
  func under_the_hold_policy_repeated_device_losses_yield_one_movie() async throws {
    let report = try await take(request("pattern?unplug=50", .frames(200), .hold))
    #expect(report.continuations.isEmpty)
    #expect(report.end == .maximumDurationReached && report.movie.frameCount == 200)
    #expect(report.incidents.filter { $0.kind == .deviceLost }.count >= 2)
    #expect(report.movie.startTimecode == "01:00:00:00")
    #expect(report.movie.endTimecode == "01:00:08:00")
    #expect(report.frames.repeated > 20)
    #expect(report.outcome(endingWith: report.outcome) == .imperfect)
  }

  @Test(arguments: InterruptionPolicy.allCases)
  func the_session_reconnects_devices_under_each_policy(
    _ policy: InterruptionPolicy
  ) throws {
    #expect(try RecordingSetup(request("pattern", nil, policy)).session.reconnectsDevices)
  }

  @Test func the_presets_limit_counts_all_movies_of_a_take() async throws {
    var request = request("pattern?pace=none&signal=20,1,20", nil, .newSegment)
    request.preset.limits.maximumSeconds = 1.2
    let report = try await take(request)
    let parts = [report] + report.continuations
    #expect(parts.reduce(0) { $0 + $1.movie.frameCount } == 30)
    #expect(parts.last?.end == .maximumDurationReached)
  }

  @Test func the_presets_limit_applies_without_a_known_frame_rate() async throws {
    var report = try await take(request("pattern?pace=none", .frames(5), .newSegment))
    report.end = .maximumDurationReached
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = ScriptedDriver(formats: [.frames(.v210, rates: [])])
    request.preset.limits.maximumSeconds = 2
    for (duration, longest, outcome) in [
      (1.0, 1.0, RecordingReport.Outcome.complete), (3, 2, .endedEarly),
    ] {
      request.duration = .seconds(duration)
      let setup = try RecordingSetup(request)
      #expect(setup.selection.frameRate == nil)
      #expect(setup.output.options.maxRecordedDuration.seconds == longest)
      #expect(setup.outcome(of: report) == outcome)
    }
  }

  @Test func a_take_continues_from_the_same_device_at_another_port() throws {
    // No device is found by this identifier.
    let driver = ScriptedDriver("v4l2:usb-old-port", formats: [.frames(.v210)])
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.preset.audio.device = "none"
    request.device = driver
    let setup = try RecordingSetup(request)
    request.device = nil
    request.deviceID = driver.identity.uniqueID
    var source = ReturningSource(of: setup, request)
    driver.state.withLock {
      $0.formatsError = CaptureError(.deviceDisconnected, "it is not connected")
    }
    var lines: [String] = []
    #expect(source.setUp { lines.append($0) } == nil)
    driver.state.withLock { $0.formatsError = nil }
    #expect(source.setUp { lines.append($0) }?.selection.device.driver === driver)
    #expect(lines.isEmpty)
  }

  @Test func the_reason_a_take_cannot_continue_is_reported_once() throws {
    let request = request("pattern?pace=none", .frames(5), .newSegment)
    var source = ReturningSource(of: try RecordingSetup(request), request)
    var lines: [String] = []
    for code in [CaptureError.Code.deviceNotFound, .diskFull, .diskFull, .signalLost] {
      source.note(CaptureError(code, "\(code.name)")) { lines.append($0) }
    }
    #expect(lines == ["the recording does not continue yet: diskFull"])
    #expect(source.setUp { lines.append($0) } != nil && lines.count == 1)
  }
}
