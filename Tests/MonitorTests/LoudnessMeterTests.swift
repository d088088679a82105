import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Monitor

/// The meter compared with the tones of EBU Tech 3341 and 3342, and with FFmpeg.
@Suite(
  .enabled(
    if: LoudnessMeter.failure == nil, Comment(rawValue: LoudnessMeter.failure ?? ""))
) struct LoudnessMeterTests {
  private static let rate = 48_000

  /// A sine with this peak in dBFS, or silence, for some seconds.
  private struct Step {
    var decibels: [Double?]
    var seconds: Double
    init(_ decibels: Double?, _ seconds: Double, channels: Int = 2) {
      self.decibels = Array(repeating: decibels, count: channels)
      self.seconds = seconds
    }
    init(each decibels: [Double?], _ seconds: Double) {
      self.decibels = decibels
      self.seconds = seconds
    }
  }

  private static func format(_ channels: Int) -> AudioFormat {
    AudioFormat(sampleRate: rate, channelCount: channels, sampleFormat: .int24)
  }

  private struct NoMeter: Error {}

  private static func meter(_ format: AudioFormat) throws -> LoudnessMeter {
    guard let meter = LoudnessMeter(format) else { throw NoMeter() }
    return meter
  }

  /// Ten milliseconds of 1 kHz: whole periods.
  private static func block(_ decibels: [Double?]) throws -> AudioBuffer {
    let full = Double((1 << 23) - 1)
    let peaks = decibels.map { $0.map { full * pow(10, $0 / 20) } ?? 0 }
    let bytes = (0..<rate / 100).flatMap { index in
      peaks.flatMap { peak in
        let sample = Int32((peak * sin(2 * .pi * Double(index) / 48)).rounded())
        return (0..<3).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) }
      }
    }
    return try AudioBuffer(format: format(decibels.count), bytes: bytes)
  }

  /// The meter's readings, one every 100 ms.
  private static func readings(_ steps: [Step]) throws -> [Loudness] {
    var meter = try Self.meter(format(steps.first?.decibels.count ?? 2))
    var readings: [Loudness] = []
    var blocks = 0
    for step in steps {
      let block = try block(step.decibels)
      for _ in 0..<Int((step.seconds * 100).rounded()) {
        meter.measure(block)
        blocks += 1
        if blocks % 10 == 0 { readings.append(meter.read()) }
      }
    }
    return readings
  }

  private static func isNear(_ value: Double?, _ wanted: Double, _ tolerance: Double) -> Bool {
    value.map { abs($0 - wanted) <= tolerance + 0.001 } ?? false
  }

  @Test(arguments: [-23.0, -33]) func a_stereo_tone_of_1_khz_reads_its_peak_level(
    decibels: Double
  ) throws {
    let last = try #require(try Self.readings([Step(decibels, 20)]).last)
    #expect(Self.isNear(last.momentary, decibels, 0.1), "\(last)")
    #expect(Self.isNear(last.shortTerm, decibels, 0.1) && last.seconds == 20)
    #expect(Self.isNear(last.integrated, decibels, 0.1) && last.channels == 2)
    #expect(Self.isNear(last.truePeak, decibels, 0.2), "\(last)")
  }

  /// Tech 3341, cases 3 to 6.
  @Test func quiet_passages_are_gated() throws {
    let cases: [[Step]] = [
      [Step(-36, 10), Step(-23, 60), Step(-36, 10)],
      [Step(-72, 10), Step(-36, 10), Step(-23, 60), Step(-36, 10), Step(-72, 10)],
      [Step(-26, 20), Step(-20, 20.1), Step(-26, 20)],
      [Step(each: [-28, -28, -24, nil, -30, -30], 20)],
    ]
    for (number, steps) in cases.enumerated() {
      let last = try #require(try Self.readings(steps).last)
      #expect(Self.isNear(last.integrated, -23, 0.1), "case \(number + 3): \(last)")
    }
  }

  /// Tech 3341, cases 9 and 12.
  @Test func changing_tones_read_their_mean_power() throws {
    let slow = (0..<5).flatMap { _ in [Step(-20, 1.34), Step(-30, 1.66)] }
    for reading in try Self.readings(slow) where reading.seconds >= 3.01 {
      #expect(Self.isNear(reading.shortTerm, -23, 0.1), "\(reading)")
    }
    let fast = (0..<25).flatMap { _ in [Step(-20, 0.18), Step(-30, 0.22)] }
    for reading in try Self.readings(fast) where reading.seconds >= 1 {
      #expect(Self.isNear(reading.momentary, -23, 0.1), "\(reading)")
    }
  }

  /// Tech 3342, cases 1 to 4.
  @Test func the_loudness_range_matches_the_level_steps() throws {
    let cases: [([Double], Double)] = [
      ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ]
    for (levels, range) in cases {
      let readings = try Self.readings(levels.map { Step($0, 20) })
      #expect(
        Self.isNear(readings.last?.range, range, 1), "\(levels): \(readings.last?.range ?? 0)")
      #expect(readings.first?.range == nil)
    }
  }

  /// Tech 3341, cases 15 to 19: peaks between the samples.
  @Test(arguments: [
    (4, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3),
  ])
  func true_peaks_between_samples_are_found(
    period: Int, phase: Double, amplitude: Double, wanted: Double
  ) throws {
    let frames = Self.rate / 10
    let bytes = (0..<frames).flatMap { index in
      let angle = 2 * .pi * Double(index) / Double(period) + phase * .pi / 180
      // As in the test signals, the tone is faded in and out.
      let fade = min(1, Double(min(index, frames - 1 - index)) / 480)
      let sample = Int32((amplitude * fade * sin(angle) * Double((1 << 23) - 1)).rounded())
      return [sample, sample].flatMap { sample in
        (0..<3).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) }
      }
    }
    var meter = try Self.meter(Self.format(2))
    meter.measure(try AudioBuffer(format: Self.format(2), bytes: bytes))
    let reading = meter.read()
    let peak = try #require(reading.truePeak)
    #expect(peak <= wanted + 0.2 && peak >= wanted - 0.4, "\(peak)")
  }

  @Test func silence_has_no_loudness() throws {
    let last = try #require(try Self.readings([Step(nil, 4)]).last)
    #expect(last.momentary == nil && last.shortTerm == nil && last.integrated == nil)
    #expect(last.truePeak == nil && last.range == 0 && last.seconds == 4)
  }

  @Test(arguments: [(1, 1), (2, 2), (6, 6), (5, 2), (16, 2)])
  func the_first_two_channels_of_unknown_layouts_are_measured(
    count: Int, measured: Int
  ) throws {
    let levels: [Double?] = (0..<count).map { $0 < 2 ? -23 : -3 }
    let last = try #require(try Self.readings([Step(each: levels, 1)]).last)
    #expect(last.channels == measured)
    if measured == 2 { #expect(Self.isNear(last.integrated, -23, 0.1)) }
    if measured == 1 { #expect(Self.isNear(last.integrated, -26, 0.1)) }
  }

  @Test func a_restart_clears_all_but_momentary_loudness() throws {
    var meter = try Self.meter(Self.format(2))
    let loud = try Self.block([-10, -10])
    let soft = try Self.block([-30, -30])
    for _ in 0..<300 { meter.measure(loud) }
    meter.lose(5)
    var reading = meter.read()
    #expect(reading.lostFrames == 5)
    meter.restart()
    reading = meter.read()
    #expect(reading.integrated == nil && reading.lostFrames == nil)
    #expect(Self.isNear(reading.momentary, -10, 0.1))
    for _ in 0..<100 { meter.measure(soft) }
    reading = meter.read()
    #expect(Self.isNear(reading.integrated, -30, 0.1))
    // The filter's ringing after the loud part is not included.
    #expect(Self.isNear(reading.truePeak, -30, 0.2))
    for _ in 0..<100 { meter.measure(loud, isCounted: false) }
    reading = meter.read()
    #expect(Self.isNear(reading.integrated, -30, 0.1) && reading.seconds == 1)
    #expect(Self.isNear(reading.momentary, -10, 0.1))
    meter.measure(try Self.block([-3]))
    reading = meter.read()
    #expect(reading.seconds == 1, "audio of another format is ignored")
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func noise_measures_as_in_ffmpeg() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 5)
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    var meter = try Self.meter(format)
    var all = Data()
    // Bursts of noise between -60 and -6 dBFS, to have something to gate and a loudness range. Each sample is the
    // mean of four, because interpolators differ close to half the sample rate.
    let white = (0..<2 * 12_003).map { _ in Int32(Int16(truncatingIfNeeded: generator.next())) }
    let noise = (0..<2 * 12_000).map { place -> Int32 in
      let sum: Int32 = stride(from: place, through: place + 6, by: 2).reduce(0) { $0 + white[$1] }
      return sum / 4
    }
    let blocks = try (0..<10).map { bits -> AudioBuffer in
      let bytes = noise.flatMap { sample -> [UInt8] in
        [
          UInt8(truncatingIfNeeded: sample >> bits),
          UInt8(truncatingIfNeeded: sample >> (bits + 8)),
        ]
      }
      return try AudioBuffer(format: format, bytes: bytes)
    }
    for _ in 0..<60 {
      let block = blocks[Int.random(in: blocks.indices, using: &generator)]
      for _ in 0..<2 {
        all.append(contentsOf: block.bytes)
        meter.measure(block)
      }
    }
    let ours = meter.read()
    try all.write(to: folder.url("noise.raw"))
    let words =
      "-nostdin -hide_banner -nostats -f s16le -ar 48000 -ac 2 -i \(folder.path("noise.raw")) "
      + "-af ebur128=peak=true:framelog=verbose -f null -"
    let said = try Judges.run("ffmpeg", words.split(separator: " ").map(String.init)).errors
    func value(_ name: String) throws -> Double {
      let line = try #require(
        said.split(separator: "\n").last { $0.drop { $0 == " " }.hasPrefix("\(name):") }, "\(said)")
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    #expect(Self.isNear(ours.integrated, try value("I"), 0.11), "\(ours) \(said)")
    #expect(Self.isNear(ours.range, try value("LRA"), 1), "\(ours) \(said)")
    #expect(Self.isNear(ours.truePeak, try value("Peak"), 0.3), "\(ours) \(said)")
  }
}
