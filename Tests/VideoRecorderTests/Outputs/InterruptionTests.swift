import AssetWriter
import CaptureTestSupport
import Foundation
import Glibc
import MediaCore
import MovieTools
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// Sources that go away during a take.
@Suite struct InterruptionTests {
  /// The number of the frame that starts now, at 25 fps.
  private var present: Int { Int(MonotonicClock.now / 40_000_000) }

  /// Sends the frames of the last second; returns the number of the one that starts now.
  @discardableResult private func sendOneSecond(_ camera: ScriptedStream) throws -> Int {
    let begin = present
    for index in begin - 24...begin { try camera.sendFrame(index) }
    return begin
  }

  /// Waits until fifteen frames fill the gap, and stops after the first new frame.
  private func stopWhenBridged(
    _ rig: MovieRig, _ camera: ScriptedStream, after event: CaptureEvent? = nil
  ) async throws {
    try await eventually("the gap is bridged") { rig.output.progress?.frames ?? 0 >= 40 }
    if let event { camera.send(event) }
    try camera.sendFrame(present + 1)
    rig.output.stopRecording()
  }

  @Test(arguments: [RecordingOptions.SignalLossPolicy.holdLastFrame, .slate])
  func a_lost_signal_is_bridged_by_the_last_frame_or_a_slate(
    _ policy: RecordingOptions.SignalLossPolicy
  ) async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = policy
    var filled = 0
    let report = try await rig.record { camera, _ in
      let begin = try sendOneSecond(camera)
      camera.send(.signalLost)
      try await eventually("the loss is bridged") { rig.output.progress?.frames ?? 0 >= 50 }
      // The rig's frames repeat after sixty, and the next one must differ.
      try await eventually("the next frame differs") { (present + 1 - begin) % 60 != 0 }
      camera.send(.signalRestored)
      var end = present + 1
      if (end - begin) % 60 == 0 { end += 1 }
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
    let frames = try rig.frameHashes()
    #expect(frames.count == 25 + filled + 5)
    #expect(Set(frames[25..<25 + filled]).count == 1)
    #expect((frames[25] == frames[24]) == (policy == .holdLastFrame))
    #expect(frames[25 + filled] != frames[24 + filled])
  }

  /// A cable is pulled during a pause, before recording is resumed.
  @Test(arguments: [RecordingOptions.SignalLossPolicy.finish, .holdLastFrame])
  func a_signal_lost_during_a_pause_is_noticed_on_resuming(
    _ policy: RecordingOptions.SignalLossPolicy
  ) async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = policy
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
      rig.output.pauseRecording()
      camera.send(.signalLost)
      rig.output.resumeRecording()
      guard policy != .finish else { return }
      try await stopWhenBridged(rig, camera, after: .signalRestored)
    }
    #expect(report.end == (policy == .finish ? .signalLost : .stopped))
    #expect(report.incidents.first { $0.kind == .signalLost }?.frame == 25)
    #expect(report.outcome == (policy == .finish ? .endedEarly : .imperfect))
    if policy == .finish {
      #expect(report.movie.frameCount == 25)
    } else {
      #expect(report.frames.repeated >= 15)
    }
    _ = try rig.judge()
  }

  /// A capture card's frames without a signal show nothing real.
  @Test func a_take_without_a_signal_begins_when_it_returns() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    try await rig.session.start()
    try #require(rig.cameraDriver.stream).send(.signalLost)
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
      camera.send(.signalRestored)
      let first = present
      for index in first..<first + 5 { try camera.sendFrame(index) }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 5)
    #expect(report.incidents.map(\.kind) == [.signalLost, .signalRestored])
    #expect(report.incidents.allSatisfy { $0.frame == 0 })
  }

  @Test func a_device_silent_since_a_pause_is_reported_as_stalled() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 0.5
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
      rig.output.pauseRecording()
      rig.output.resumeRecording()
    }
    #expect(report.end == .deviceStalled && report.movie.frameCount == 25)
  }

  /// If frames keep their times, none is repeated: the last one is extended.
  @Test func a_lost_signal_at_a_variable_rate_repeats_no_frame() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = .holdLastFrame
    rig.output.options.gapPolicy = .extendPreviousFrame
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
      camera.send(.signalLost)
      try await stopWhenBridged(rig, camera, after: .signalRestored)
    }
    #expect(report.isValid && report.movie.frameCount == 26)
    #expect(report.frames.repeated == 0)
    #expect(!report.incidents.contains { $0.kind == .repeated })
    _ = try rig.judge()
  }

  @Test func a_device_that_stops_delivering_ends_the_take() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 0.5
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
    }
    #expect(report.end == .deviceStalled)
    #expect(report.movie.frameCount == 25)
    #expect(report.incidents.contains { $0.kind == .stalled && $0.frame == 25 })
    #expect(report.outcome == .endedEarly)
    _ = try rig.judge()
  }

  @Test func a_temporary_stall_is_bridged() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 0.5
    rig.output.options.signalLossPolicy = .holdLastFrame
    let report = try await rig.record { camera, _ in
      try sendOneSecond(camera)
      try await stopWhenBridged(rig, camera)
    }
    #expect(report.isValid && report.end == .stopped)
    #expect(report.frames.repeated >= 15)
    #expect(report.incidents.map(\.kind).prefix(2) == [.stalled, .repeated])
    _ = try rig.judge()
  }

  // MARK: Devices that are gone

  private static let gone = CaptureError(
    .deviceDisconnected, "Test (v4l2:test) was disconnected", errno: ENODEV)

  /// Sends frames up to the present, then nothing: the device is gone.
  private func unplug(_ rig: MovieRig, _ camera: ScriptedStream) throws -> Int {
    let begin = present
    for index in begin - 24...begin { try camera.sendFrame(index, sequence: UInt32(index)) }
    rig.cameraDriver.state.withLock { $0.openError = Self.gone }
    camera.send(.failed(Self.gone))
    return begin
  }

  @Test(arguments: [RecordingOptions.SignalLossPolicy.holdLastFrame, .slate])
  func an_unplugged_device_is_bridged_with_timecode_until_it_returns(
    _ policy: RecordingOptions.SignalLossPolicy
  ) async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = policy
    rig.output.options.sourceWaitLimit = 60
    rig.output.options.timecodeSource = .start(
      try #require(Timecode("01:00:00:00", frameRate: .fps25)))
    var filled = 0
    let report = try await rig.record { camera, _ in
      let begin = try unplug(rig, camera)
      // Still away at the first attempt to reopen it.
      try await eventually("the gap is bridged") { rig.output.progress?.frames ?? 0 >= 45 }
      rig.cameraDriver.state.withLock { $0.openError = nil }
      try await eventually("the device is opened again") {
        rig.cameraDriver.openings >= 2 && rig.cameraDriver.stream?.isFlowing == true
      }
      let back = try #require(rig.cameraDriver.stream)
      let end = present + 1
      filled = end - begin - 1
      // The new stream counts from 0.
      for index in end..<end + 10 { try back.sendFrame(index, sequence: UInt32(index - end)) }
      rig.output.stopRecording()
    }
    #expect(report.isValid && report.end == .stopped && report.outcome == .imperfect)
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
    let frames = try rig.frameHashes()
    #expect(frames.count == 25 + filled + 10)
    #expect(Set(frames[25..<25 + filled]).count == 1)
    #expect((frames[25] == frames[24]) == (policy == .holdLastFrame))
    #expect(Set(frames[(25 + filled)...]).count == 10)
  }

  @Test func a_device_that_does_not_return_in_time_ends_a_valid_take() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .holdLastFrame
    rig.output.options.sourceWaitLimit = 1.5
    let report = try await rig.record { camera, _ in _ = try unplug(rig, camera) }
    #expect(report.end == .deviceDisconnected && report.outcome == .endedEarly)
    #expect(report.error?.message.contains("disconnected") == true)
    #expect((30...80).contains(report.movie.frameCount), "\(report.movie.frameCount)")
    #expect(report.frames.repeated == Int(report.movie.frameCount) - 25)
    _ = try rig.judge()
  }

  @Test func a_failing_file_device_ends_the_take_and_is_not_reopened() async throws {
    let rig = try MovieRig(camera: "file:test", isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .holdLastFrame
    // This limit would also end the take with the file's error, but not immediately.
    rig.output.options.sourceWaitLimit = 2
    let report = try await rig.record { camera, _ in
      let begin = present
      for index in begin - 24...begin { try camera.sendFrame(index, sequence: UInt32(index)) }
      camera.send(.failed(CaptureError(.deviceFailed, "the file is cut off")))
    }
    #expect(report.isValid && report.end == .deviceFailed)
    #expect(report.movie.frameCount == 25 && report.frames.repeated == 0)
    #expect(rig.cameraDriver.openings == 1)
  }

  @Test func a_device_returning_with_another_signal_ends_a_valid_movie() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .slate
    let report = try await rig.record { camera, _ in
      _ = try unplug(rig, camera)
      rig.cameraDriver.state.withLock {
        $0.openError = CaptureError(.formatUnavailable, "the signal is another one by now")
      }
    }
    #expect(report.end == .formatChanged && report.outcome == .endedEarly)
    #expect(report.incidents.contains { $0.kind == .deviceLost })
    _ = try rig.judge()
  }

  /// Size and rate do not cover field order and color, which the movie's tags describe.
  @Test func a_device_returning_with_another_field_order_ends_the_movie() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.session.reconnectsDevices = true
    rig.output.options.signalLossPolicy = .holdLastFrame
    rig.output.options.sourceWaitLimit = 60
    let report = try await rig.record { camera, _ in
      _ = try unplug(rig, camera)
      rig.cameraDriver.state.withLock {
        $0.agreedFormat =
          CaptureDevice.Format.frames(.v210, fieldOrder: .topFieldFirst).formatDescription
        $0.openError = nil
      }
    }
    #expect(report.end == .formatChanged && report.outcome == .endedEarly)
    #expect(rig.cameraDriver.openings >= 2)
    #expect(rig.session.interruption(of: rig.camera) == .formatChanged)
    _ = try rig.judge()
  }
}
