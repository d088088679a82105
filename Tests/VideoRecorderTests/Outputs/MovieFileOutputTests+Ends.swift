import AssetWriter
import CaptureTestSupport
import Dispatch
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// Pauses, and the ways in which a recording ends.
extension MovieFileOutputTests {
  @Test func a_pause_leaves_no_gap_in_video_or_audio() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let delegate = RecordingDelegate()
    try await rig.session.start()
    rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
    let camera = try #require(rig.cameraDriver.stream)
    let microphone = try #require(rig.microphoneDriver.stream)
    try rig.feed(0..<10, camera, microphone)
    rig.output.pauseRecording()
    #expect(rig.output.isRecordingPaused)
    #expect(rig.output.recordedDuration == FrameRate.fps25.time(ofFrame: 10))
    try rig.feed(10..<33, camera, microphone)
    rig.output.resumeRecording()
    #expect(!rig.output.isRecordingPaused)
    try rig.feed(33..<50, camera, microphone)
    let error = try #require(await delegate.finished() as? CaptureError)
    await rig.session.stop()
    #expect(error.code == .maximumDurationReached)
    #expect(error.recordingSuccessfullyFinished)
    #expect(delegate.calls == ["start", "pause", "resume", "finish"])
    let report = try #require(rig.output.lastReport)
    #expect(report.frames.skippedInPause == 23)
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0)
    #expect(report.audio.first?.written == 38_400)
    #expect(report.audio.first?.silence == 0)
    let judged = try rig.judge()
    #expect(try judged.stream("video").nb_read_frames == "20")
    #expect(try judged.stream("audio").duration_ts == 38_400)
  }

  @Test func a_delayed_start_callback_still_precedes_the_pause_callback() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    let delegate = RecordingDelegate()
    try await rig.session.start()
    rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
    let queue = try #require(rig.output.current?.queue)
    let camera = try #require(rig.cameraDriver.stream)
    queue.suspend()
    do {
      // A queue that is still suspended traps when it is released.
      defer { queue.resume() }
      try rig.feed(0..<3, camera, nil)
      rig.output.pauseRecording()
      rig.output.resumeRecording()
      try rig.feed(3..<5, camera, nil)
      rig.output.stopRecording()
    }
    #expect(await delegate.finished() == nil)
    await rig.session.stop()
    #expect(delegate.calls == ["start", "pause", "resume", "finish"])
  }

  @Test func a_stop_on_request_delivers_no_error() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    let delegate = RecordingDelegate()
    try await rig.session.start()
    rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
    try rig.feed(0..<7, try #require(rig.cameraDriver.stream), nil)
    let progress = try #require(rig.output.progress)
    #expect(progress.frames == 7)
    #expect(progress.freeDiskSpace ?? 0 > 0)
    rig.output.stopRecording()
    #expect(!rig.output.isRecording)
    #expect(await delegate.finished() == nil)
    await rig.session.stop()
    #expect(rig.output.lastReport?.movie.frameCount == 7)
    #expect(rig.output.lastReport?.end == .stopped)
    #expect(rig.output.outputFileURL == nil)
    #expect(try rig.judge().stream("video").nb_read_frames == "7")
  }

  @Test func cancelling_the_task_finishes_the_file() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    try await rig.session.start()
    let task = Task { try await rig.output.record(to: rig.url) }
    try await eventually("the recording begins") { rig.output.isRecording }
    try rig.feed(0..<4, try #require(rig.cameraDriver.stream), nil)
    task.cancel()
    let report = try await task.value
    await rig.session.stop()
    #expect(report.movie.frameCount == 4)
    #expect(report.end == .stopped)
  }

  @Test(arguments: [
    (CaptureEvent.signalLost, RecordingReport.End.signalLost, RecordingReport.Outcome.endedEarly),
    (.formatChanged, .formatChanged, .endedEarly), (.ended, .sourceEnded, .complete),
    (
      .failed(CaptureError(.deviceDisconnected, "unplugged", errno: 19)), .deviceDisconnected,
      .endedEarly
    ),
    (.failed(CaptureError(.deviceFailed, "broken", errno: 5)), .deviceFailed, .endedEarly),
  ])
  func every_end_of_a_take_leaves_a_valid_file_and_its_reason(
    _ event: CaptureEvent, _ end: RecordingReport.End, _ outcome: RecordingReport.Outcome
  ) async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      camera.send(event)
    }
    await rig.session.stop()
    #expect(report.end == end)
    #expect(report.isValid)
    #expect(report.outcome == outcome)
    #expect(report.movie.frameCount == 10)
    #expect(try rig.judge().stream("video").nb_read_frames == "10")
  }

  @Test func stopping_the_session_finishes_the_take() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      await rig.session.stop()
    }
    #expect(report.end == .sessionStopped)
    #expect(report.outcome == .complete)
    #expect(try rig.judge().stream("audio").duration_ts == 19_200)
  }

  @Test func removing_the_camera_finishes_the_take() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      rig.session.removeInput(try #require(rig.session.inputs.first))
    }
    #expect(report.end == .sessionStopped && report.isValid && report.movie.frameCount == 10)
    await rig.session.stop()
  }

  @Test func the_last_good_frame_can_bridge_a_lost_signal() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.signalLossPolicy = .holdLastFrame
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<5, camera, nil)
      camera.send(.signalLost)
      try rig.feed(5..<10, camera, nil)
      camera.send(.signalRestored)
      try rig.feed(10..<25, camera, nil)
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 20)
    #expect(report.frames.repeated == 5)
    #expect(report.outcome == .imperfect)
    #expect(report.incidents.prefix(2).map(\.kind) == [.signalLost, .signalRestored])
  }

  @Test func damaged_frames_are_written_and_reported_with_timecode() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 5
    let format = try #require(TimecodeFormat(frameRate: .fps25, isDropFrame: false))
    rig.output.options.timecodeSource = .start(Timecode(frameNumber: 90_000, format: format))
    let report = try await rig.record { camera, _ in
      for index in 0..<5 { try camera.sendFrame(index, isDamaged: index == 3) }
    }
    await rig.session.stop()
    #expect(report.frames.damaged == 1)
    #expect(report.outcome == .imperfect)
    let incident = try #require(report.incidents.first)
    #expect(incident.frame == 3 && incident.timecode == "01:00:00:03")
    let judged = try rig.judge()
    let tags = judged.streams.compactMap { $0.tags?["timecode"] }
    #expect(tags.contains("01:00:00:00"))
  }

  @Test func the_file_size_limit_is_kept() async throws {
    let rig = try MovieRig(formats: [.frames(.v210, 640, 360)], hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFileSize = 4_000_000
    let report = try await rig.record { camera, _ in
      for index in 0..<2000 where rig.output.isRecording { try camera.sendFrame(index) }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.end == .maximumFileSizeReached)
    #expect(report.outcome == .endedEarly)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: rig.url.path)[.size] as? Int)
    #expect(size <= 4_000_000)
    #expect(size > 2_000_000)
    #expect(report.movie.fileSize == Int64(size))
  }

  @Test(.timeLimit(.minutes(5)))
  func the_reserve_is_measured_in_seconds_at_the_actual_data_rate() async throws {
    let disk = ImaginedDisk(free: 100_000_000_000)
    let rig = try MovieRig(hasAudio: false, freeSpace: disk.freeSpace)
    defer { rig.cleanUp() }
    rig.output.options.minFreeDiskSeconds = 20
    let report = try await rig.record { camera, _ in
      // No faster than they are written, so none is dropped. The last frame always waits, because
      // its end is known only when the next one comes.
      for frame in 0..<75 {
        try rig.feed(frame..<frame + 1, camera, nil)
        try await eventually("the frame is written") {
          rig.output.progress.map { $0.frames > frame && $0.queue <= 1 } ?? true
        }
      }
      let rate = Double(rig.output.recordedFileSize) / rig.output.recordedDuration.seconds
      #expect(rate > 1000)
      let writer = try #require(rig.output.current).writer
      disk.setFree(Int64(rate * 22), with: writer)
      // The disk is checked four times a second.
      try await Task.sleep(for: .milliseconds(700))
      #expect(rig.output.isRecording)
      let left = try #require(rig.output.progress?.secondsLeft)
      #expect(left > 1.5 && left < 2.5, "\(left)")
      disk.setFree(Int64(rate * 18), with: writer)
      try await eventually("the take ends") { !rig.output.isRecording }
    }
    await rig.session.stop()
    #expect(report.end == .minimumFreeDiskSpaceReached && report.outcome == .endedEarly)
  }

  @Test func reaching_the_reserve_ends_the_take_and_refuses_the_next() async throws {
    let disk = ImaginedDisk(free: 1_000_000_000)
    let rig = try MovieRig(hasAudio: false, freeSpace: disk.freeSpace)
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 500_000_000
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<5, camera, nil)
      disk.setFree(400_000_000, with: try #require(rig.output.current).writer)
      try await eventually("the take ends") { !rig.output.isRecording }
    }
    #expect(report.end == .minimumFreeDiskSpaceReached)
    #expect(report.outcome == .endedEarly)
    #expect(report.error?.message.contains("400 MB free") == true)
    #expect(report.movie.frameCount == 5)
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.folder.appending(path: "second.mov"))
    }
    #expect(error?.code == .diskFull)
    #expect(!FileManager.default.fileExists(atPath: rig.folder.path + "/second.mov"))
    await rig.session.stop()
  }

  @Test func a_device_lost_before_the_take_is_named() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    try await rig.session.start()
    rig.cameraDriver.stream?.send(.failed(CaptureError(.deviceDisconnected, "gone", errno: 19)))
    rig.cameraDriver.state.withLock { $0.isConnected = false }
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.url)
    }
    #expect(error?.code == .deviceDisconnected)
    #expect(error?.message.contains("\(rig.camera)") == true)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
    await rig.session.stop()
  }

  @Test(
    arguments: [
      .failed(CaptureError(.deviceDisconnected, "gone", errno: 19)), .ended, .formatChanged, nil,
    ] as [CaptureEvent?])
  func a_source_that_ends_during_setup_is_not_awaited(_ event: CaptureEvent?) async throws {
    let action = Mutex<(@Sendable () -> Void)?>(nil)
    // The disk is checked when the take is planned, before anyone listens to the source.
    let rig = try MovieRig(
      hasAudio: false,
      freeSpace: FreeSpace { _ in
        action.withLock { $0.take() }?()
        return 100_000_000_000
      })
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 1
    let session = rig.session
    let driver = rig.cameraDriver
    let act: @Sendable () -> Void = {
      if let event { driver.stream?.send(event) } else { session.stopRunning() }
    }
    for takesDelegate in [false, true] {
      try await session.start()
      action.withLock { $0 = act }
      if takesDelegate {
        let delegate = RecordingDelegate()
        rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
        #expect(await delegate.finished() != nil)
      } else {
        await #expect(throws: CaptureError.self) { try await rig.output.record(to: rig.url) }
      }
      #expect(action.withLock { $0 == nil })
      #expect(!rig.output.isRecording)
      #expect(!FileManager.default.fileExists(atPath: rig.url.path))
      await session.stop()
    }
  }

  @Test func impossible_recordings_are_refused_before_a_file_exists() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    func refusal(to url: URL) async -> CaptureError? {
      await #expect(throws: CaptureError.self) { try await rig.output.record(to: url) }
    }
    #expect(await refusal(to: rig.url)?.code == .invalidState)
    try await rig.session.start()
    #expect(
      await refusal(to: rig.folder.appending(path: "none/take.mov"))?.code == .outputFailed)
    try Data("precious".utf8).write(to: rig.url)
    let exists = await refusal(to: rig.url)
    #expect(exists?.code == .fileAlreadyExists)
    #expect(try String(contentsOf: rig.url, encoding: .utf8) == "precious")
    let delegate = RecordingDelegate()
    rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
    let error = await delegate.finished() as? CaptureError
    #expect(error == exists)
    #expect(error?.recordingSuccessfullyFinished == false)
    await rig.session.stop()
  }

  @Test func a_take_without_a_frame_leaves_no_file() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let error = await #expect(throws: CaptureError.self) {
      try await rig.record { _, microphone in
        try microphone?.sendAudio(from: 0, frames: 4800)
        rig.output.stopRecording()
      }
    }
    #expect(error?.code == .nothingRecorded)
    #expect(error?.message.contains("no frame arrived") == true)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
    await rig.session.stop()
  }

  @Test func consecutive_takes_work_and_reports_survive_json() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.options.overwritesExistingFile = true
    rig.output.maxRecordedFrameCount = 5
    for _ in 0..<2 {
      let report = try await rig.record { camera, microphone in
        try rig.feed(0..<8, camera, microphone)
      }
      let json = try report.json()
      #expect(try JSONDecoder().decode(RecordingReport.self, from: Data(json.utf8)) == report)
      #expect(report.frames.written == 5)
    }
    await rig.session.stop()
  }
}
