import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices

/// A stream's events, as the handler received them.
private final class Recorder: Sendable {
  struct State {
    var samples: [SampleBuffer] = []
    var times: [Int64] = []
    var lost: [DropReason: Int] = [:]
    var failure: CaptureError?
    var isClosed = false
    var callsAfterClosing = 0
  }

  let state = Mutex(State())
  let ended = DispatchSemaphore(value: 0)
  let keeps: Bool
  let delay: UInt32

  /// A recorder that keeps every sample, or releases each after `delay` microseconds.
  init(keeps: Bool = true, delay: UInt32 = 0) {
    self.keeps = keeps
    self.delay = delay
  }

  func handle(_ event: CaptureEvent) {
    let now = MonotonicClock.now
    state.withLock { state in
      if state.isClosed { state.callsAfterClosing += 1 }
      switch event {
      case .sample(let sample):
        state.times.append(now)
        if keeps {
          state.samples.append(sample)
        } else {
          // The time and the number without the video frame.
          guard let empty = try? AudioBuffer(format: Self.none, bytes: []) else { return }
          state.samples.append(
            SampleBuffer(
              .audio(empty), presentationTimeStamp: sample.presentationTimeStamp,
              duration: sample.duration, attachments: sample.attachments))
        }
      case .lost(let count, let reason, _): state.lost[reason, default: 0] += count
      case .failed(let error): state.failure = error
      default: break
      }
    }
    if case .sample = event, delay > 0 { usleep(delay) }
    switch event {
    case .ended, .failed: ended.signal()
    default: break
    }
  }

  private static let none = AudioFormat(sampleRate: 1, channelCount: 1, sampleFormat: .int16)
  var samples: [SampleBuffer] { state.withLock { $0.samples } }
  var lost: [DropReason: Int] { state.withLock { $0.lost } }
  var lostCount: Int { lost.values.reduce(0, +) }
  func close() { state.withLock { $0.isClosed = true } }
  func waitForSamples(_ count: Int) throws {
    try waitUntil("\(count) samples come") { samples.count >= count }
  }
  func waitForEnd() -> Bool { ended.wait(timeout: .now() + 120) == .success }
}

@Suite struct FileDeviceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Y4M file of 16x8 frames; every byte of a frame is the frame's number.
  private func y4m(_ count: Int, rate: String = "50:1", cut: Int = 0) throws -> String {
    var bytes = Array("YUV4MPEG2 W16 H8 F\(rate) Ip A1:1 C422\n".utf8)
    for number in 0..<count {
      bytes += Array("FRAME\n".utf8)
      bytes += [UInt8](repeating: UInt8(number & 255), count: 16 * 8 * 2)
    }
    bytes.removeLast(cut)
    let path = folder.path("\(UUID().uuidString).y4m")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func stream(_ path: String, buffers: Int = 8) throws -> any CaptureStream {
    let driver = try FileDeviceDriver(path: path)
    let format = try #require(try driver.formats().first)
    return try driver.openStream(CaptureStreamRequest(format: format, bufferCount: buffers))
  }

  private func firstByte(_ sample: SampleBuffer) -> UInt8? {
    sample.imageBuffer?.withUnsafeBytes(ofPlane: 0) { $0.first }
  }

  @Test func the_devices_format_is_that_of_the_file() throws {
    let driver = try FileDeviceDriver(path: try y4m(1, rate: "30000:1001"))
    let format = try #require(try driver.formats().first)
    #expect(format.video?.pixelFormat == .yuv422p8)
    #expect(format.dimensions == VideoDimensions(width: 16, height: 8))
    #expect(format.frameRates == [.fps29_97])
    #expect(format.tier == .eightBit422)
    #expect(driver.identity.mediaType == .video)
    #expect(driver.identity.uniqueID.hasPrefix("file:"))
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func the_channel_layout_is_read_from_the_container() throws {
    let path = folder.path("surround.mov")
    _ = try Judges.ffmpeg([
      "-f", "lavfi", "-i", "anullsrc=channel_layout=5.1:sample_rate=48000:d=0.1", "-c:a",
      "pcm_s16le", path,
    ])
    #expect(try stream(path).metadata.channelLayout == AudioChannelLayout(name: "5.1"))
  }

  @Test func without_a_pace_every_frame_arrives_in_order() throws {
    let recorder = Recorder(keeps: false, delay: 100)
    let stream = try stream(try y4m(300, rate: "60000:1001") + "?pace=none", buffers: 2)
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    let samples = recorder.samples
    #expect(samples.count == 300)
    #expect(recorder.lost.isEmpty)
    #expect(samples.map(\.attachments.sequenceNumber) == (0..<300).map { UInt32($0) })
    let first = try #require(samples.first?.presentationTimeStamp.nanoseconds)
    for (index, sample) in samples.enumerated() {
      let time = try #require(sample.presentationTimeStamp.nanoseconds)
      let exact = try #require(FrameRate.fps59_94.time(ofFrame: Int64(index)).nanoseconds)
      #expect((time - first - exact).magnitude <= 1)
    }
  }

  @Test(arguments: [("real", true), ("none", false)])
  func a_stream_declares_whether_it_runs_in_real_time(pace: String, isRealTime: Bool) throws {
    #expect(try stream(try y4m(2) + "?pace=\(pace)").isRealTime == isRealTime)
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func without_a_pace_video_and_audio_continue_after_a_gap() throws {
    let path = folder.path("hole.mov")
    _ = try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x32:rate=25:duration=5", "-f", "lavfi", "-i",
      "sine=sample_rate=48000:duration=5", "-vf", "select='not(between(t,1,3))'", "-fps_mode",
      "vfr", "-c:v", "prores", "-c:a", "pcm_s16le", path,
    ])
    let images = try FileDeviceDriver(path: path + "?pace=none")
    let audio = try #require(images.audioCompanion)
    let (frames, samples) = (Recorder(keeps: false), Recorder(keeps: false))
    var streams: [any CaptureStream] = []
    for (driver, recorder) in [(audio, samples), (images, frames)] {
      let format = try #require(try driver.formats().first)
      let stream = try driver.openStream(CaptureStreamRequest(format: format, bufferCount: 8))
      try stream.start(recorder.handle)
      streams.append(stream)
    }
    #expect(frames.waitForEnd() && samples.waitForEnd())
    for stream in streams { stream.stop() }
    #expect(frames.samples.count == 74 && frames.lost.isEmpty && samples.lost.isEmpty)
    let times = frames.samples.compactMap(\.presentationTimeStamp.nanoseconds)
    #expect(zip(times.dropFirst(), times).map { $0 - $1 }.max() == 2_080_000_000)
  }

  @Test func extreme_timeline_times_compare_without_overflow() {
    let timeline = FileTimeline()
    for type in [MediaType.video, .audio] { _ = timeline.join(type, now: 0) }
    timeline.advance(.audio, to: .max)
    #expect(!timeline.isAhead(.video, at: .max))
    timeline.advance(.audio, to: 0)
    #expect(timeline.isAhead(.video, at: .max))
  }

  @Test func without_a_pace_held_buffers_pause_reading() throws {
    let recorder = Recorder()
    let stream = try stream(try y4m(30) + "?pace=none", buffers: 5)
    try stream.start(recorder.handle)
    try recorder.waitForSamples(5)
    usleep(100_000)
    #expect(recorder.samples.count == 5)
    recorder.state.withLock { $0.samples = [] }
    try recorder.waitForSamples(5)
    usleep(100_000)
    #expect(recorder.samples.count == 5)
    #expect(recorder.samples.compactMap(firstByte) == [5, 6, 7, 8, 9])
    stream.stop()
    #expect(recorder.lost.isEmpty)
  }

  @Test func in_real_time_frames_arrive_when_they_are_due() throws {
    let recorder = Recorder(keeps: false)
    let stream = try stream(try y4m(50))
    let start = MonotonicClock.now
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    let length = MonotonicClock.now - start
    stream.stop()
    #expect(recorder.samples.count + recorder.lostCount == 50)
    #expect(length >= 979_000_000)
    let times = recorder.state.withLock { $0.times }
    for (sample, arrival) in zip(recorder.samples, times) {
      let due = try #require(sample.presentationTimeStamp.nanoseconds)
      #expect(arrival >= due)
    }
  }

  @Test func frames_without_a_free_buffer_are_counted_as_lost() throws {
    let recorder = Recorder()
    let stream = try stream(try y4m(40, rate: "100:1"), buffers: 6)
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    // A stalling machine may lose one of the first frames as well.
    #expect((1...6).contains(recorder.samples.count))
    #expect(recorder.samples.count + recorder.lostCount == 40)
    #expect(recorder.lost[.outOfBuffers] ?? 0 >= 20)
  }

  @Test func frames_missed_by_a_busy_consumer_are_counted_as_lost() throws {
    let recorder = Recorder(keeps: false, delay: 50_000)
    let stream = try stream(try y4m(100, rate: "100:1"), buffers: 3)
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    let samples = recorder.samples
    #expect(samples.count < 50)
    #expect(samples.count + recorder.lostCount == 100)
    #expect(recorder.lost[.lateData] ?? 0 > 50)
    // The frames' numbers agree with the loss counts before them.
    var expected: UInt32 = 0
    for sample in samples {
      expected += UInt32(sample.attachments.precedingLoss)
      #expect(sample.attachments.sequenceNumber == expected)
      expected += 1
    }
  }

  @Test func no_handler_is_called_after_stopping_a_file() throws {
    for pace in ["none", "real"] {
      let recorder = Recorder(keeps: false)
      let stream = try stream(try y4m(200, rate: "1000:1") + "?pace=\(pace)&loop=yes")
      try stream.start(recorder.handle)
      try recorder.waitForSamples(1)
      stream.stop()
      recorder.close()
      usleep(30_000)
      #expect(recorder.state.withLock { $0.callsAfterClosing } == 0)
      #expect(!recorder.samples.isEmpty)
      stream.stop()
      #expect(throws: CaptureError.self) { try stream.start(recorder.handle) }
    }
  }

  @Test func stopping_from_the_handler_ends_the_stream() throws {
    let stream = try stream(try y4m(20) + "?pace=none")
    let done = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    try stream.start { event in
      guard case .sample = event else { return }
      stream.stop()
      count.withLock { $0 += 1 }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    usleep(20_000)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func a_loop_continues_times_and_sequence_numbers() throws {
    let recorder = Recorder(keeps: false)
    let stream = try stream(try y4m(7, rate: "25:1") + "?pace=none&loop=yes")
    try stream.start(recorder.handle)
    try recorder.waitForSamples(30)
    stream.stop()
    let samples = recorder.samples
    let first = try #require(samples.first?.presentationTimeStamp.nanoseconds)
    for (index, sample) in samples.enumerated() {
      #expect(sample.attachments.sequenceNumber == UInt32(index))
      #expect(sample.presentationTimeStamp.nanoseconds == first + Int64(index) * 40_000_000)
    }
  }

  @Test func a_truncated_file_fails_after_its_complete_frames() throws {
    let recorder = Recorder()
    let stream = try stream(try y4m(4, cut: 10) + "?pace=none")
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    #expect(recorder.samples.compactMap(firstByte) == [0, 1, 2])
    let failure = try #require(recorder.state.withLock { $0.failure })
    #expect(failure.message.contains("3 frames are complete"))
  }

  @Test(arguments: ["read", "map"])
  func raw_frames_arrive_unchanged(access: String) throws {
    let frame = PixelFormat.v210.byteCount(width: 48, height: 4)
    var bytes: [UInt8] = []
    for index in 0..<(frame * 5) { bytes.append(UInt8(truncatingIfNeeded: index &* 31 >> 3)) }
    let path = folder.path("clip.v210")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let recorder = Recorder()
    let stream = try stream(path + "?size=48x4&rate=59.94&pace=none&access=" + access)
    #expect(stream.frameRate == .fps59_94)
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    let samples = recorder.samples
    #expect(samples.count == 5)
    for (index, sample) in samples.enumerated() {
      let image = try #require(sample.imageBuffer)
      #expect(image.format == .v210)
      let same = image.withUnsafeBytes(ofPlane: 0) { plane in
        (0..<4).allSatisfy { row in
          let from = index * frame + row * 128
          let step = image.bytesPerRow(plane: 0)
          return plane[row * step..<row * step + 128].elementsEqual(bytes[from..<from + 128])
        }
      }
      #expect(same)
    }
  }

  /// A WAV file of one second, without video.
  @Test func an_audio_file_is_an_audio_device_with_exact_times() throws {
    let data = (0..<48_000).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8 & 0x3F)] }
    func word(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + word(36 + data.count, 4) + Array("WAVEfmt ".utf8)
    bytes += word(16, 4) + word(1, 2) + word(1, 2) + word(48_000, 4) + word(96_000, 4)
    bytes += word(2, 2) + word(16, 2) + Array("data".utf8) + word(data.count, 4) + data
    let path = folder.path("a.wav")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let driver = try FileDeviceDriver(path: path + "?pace=none")
    #expect(driver.identity.mediaType == .audio)
    #expect(driver.audioCompanion == nil)
    let recorder = Recorder()
    let stream = try stream(path + "?pace=none")
    try stream.start(recorder.handle)
    #expect(recorder.waitForEnd())
    stream.stop()
    let isSame = recorder.samples.compactMap(\.audioBuffer).flatMap(\.bytes) == data
    #expect(isSame)
    let first = try #require(recorder.samples.first?.presentationTimeStamp.nanoseconds)
    var frames = 0
    for sample in recorder.samples {
      let exact = Int64(frames) * 1_000_000_000 / 48_000
      let time = try #require(sample.presentationTimeStamp.nanoseconds)
      #expect((time - first - exact).magnitude <= 1)
      frames += sample.sampleCount
    }
  }

  @Test func a_file_without_audio_has_no_audio_companion() throws {
    #expect(try FileDeviceDriver(path: try y4m(1)).audioCompanion == nil)
  }

  @Test func the_catalogue_finds_files() throws {
    let path = try y4m(2)
    let device = try CaptureDevice.device(identifier: "file:" + path)
    #expect(device.uniqueID == "file:" + path)
    #expect(device.deviceType == .file)
  }

  @Test func errors_are_reported_in_one_line() throws {
    let path = try y4m(2)
    let cases: [(String, CaptureError.Code, String)] = [
      (folder.path("none.mov"), .deviceNotFound, "no such file"),
      ("-", .invalidArgument, "standard input"),
      (path + "?speed=2", .invalidArgument, "unknown option 'speed=2'"),
      (path + "?pace=fast", .invalidArgument, "pace=real|none"),
      (path + "?media=audio", .formatUnavailable, "no audio"),
      (folder.path, .formatUnavailable, "folder"),
    ]
    for (text, code, part) in cases {
      let error = #expect(throws: CaptureError.self) { try FileDeviceDriver(path: text) }
      #expect(error?.code == code)
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("\n") == false)
    }
  }

  @Test func another_rate_or_format_is_refused() throws {
    let driver = try FileDeviceDriver(path: try y4m(2))
    var format = try #require(try driver.formats().first)
    #expect(throws: CaptureError.self) {
      try driver.openStream(CaptureStreamRequest(format: format, frameRate: .fps24))
    }
    format.formatDescription = .video(
      VideoFormatDescription(.init(format: .v210, width: 16, height: 8)))
    #expect(throws: CaptureError.self) {
      try driver.openStream(CaptureStreamRequest(format: format))
    }
  }
}
