import AssetWriter
import CaptureTestSupport
import MediaCore
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

/// Numbers at the ends of their ranges, from devices, presets and users: none ends the process.
@Suite struct ExtremeValueTests {
  private static let integers: [Int64] = [
    .min, .min + 1, -(1 << 53), -1, 0, 1, 1 << 31, 1 << 53, .max - 1, .max,
  ]
  private static let scales: [Int32] = [1, 48_000, 1_000_000_000, .max]
  private static var times: [MediaTime] {
    integers.flatMap { value in scales.map { MediaTime(value: value, timescale: $0) } }
      + [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
  }
  private static let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)

  @Test func the_frame_clock_accepts_extreme_times_and_numbers() throws {
    for rate in [FrameRate.fps25, try #require(FrameRate(.max)), try #require(FrameRate(1, .max))] {
      for first in Self.times {
        var clock = FrameClock(rate: rate)
        for time in [first] + Self.times {
          for sequence in [nil, 0, 1, UInt32.max] {
            _ = clock.place(time: time, sequence: sequence)
            #expect(clock.nextSlot >= 0)
          }
          _ = clock.timeline
        }
      }
    }
  }

  @Test func audio_at_extreme_times_is_placed_or_dropped() throws {
    let buffer = try #require(AudioBuffer.silence(480, format: Self.format))
    for start in Self.times {
      var aligner = AudioAligner(format: Self.format)
      _ = aligner.begin(sourceStart: start, fileStart: 0)
      for time in Self.times {
        for loss in [0, 1, Int.max, .min] {
          _ = aligner.push(buffer, at: time, precedingLoss: loss)
        }
        #expect(aligner.position >= 0)
      }
      aligner.end(fileEnd: 48_000)
      while let piece = aligner.silence(upTo: 48_000) { #expect(piece.buffer.frameCount > 0) }
    }
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func extreme_numeric_options_still_make_a_valid_recording(value: Int64) async throws {
    let rig = try MovieRig(hasAudio: true)
    defer { rig.cleanUp() }
    var options = rig.output.options
    options.maxRecordedDuration = MediaTime(value: value, timescale: 1)
    options.segments.maximumFrameCount = value == 0 ? nil : Int(value)
    options.segments.maximumDuration = MediaTime(value: value, timescale: 1)
    options.segments.maximumByteCount = value == .max ? value : nil
    options.maxRecordedFileSize = value == .max ? value : 0
    options.minFreeDiskSpaceLimit = min(value, 0)
    options.stallTimeout = Double(value) * 1e290
    options.sourceWaitLimit = Double(value)
    options.preRollByteLimit = value
    rig.output.options = options
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<4, camera, microphone)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.isValid && report.movie.frameCount >= 1)
  }

  @Test func a_take_with_extreme_limits_begins_with_its_pre_roll() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = .max
    rig.output.preRollDuration = MediaTime(value: 1 << 40, timescale: 1)
    try await rig.session.start()
    try rig.output.standBy()
    let camera = try #require(rig.cameraDriver.stream)
    try rig.feed(0..<5, camera, nil)
    let report = try await rig.record { camera, _ in
      try rig.feed(5..<9, camera, nil)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(report.movie.frameCount == 9)
  }

  @Test func a_reserve_larger_than_any_disk_refuses_the_take() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.options.minFreeDiskSeconds = 1e300
    try await rig.session.start()
    let error = await #expect(throws: CaptureError.self) {
      try await rig.output.record(to: rig.url)
    }
    await rig.session.stop()
    #expect(error?.code == .diskFull)
  }
}
