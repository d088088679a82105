import CaptureTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// Takes that begin after a loss during standby.
@Suite struct StandByLossTests {
  /// Delivers one second of frames; returns the number of the last one.
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

  /// The number of the frame that starts now, at 25 fps.
  private var present: Int { Int(MonotonicClock.now / 40_000_000) }

  /// Lines that an output reports.
  private final class Notices: Sendable {
    private let lines = Mutex<[String]>([])

    init(of output: CaptureMovieFileOutput) {
      output.noticeHandler = { [weak self] line in self?.lines.withLock { $0.append(line) } }
    }

    func contain(_ part: String) -> Bool { lines.withLock { $0.contains { $0.contains(part) } } }
  }

  /// Frames with their audio; all samples have one value.
  private func feed(_ rig: MovieRig, _ frames: Range<Int>, value: Int16) throws {
    let camera = try #require(rig.cameraDriver.stream)
    for index in frames {
      try camera.sendFrame(index)
      try sendAudio(rig, index..<index + 1, value: value)
    }
  }

  private func sendAudio(_ rig: MovieRig, _ frames: Range<Int>, value: Int16) throws {
    let microphone = try #require(rig.microphoneDriver.stream)
    for index in frames {
      try microphone.sendAudio(from: index * 1920, frames: 1920, value: value)
    }
  }

  /// Expects a movie of this many frames whose samples all have one value.
  private func expect(_ rig: MovieRig, frames: Int, value: Int16) throws {
    #expect(try rig.judge().stream("video").nb_read_frames == "\(frames)")
    let audio = try Judges.decodeAudio(rig.url.path)
    #expect(audio.count == frames * 1920 * 2)
    #expect(audio.allSatisfy { $0 == Int32(value) << 16 })
  }

  @Test(arguments: [RecordingOptions.SignalLossPolicy.finish, .holdLastFrame, .slate])
  func a_missing_signal_is_reported_and_the_take_begins_when_it_returns(
    _ policy: RecordingOptions.SignalLossPolicy
  ) async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = policy
    let notices = Notices(of: rig.output)
    let (camera, _) = try await standBy(rig)
    camera.send(.signalLost)
    #expect(rig.output.progress?.preRoll == 0)
    let recording = try await rig.begin()
    try await eventually("the notice is reported") { notices.contain("has no signal") }
    #expect(rig.output.progress?.frames == 0)
    camera.send(.signalRestored)
    let first = present
    for index in first..<first + 5 { try camera.sendFrame(index) }
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.outcome == .complete && report.movie.frameCount == 5)
    #expect(report.movie.preRollFrames == nil)
    #expect(abs(try #require(report.movie.startTime) - Double(first) / 25) < 0.02)
    #expect(report.incidents.map(\.kind) == [.signalLost, .signalRestored])
    #expect(report.incidents.allSatisfy { $0.frame == 0 })
    _ = try rig.judge()
  }

  @Test func an_output_on_standby_cannot_be_paused() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    let (camera, last) = try await standBy(rig)
    rig.output.pauseRecording()
    #expect(!rig.output.isRecordingPaused)
    let recording = try await rig.begin()
    for index in last + 1..<last + 6 { try camera.sendFrame(index) }
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.frames.skippedInPause == 0 && report.movie.frameCount == 15)
  }

  @Test(arguments: [true, false])
  func a_take_that_ends_before_its_first_frame_makes_no_movie(hasAudio: Bool) async throws {
    let rig = try MovieRig(
      isRealTime: true, hasAudio: hasAudio, audioPatience: .init(silence: 0.05, total: 1))
    defer { rig.cleanUp() }
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.output.standBy()
    let now = present
    if hasAudio {
      try feed(rig, now - 4..<now + 1, value: 1000)
    } else {
      for index in now - 4...now { try camera.sendFrame(index) }
    }
    let recording = try await rig.begin()
    rig.output.stopRecording()
    let error = await #expect(throws: CaptureError.self) { try await recording.value }
    await rig.session.stop()
    #expect(error?.code == .nothingRecorded)
    #expect(error?.message.contains("take.mov was not made") == true)
    #expect(rig.output.lastReport?.end == .stopped)
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path).isEmpty)
  }

  /// The audio of a minute's loss is not in the take, and does not hold up the take's own audio.
  @Test(arguments: [true, false])
  func a_take_after_a_long_loss_has_no_earlier_samples(isReported: Bool) async throws {
    let rig = try MovieRig(isRealTime: true)
    defer { rig.cleanUp() }
    let notices = Notices(of: rig.output)
    rig.output.preRollDuration = MediaTime(value: 20, timescale: 25)
    // The time between two frames is that of their timestamps, however long the machine takes.
    rig.output.options.stallTimeout = 0
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.output.standBy()
    let now = present
    let before = now - 25 * 60
    try feed(rig, before..<before + 25, value: 1000)
    if isReported { camera.send(.signalLost) }
    try sendAudio(rig, before + 25..<now - 4, value: 2000)
    if isReported { camera.send(.signalRestored) }
    try feed(rig, now - 4..<now + 1, value: 3000)
    let recording = try await rig.begin()
    try feed(rig, now + 1..<now + 6, value: 3000)
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.outcome == .complete && report.movie.frameCount == 10)
    #expect(report.movie.preRollFrames == 5)
    #expect(abs(try #require(report.movie.startTime) - Double(now - 4) / 25) < 0.02)
    #expect(
      report.incidents.map(\.kind) == (isReported ? [.signalLost, .signalRestored] : [.timeJumped]))
    try await eventually("the shorter pre-roll is reported") {
      notices.contain("the pre-roll is 0.2 s long instead of 0.8 s")
    }
    try expect(rig, frames: 10, value: 3000)
  }

  /// Nobody reports that the video ended, and the audio is ahead of it by then.
  @Test func a_take_of_a_silent_device_begins_with_its_next_frame() async throws {
    let rig = try MovieRig(isRealTime: true)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 1
    rig.output.preRollDuration = MediaTime(value: 20, timescale: 25)
    try await rig.session.start()
    try rig.output.standBy()
    let now = present
    try feed(rig, now - 24..<now + 1, value: 1000)
    try sendAudio(rig, now + 1..<now + 11, value: 2000)
    try await eventually("the silence is noticed") { rig.output.progress?.preRoll == 0 }
    let recording = try await rig.begin()
    let back = max(present, now + 11)
    try feed(rig, back..<back + 10, value: 3000)
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.outcome == .complete && report.movie.frameCount == 10)
    #expect(abs(try #require(report.movie.startTime) - Double(back) / 25) < 0.02)
    try expect(rig, frames: 10, value: 3000)
  }

  @Test func missing_frames_at_the_start_are_reported_and_the_take_begins_later() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.stallTimeout = 1
    let notices = Notices(of: rig.output)
    let report = try await rig.record { camera, _ in
      try await eventually("the notice is reported") { notices.contain("delivers nothing") }
      let first = present
      for index in first..<first + 5 { try camera.sendFrame(index) }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.outcome == .complete && report.movie.frameCount == 5)
    #expect(report.incidents.map(\.kind) == [.stalled])
  }

  @Test func a_take_awaits_its_first_frame_only_up_to_the_limit() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.sourceWaitLimit = 0.5
    let (camera, _) = try await standBy(rig)
    camera.send(.signalLost)
    let recording = try await rig.begin()
    await #expect(throws: CaptureError.self) { try await recording.value }
    #expect(rig.output.lastReport?.end == .signalLost)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
    #expect(rig.session.isRunning)
    await rig.session.stop()
  }

  @Test func a_start_mark_during_a_loss_uses_the_first_frames_time_of_day() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.timecodeSource = .timeOfDay
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.output.standBy()
    let now = present
    for index in now - 60..<now - 50 { try camera.sendFrame(index) }
    camera.send(.signalLost)
    camera.send(.signalRestored)
    for index in now - 4...now { try camera.sendFrame(index) }
    let asked = try #require(Timecode("03:00:00:00", frameRate: .fps25))
    let recording = try await rig.begin(
      from: StartMark(instant: FrameRate.fps25.time(ofFrame: Int64(now - 20)), timecode: asked))
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    let age = Double(MonotonicClock.now) * 1e-9 - Double(now - 4) / 25
    let first = Timecode(timeOfDay: Date().timeIntervalSince1970 - age, rate: .fps25)
    #expect(report.movie.frameCount == 5)
    let reported = try #require(Timecode(report.movie.startTimecode ?? "", frameRate: .fps25))
    #expect([-1, 0, 1].contains { reported.advanced(by: $0) == first }, "\(reported) for \(first)")
  }

  /// A camera's timecode is set by hand, or restarts with the camera's own recording.
  @Test func the_start_timecode_follows_the_sources_latest_timecode() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    let (camera, last) = try await standBy(rig)
    let address = try #require(Timecode("10:00:00:00", frameRate: .fps25))
    for number in 0..<5 {
      try camera.sendFrame(last + 1 + number, timecode: address.advanced(by: Int64(number)))
    }
    let recording = try await rig.begin()
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.movie.preRollFrames == 10)
    #expect(report.movie.startTimecode == "09:59:59:20")
    #expect(try rig.judge().stream("video").tags?["timecode"] == "09:59:59:20")
  }

  @Test func running_timecode_counts_through_a_loss_during_standby() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    let now = present
    var options = rig.output.options
    options.timecodeSource = .running(
      try #require(Timecode("10:00:00:00", frameRate: .fps25)),
      since: FrameRate.fps25.time(ofFrame: Int64(now - 1500)))
    options.preRollDuration = MediaTime(value: 3, timescale: 25)
    rig.output.options = options
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.output.standBy()
    for index in now - 1500..<now - 1490 { try camera.sendFrame(index) }
    for index in now - 4...now { try camera.sendFrame(index) }
    let recording = try await rig.begin()
    rig.output.stopRecording()
    let report = try await recording.value
    await rig.session.stop()
    #expect(report.movie.frameCount == 3 && report.movie.preRollFrames == 3)
    #expect(report.movie.startTimecode == "10:00:59:23")
  }

  /// Standby may have begun hours before.
  @Test func the_reported_start_time_is_that_of_the_first_frame() async throws {
    let rig = try MovieRig(isRealTime: true, hasAudio: false)
    defer { rig.cleanUp() }
    let (_, last) = try await standBy(rig)
    let recording = try await rig.begin()
    let reported = try #require(rig.output.current?.startPTS)
    #expect(
      abs(reported.seconds - Double(last - 9) / 25) < 0.02, "\(reported.seconds) for frame \(last)")
    rig.output.stopRecording()
    _ = try await recording.value
    await rig.session.stop()
  }
}
