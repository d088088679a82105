import AssetWriter
import Dispatch
import Foundation
import MediaCore
import Synchronization
import Testing

@testable import VideoRecorder

@Suite("Movie file output", .serialized, .timeLimit(.minutes(5)))
struct MovieFileOutputTests {
  @Test("a number of frames is met exactly, and the sound is as long to the sample")
  func exactFrames() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 30
    let connection = try #require(rig.output.connection(with: .video))
    try rig.output.setVideoCodec(.proRes422, for: connection)
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<40, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 30)
    #expect(report.frames.received == 30)
    #expect(report.frames.encoded == 30)
    #expect(report.frames.written == 30)
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0)
    #expect(report.incidents.isEmpty)
    #expect(report.end == .maximumDurationReached)
    #expect(report.exitStatus == 0)
    #expect(report.source.tier == .native10Bit422)
    #expect(report.sound.first?.written == 57_600)
    #expect(report.sound.first?.peaks.count == 2)
    #expect(report.movie.startTimecode == "00:00:00:00")
    #expect(report.movie.endTimecode == "00:00:01:05")

    let judged = try rig.judge()
    let video = try judged.stream("video")
    #expect(video.codec_name == "prores")
    #expect(video.profile == "Standard")
    #expect(video.nb_read_frames == "30")
    #expect(video.r_frame_rate == "25/1" && video.avg_frame_rate == "25/1")
    let audio = try judged.stream("audio")
    #expect(audio.codec_name == "pcm_s24le")
    #expect(audio.duration_ts == 57_600)
    #expect(judged.format.tags?["com.prores-recorder.input.tier"] == "1")
  }

  @Test("frames that the device lost are repeats in the file, each in its place in the report")
  func losses() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<5, camera, microphone)
      camera.send(.lost(count: 2, reason: .deviceSequenceGap, time: .zero))
      try rig.feed(5..<12, camera, microphone, except: [5, 6])
      try rig.feed(12..<25, camera, microphone, except: [12])
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 20)
    #expect(report.frames.received == 17)
    #expect(report.frames.dropped == 3)
    #expect(report.frames.droppedByReason == ["deviceSequenceGap": 2, "timestampGap": 1])
    #expect(report.frames.repeated == 3)
    #expect(report.exitStatus == 3)
    let kinds = report.incidents.map { "\($0.kind) \($0.count)@\($0.frame) \($0.timecode ?? "")" }
    #expect(
      kinds == [
        "dropped 2@5 00:00:00:05", "repeated 2@5 00:00:00:05", "dropped 1@12 00:00:00:12",
        "repeated 1@12 00:00:00:12",
      ])
    #expect(try rig.judge().stream("video").nb_read_frames == "20")
    let hashes = try rig.frameHashes()
    #expect(hashes.count == 20)
    for index in 1..<20 {
      let isRepeat = [5, 6, 12].contains(index)
      #expect((hashes[index] == hashes[index - 1]) == isRepeat, "frame \(index)")
    }
  }

  @Test("an encoder that cannot keep up costs frames that are counted, never time")
  func busyEncoder() async throws {
    let rig = try MovieRig(formats: [.pictures(.v210, 1280, 720)], isRealTime: true)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 40
    let connection = try #require(rig.output.connection(with: .video))
    var settings = try #require(rig.output.outputSettings(for: connection))
    settings.queueDepth = 2
    settings.codec = .proRes422Proxy
    try rig.output.setOutputSettings(settings, for: connection)
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<40, camera, microphone)
    }
    await rig.session.stop()
    #expect(report.frames.received == 40)
    #expect(report.frames.dropped > 0)
    #expect(report.frames.encoded + report.frames.dropped == 40)
    #expect(report.frames.written == 40)
    #expect(report.frames.repeated == report.frames.dropped)
    #expect((2...4).contains(report.frames.queueDepth))
    #expect(
      (report.frames.droppedByReason["encoderBusy"] ?? 0)
        + (report.frames.droppedByReason["diskBusy"] ?? 0) == report.frames.dropped)
    #expect(report.exitStatus == 3)
    #expect(try rig.judge().stream("video").nb_read_frames == "40")
    #expect(report.sound.first?.written == 76_800)
  }

  @Test("sound before the first frame and after the last one is cut off to the sample")
  func soundIsCut() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 5
    let report = try await rig.record { camera, microphone in
      // Half a frame of sound before the first picture, and the device is three frames behind.
      for run in 0..<2 {
        try microphone?.sendSound(from: 1920 * 10 - 960 + run * 960, frames: 960, value: 16_384)
      }
      for index in 10..<15 { try camera.sendFrame(index) }
      for run in 1..<8 {
        try microphone?.sendSound(from: 1920 * (10 + run) - 960, frames: 1920, value: 8192)
      }
    }
    await rig.session.stop()
    #expect(report.sound.first?.written == 9600)
    #expect(report.sound.first?.silence == 0)
    #expect(report.sound.first?.lost == 0)
    #expect(report.sound.first?.peaks.first??.rounded() == -6)
    #expect(report.exitStatus == 0)
    #expect(try rig.judge().stream("audio").duration_ts == 9600)
  }

  @Test("sound that stops is made up by silence, so that tracks are of one length")
  func soundEnds() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 50
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      microphone?.send(.failed(CaptureError(.deviceDisconnected, "unplugged")))
      try rig.feed(10..<50, camera, nil)
    }
    await rig.session.stop()
    let sound = try #require(report.sound.first)
    #expect(sound.written == 96_000)
    #expect(sound.silence == 76_800)
    #expect(sound.received == 19_200)
    #expect(report.incidents.map(\.kind) == [.soundEnded])
    #expect(report.exitStatus == 3)
    #expect(try rig.judge().stream("audio").duration_ts == 96_000)
  }

  @Test("a source of sound that ends with the pictures is no incident")
  func soundEndsWithPictures() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, microphone in
      // A file without a pace is ahead with its sound.
      for index in 0..<20 { try microphone?.sendSound(from: index * 1920, frames: 1920) }
      microphone?.send(.ended)
      try rig.feed(0..<20, camera, nil)
    }
    await rig.session.stop()
    #expect(report.incidents.isEmpty)
    #expect(report.exitStatus == 0)
    #expect(report.sound.first?.silence == 0)
  }

  @Test("a source of sound that ends early is told of where its silence begins")
  func soundEndsEarly() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, microphone in
      for index in 0..<12 { try microphone?.sendSound(from: index * 1920, frames: 1920) }
      microphone?.send(.ended)
      try rig.feed(0..<20, camera, nil)
    }
    await rig.session.stop()
    #expect(report.incidents.map(\.kind) == [.soundEnded])
    #expect(report.incidents.first?.frame == 12)
    #expect(report.exitStatus == 3)
  }

  @Test("gaps that stay open are no frames of the movie")
  func variableRate() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    rig.output.options.gapPolicy = .extendPreviousFrame
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<20, camera, nil, except: [5, 6, 11])
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 17 && report.movie.duration == 0.8)
    #expect(report.frames.dropped == 3 && report.frames.repeated == 0)
    #expect(report.exitStatus == 3)
    let pictures = try rig.judge().stream("video")
    #expect(pictures.nb_read_frames == "17" && pictures.duration_ts == 20 * 1000)
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid)
    #expect(verified.findings.contains { $0.check == .timing && $0.severity == .warning })
  }

  @Test("a pause leaves no gap, in picture or sound")
  func pause() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let delegate = Delegate()
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
    #expect(error.code == .limitReached)
    #expect(error.recordingSuccessfullyFinished)
    #expect(delegate.calls == ["start", "pause", "resume", "finish"])
    let report = try #require(rig.output.lastReport)
    #expect(report.frames.skippedInPause == 23)
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0)
    #expect(report.sound.first?.written == 38_400)
    #expect(report.sound.first?.silence == 0)
    let judged = try rig.judge()
    #expect(try judged.stream("video").nb_read_frames == "20")
    #expect(try judged.stream("audio").duration_ts == 38_400)
  }

  @Test("a stop on request delivers no error")
  func stop() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    let delegate = Delegate()
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

  @Test("cancelling the task finishes the file")
  func cancellation() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    try await rig.session.start()
    let task = Task { try await rig.output.record(to: rig.url) }
    while !rig.output.isRecording { try await Task.sleep(for: .milliseconds(1)) }
    try rig.feed(0..<4, try #require(rig.cameraDriver.stream), nil)
    task.cancel()
    let report = try await task.value
    await rig.session.stop()
    #expect(report.movie.frameCount == 4)
    #expect(report.end == .stopped)
  }

  @Test(
    "whatever ends the take leaves a valid file, and says what it was",
    arguments: [
      (CaptureEvent.signalLost, RecordingReport.End.signalLost, Int32(4)),
      (.formatChanged, .formatChanged, 4), (.ended, .sourceEnded, 0),
      (.failed(CaptureError(.deviceDisconnected, "unplugged", errno: 19)), .deviceDisconnected, 4),
      (.failed(CaptureError(.deviceFailed, "broken", errno: 5)), .deviceFailed, 4),
    ])
  func ends(_ event: CaptureEvent, _ end: RecordingReport.End, _ status: Int32) async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      camera.send(event)
    }
    await rig.session.stop()
    #expect(report.end == end)
    #expect(report.isValid)
    #expect(report.exitStatus == status)
    #expect(report.movie.frameCount == 10)
    #expect(try rig.judge().stream("video").nb_read_frames == "10")
  }

  @Test("stopping the session finishes the take")
  func sessionStop() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      await rig.session.stop()
    }
    #expect(report.end == .sessionStopped)
    #expect(report.exitStatus == 0)
    #expect(try rig.judge().stream("audio").duration_ts == 19_200)
  }

  @Test("a lost signal may be held over by the last good frame")
  func holdLastFrame() async throws {
    let rig = try MovieRig(hasSound: false)
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
    #expect(report.exitStatus == 3)
    #expect(report.incidents.prefix(2).map(\.kind) == [.signalLost, .signalRestored])
  }

  @Test("damaged frames are in the file, and counted with number and timecode")
  func damage() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 5
    let format = try #require(TimecodeFormat(frameRate: .fps25, isDropFrame: false))
    rig.output.options.timecodeSource = .start(Timecode(frameNumber: 90_000, format: format))
    let report = try await rig.record { camera, _ in
      for index in 0..<5 { try camera.sendFrame(index, isDamaged: index == 3) }
    }
    await rig.session.stop()
    #expect(report.frames.damaged == 1)
    #expect(report.exitStatus == 3)
    let incident = try #require(report.incidents.first)
    #expect(incident.frame == 3 && incident.timecode == "01:00:00:03")
    let judged = try rig.judge()
    let tags = judged.streams.compactMap { $0.tags?["timecode"] }
    #expect(tags.contains("01:00:00:00"))
  }

  @Test("the limit of the file's size is kept")
  func fileSize() async throws {
    let rig = try MovieRig(formats: [.pictures(.v210, 640, 360)], hasSound: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFileSize = 4_000_000
    let report = try await rig.record { camera, _ in
      for index in 0..<2000 where rig.output.isRecording { try camera.sendFrame(index) }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.end == .maximumFileSizeReached)
    #expect(report.exitStatus == 4)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: rig.url.path)[.size] as? Int)
    #expect(size <= 4_000_000)
    #expect(size > 2_000_000)
    #expect(report.movie.fileSize == Int64(size))
  }

  @Test("a disk that runs out of reserve ends the take, and one that has none refuses it")
  func diskReserve() async throws {
    let free = Mutex<Int64>(1_000_000_000)
    let rig = try MovieRig(
      hasSound: false, freeSpace: FreeSpace { _ in free.withLock { $0 } })
    defer { rig.cleanUp() }
    rig.output.minFreeDiskSpaceLimit = 500_000_000
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<5, camera, nil)
      free.withLock { $0 = 400_000_000 }
      while rig.output.isRecording { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(report.end == .minimumFreeDiskSpaceReached)
    #expect(report.exitStatus == 4)
    #expect(report.error?.contains("400 MB free") == true)
    #expect(report.movie.frameCount == 5)
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.folder.appending(path: "second.mov"))
    }
    #expect(error?.code == .limitReached)
    #expect(!FileManager.default.fileExists(atPath: rig.folder.path + "/second.mov"))
    await rig.session.stop()
  }

  @Test("codecs depend on the active format, and 8 bits need leave")
  func codecs() throws {
    let rig = try MovieRig(formats: [.pictures(.yuyv), .pictures(.v210), .pictures(.yuv444p12)])
    defer { rig.cleanUp() }
    func select(_ format: PixelFormat) throws {
      try rig.camera.configure { device throws(CaptureError) in
        try device.setActiveFormat(.pictures(format))
      }
    }
    let connection = try #require(rig.output.connection(with: .video))
    try select(.yuyv)
    #expect(rig.output.availableVideoCodecTypes.isEmpty)
    let refused = #expect(throws: CaptureError.self) {
      try rig.output.setVideoCodec(.proRes422, for: connection)
    }
    #expect(refused?.message.contains("tier 3 (8-bit 4:2:2)") == true)
    rig.output.allowedTiers = FormatTier.eightBit422.andBetter
    #expect(rig.output.availableVideoCodecTypes.contains(.proRes422HQ))
    rig.output.allowedTiers = FormatTier.true10Bit422
    try select(.v210)
    #expect(
      rig.output.availableVideoCodecTypes
        == [.proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ])
    let error = #expect(throws: CaptureError.self) {
      try rig.output.setVideoCodec(.proRes4444, for: connection)
    }
    #expect(error?.code == .codecUnavailable)
    try select(.yuv444p12)
    #expect(rig.output.availableVideoCodecTypes == VideoCodecType.allProRes)
  }

  @Test("what cannot be recorded is refused before a file is made")
  func refusals() async throws {
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
    #expect(exists?.code == .outputFailed)
    #expect(try String(contentsOf: rig.url, encoding: .utf8) == "precious")
    let delegate = Delegate()
    rig.output.startRecording(to: rig.url, recordingDelegate: delegate)
    let error = await delegate.finished() as? CaptureError
    #expect(error == exists)
    #expect(error?.recordingSuccessfullyFinished == false)
    await rig.session.stop()
  }

  @Test("a take without a frame leaves no file")
  func noFrame() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    let error = await #expect(throws: CaptureError.self) {
      try await rig.record { _, microphone in
        try microphone?.sendSound(from: 0, frames: 4800)
        rig.output.stopRecording()
      }
    }
    #expect(error?.message.contains("not one frame came") == true)
    #expect(!FileManager.default.fileExists(atPath: rig.url.path))
    await rig.session.stop()
  }

  @Test("takes follow each other, and the report is the same after a trip through JSON")
  func secondTake() async throws {
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

  private final class Delegate: CaptureFileOutputRecordingDelegate {
    private let state = Mutex<(calls: [String], waiter: CheckedContinuation<Void, Never>?)>(
      ([], nil))
    private let error = Mutex<(any Error)?>(nil)
    var calls: [String] { state.withLock { $0.calls } }

    /// The error of the end, once it came.
    func finished() async -> (any Error)? {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.calls.contains("finish") { return true }
          state.waiter = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
      return error.withLock { $0 }
    }

    private func note(_ call: String) {
      let waiter = state.withLock { state in
        state.calls.append(call)
        return call == "finish" ? state.waiter : nil
      }
      waiter?.resume()
    }

    func fileOutput(
      _ output: any CaptureFileOutput, didStartRecordingTo fileURL: URL,
      from connections: [CaptureConnection]
    ) { note("start") }
    func fileOutput(
      _ output: any CaptureFileOutput, didPauseRecordingTo fileURL: URL,
      from connections: [CaptureConnection]
    ) { note("pause") }
    func fileOutput(
      _ output: any CaptureFileOutput, didResumeRecordingTo fileURL: URL,
      from connections: [CaptureConnection]
    ) { note("resume") }
    func fileOutput(
      _ output: any CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
      from connections: [CaptureConnection], error: (any Error)?
    ) {
      self.error.withLock { $0 = error }
      note("finish")
    }
  }
}
