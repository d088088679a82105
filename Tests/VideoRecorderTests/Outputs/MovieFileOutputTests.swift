import AssetWriter
import CaptureTestSupport
import Dispatch
import Foundation
import MediaCore
import MovieTools
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite(.serialized, .timeLimit(.minutes(20)))
struct MovieFileOutputTests {
  @Test func frames_lost_before_a_time_jump_are_repeated() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 12
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<5, camera, nil)
      camera.send(.lost(count: 2, reason: .deviceSequenceGap, time: .zero))
      // Forty seconds later by the source's own clock.
      try rig.feed(1000..<1005, camera, nil)
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 12 && report.frames.encoded == 10)
    #expect(report.frames.dropped == 2 && report.frames.repeated == 2)
    let incidents = report.incidents.map { "\($0.kind) \($0.frame) \($0.count)" }
    #expect(incidents == ["dropped 5 2", "timeJumped 7 1", "repeated 5 2"])
  }

  @Test func a_frame_limit_is_met_exactly_and_audio_has_the_same_length() async throws {
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
    #expect(report.outcome == .complete)
    #expect(report.source.tier == .native10Bit422)
    #expect(report.audio.first?.written == 57_600)
    #expect(report.audio.first?.peaks.count == 2)
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

  @Test func frames_lost_by_the_device_are_repeated_in_their_places() async throws {
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
    #expect(report.outcome == .imperfect)
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

  @Test func a_slow_encoder_drops_counted_frames_but_no_time() async throws {
    let gate = GatedEncoder.Gate()
    let rig = try MovieRig(isRealTime: true, makeEncoder: gate.makeEncoder)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 40
    let connection = try #require(rig.output.connection(with: .video))
    var settings = try #require(rig.output.outputSettings(for: connection))
    settings.queueDepth = 2
    settings.codec = .proRes422Proxy
    try rig.output.setOutputSettings(settings, for: connection)
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<40, camera, microphone)
      gate.open()
    }
    await rig.session.stop()
    #expect(report.frames.received == 40)
    #expect(report.frames.dropped >= 36)
    #expect(report.frames.encoded + report.frames.dropped == 40)
    #expect(report.frames.written == 40)
    #expect(report.frames.repeated == report.frames.dropped)
    #expect((2...4).contains(report.frames.queueDepth))
    #expect(
      (report.frames.droppedByReason["encoderBusy"] ?? 0)
        + (report.frames.droppedByReason["diskBusy"] ?? 0) == report.frames.dropped)
    #expect(report.outcome == .imperfect)
    #expect(try rig.judge().stream("video").nb_read_frames == "40")
    #expect(report.audio.first?.written == 76_800)
  }

  /// Longer than any gap that a writer takes for an error.
  @Test func frames_after_a_stall_of_minutes_are_recorded() async throws {
    let gate = GatedEncoder.Gate()
    let rig = try MovieRig(isRealTime: true, makeEncoder: gate.makeEncoder)
    defer { rig.cleanUp() }
    let connection = try #require(rig.output.connection(with: .video))
    var settings = try #require(rig.output.outputSettings(for: connection))
    settings.queueDepth = 2
    settings.codec = .proRes422Proxy
    try rig.output.setOutputSettings(settings, for: connection)
    // The test's own source pauses while the disk catches up.
    rig.output.options.stallTimeout = 0
    let stalled = 25 * 90
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<stalled, camera, microphone)
      gate.open()
      // The last frame waits for the next, which determines its duration.
      try await eventually("the disk has caught up") { rig.output.progress?.queue ?? 9 <= 1 }
      for index in stalled..<stalled + 20 {
        try rig.feed(index..<index + 1, camera, microphone)
        try await eventually("it is written") { rig.output.progress?.queue ?? 9 <= 1 }
      }
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.end == .stopped)
    #expect(report.frames.droppedByReason["discontinuity"] == nil)
    #expect(report.incidents.allSatisfy { $0.kind != .dropped || $0.frame < Int64(stalled) })
    #expect(report.movie.frameCount == Int64(stalled + 20))
    #expect(report.segments.reduce(0) { $0 + $1.frameCount } == Int64(stalled + 20))
    #expect(report.audio.first?.lost == 0)
  }

  @Test(arguments: [(640, 360, FrameRate.fps30), (640, 360, .fps60), (3840, 2160, .fps60)])
  func a_burst_after_a_machine_stall_is_recorded_completely(
    _ width: Int, _ height: Int, _ rate: FrameRate
  ) async throws {
    let gate = GatedEncoder.Gate()
    let rig = try MovieRig(
      formats: [.frames(.v210, width, height, rates: [rate])], isRealTime: true,
      hasAudio: false, makeEncoder: gate.makeEncoder)
    defer { rig.cleanUp() }
    let connection = try #require(rig.output.connection(with: .video))
    try rig.output.setVideoCodec(.proRes422Proxy, for: connection)
    let report = try await rig.record { camera, _ in
      // As many frames as there are buffers, while nothing is encoded.
      let held = try #require(rig.cameraDriver.state.withLock { $0.requests.last?.bufferCount })
      try rig.feed(0..<held, camera, nil)
      gate.open()
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.frames.received >= 10)
    #expect(report.frames.dropped == 0 && report.frames.repeated == 0)
    #expect(report.frames.written == report.frames.received)
  }

  @Test func audio_outside_the_video_is_trimmed_to_the_sample() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 5
    let report = try await rig.record { camera, microphone in
      // Audio from half a frame before the first video frame; the rest of it comes after the video.
      for run in 0..<2 {
        try microphone?.sendAudio(from: 1920 * 10 - 960 + run * 960, frames: 960, value: 16_384)
      }
      for index in 10..<15 { try camera.sendFrame(index) }
      for run in 1..<8 {
        try microphone?.sendAudio(from: 1920 * (10 + run) - 960, frames: 1920, value: 8192)
      }
    }
    await rig.session.stop()
    #expect(report.audio.first?.written == 9600)
    #expect(report.audio.first?.silence == 0)
    #expect(report.audio.first?.lost == 0)
    #expect(report.audio.first?.peaks.first??.rounded() == -6)
    #expect(report.outcome == .complete)
    #expect(try rig.judge().stream("audio").duration_ts == 9600)
  }

  @Test func silence_replaces_audio_that_stops() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 50
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<10, camera, microphone)
      microphone?.send(.failed(CaptureError(.deviceDisconnected, "unplugged")))
      try rig.feed(10..<50, camera, nil)
    }
    await rig.session.stop()
    let audio = try #require(report.audio.first)
    #expect(audio.written == 96_000)
    #expect(audio.silence == 76_800)
    #expect(audio.received == 19_200)
    #expect(report.incidents.map(\.kind) == [.audioEnded])
    #expect(report.outcome == .imperfect)
    #expect(try rig.judge().stream("audio").duration_ts == 96_000)
  }

  @Test func removing_the_audio_input_is_reported_and_the_take_continues() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 50
    let microphone = try #require(rig.session.inputs.last)
    let report = try await rig.record { camera, stream in
      try rig.feed(0..<10, camera, stream)
      rig.session.removeInput(microphone)
      try rig.feed(10..<50, camera, nil)
    }
    await rig.session.stop()
    #expect(report.audio.first?.written == 96_000 && report.audio.first?.silence == 76_800)
    #expect(report.incidents.map(\.kind) == [.audioEnded] && report.incidents.first?.frame == 10)
    #expect(report.outcome == .imperfect && report.movie.frameCount == 50)
  }

  @Test func an_audio_source_ending_with_the_video_is_not_an_incident() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, microphone in
      // A file without pacing delivers its audio ahead.
      for index in 0..<20 { try microphone?.sendAudio(from: index * 1920, frames: 1920) }
      microphone?.send(.ended)
      try rig.feed(0..<20, camera, nil)
    }
    await rig.session.stop()
    #expect(report.incidents.isEmpty)
    #expect(report.outcome == .complete)
    #expect(report.audio.first?.silence == 0)
  }

  @Test func an_audio_source_ending_early_is_reported_at_its_end() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, microphone in
      for index in 0..<12 { try microphone?.sendAudio(from: index * 1920, frames: 1920) }
      microphone?.send(.ended)
      try rig.feed(0..<20, camera, nil)
    }
    await rig.session.stop()
    #expect(report.incidents.map(\.kind) == [.audioEnded])
    #expect(report.incidents.first?.frame == 12)
    #expect(report.outcome == .imperfect)
  }

  @Test func unfilled_gaps_are_not_counted_as_frames() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.gapPolicy = .extendPreviousFrame
    rig.output.maxRecordedFrameCount = 20
    let report = try await rig.record { camera, _ in
      try rig.feed(0..<20, camera, nil, except: [5, 6, 11])
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 17 && report.movie.duration == 0.8)
    #expect(report.frames.dropped == 3 && report.frames.repeated == 0)
    #expect(report.outcome == .imperfect)
    let frames = try rig.judge().stream("video")
    #expect(frames.nb_read_frames == "17" && frames.duration_ts == 20 * 1000)
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid)
    #expect(verified.findings.contains { $0.check == .timing && $0.severity == .warning })
  }
}
