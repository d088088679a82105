import Foundation
import Testing

@testable import MediaCore

@Suite struct LevelMeterTests {
  private static func buffer(
    _ format: AudioFormat.SampleFormat, _ frames: [[Int32]]
  ) throws -> AudioBuffer {
    let width = format.byteCount
    let bytes = frames.flatMap { frame in
      frame.flatMap { sample in
        (0..<width).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) }
      }
    }
    return try AudioBuffer(
      format: AudioFormat(
        sampleRate: 48_000, channelCount: frames.first?.count ?? 1, sampleFormat: format),
      bytes: bytes)
  }

  @Test(arguments: [AudioFormat.SampleFormat.int16, .int24, .int32])
  func the_rms_of_a_sine_is_three_decibels_below_its_peak(
    format: AudioFormat.SampleFormat
  ) throws {
    // A tenth of full scale, in whole periods on both channels.
    let peak = 0.1 * Double(Int64(1) << Int64(format.bitDepth - 1))
    let frames = (0..<480).map { frame -> [Int32] in
      let turns = [400.0, 500].map { $0 * Double(frame) / 48_000 }
      return turns.map { Int32((peak * sin(2 * Double.pi * $0)).rounded()) }
    }
    var meter = LevelMeter()
    for run in 0..<10 { meter.measure(try Self.buffer(format, frames), at: Double(run) / 100) }
    let levels = meter.read()
    try #require(levels.count == 2)
    for level in levels {
      #expect(abs(try #require(level.peak) + 20) < 0.02)
      #expect(abs(try #require(level.rms) + 23.01) < 0.02)
      #expect(level.clips == 0)
    }
  }

  @Test(arguments: [AudioFormat.SampleFormat.int16, .int24, .int32])
  func full_scale_is_zero_decibels_and_half_scale_is_six_less(
    format: AudioFormat.SampleFormat
  ) throws {
    let full = Int64(1) << Int64(format.bitDepth - 1)
    var meter = LevelMeter()
    meter.measure(try Self.buffer(format, [[Int32(-full), Int32(full / 2)]]), at: 0)
    let levels = meter.read()
    #expect(levels.map(\.peak) == [0, -6.02] && levels.map(\.rms) == [0, -6.02])
    #expect(levels.map(\.clips) == [1, 0])
    #expect(meter.read().map(\.peak) == [nil, nil], "reading resets the meter")
  }

  @Test func neighboring_samples_at_full_scale_are_one_clip() throws {
    var meter = LevelMeter()
    let one: Int32 = 32_767
    meter.measure(try Self.buffer(.int16, [[one], [one], [0], [-32_768], [one]]), at: 0)
    #expect(meter.read().first?.clips == 2)
    // A clip that continues in the next run is still the same clip.
    meter.measure(try Self.buffer(.int16, [[one], [0], [one]]), at: 0)
    #expect(meter.read().first?.clips == 3)
  }

  @Test func a_peak_is_held_until_it_expires_or_a_louder_one_comes() throws {
    var meter = LevelMeter(holdTime: 2)
    func held(_ sample: Int32, at seconds: Double) throws -> Double? {
      meter.measure(try Self.buffer(.int16, [[sample]]), at: seconds)
      return meter.read().first?.held
    }
    #expect(try held(8_192, at: 0) == -12.04)
    #expect(try held(10, at: 1.9) == -12.04)
    #expect(try held(16_384, at: 1.95) == -6.02)
    #expect(try held(8_192, at: 3.9) == -6.02)
    #expect(try held(8_192, at: 4) == -12.04)
    #expect(try held(0, at: 9) == nil)
  }

  @Test func channels_beyond_sixteen_are_ignored_and_a_new_count_resets() throws {
    var meter = LevelMeter()
    meter.measure(
      try Self.buffer(.int24, [(0..<20).map { Int32($0) << 15 }]), at: 0)
    #expect(meter.read().count == 16)
    meter.measure(try Self.buffer(.int16, [[1, 2]]), at: 1)
    #expect(meter.read().count == 2)
  }
}
