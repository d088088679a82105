import AssetWriter
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import TestPattern
@testable import VideoRecorder

/// A camera and a microphone in simulated time, each with its own clock, and the audio of their
/// recording.
private struct Simulation {
  static let rate = 8000
  /// In hertz. A period is 20 ms, so the phase alone gives offsets of up to 10 ms.
  static let tone = 50.0
  static let frameRate = FrameRate.fps25

  var seconds: Int
  /// How fast the clocks are, in millionths.
  var camera: Double
  var microphone: Double
  var loss = 0.001
  /// The largest error of a timestamp, in seconds.
  var jitter = 0.0005

  struct Outcome {
    /// The largest offset of audio from video, in seconds, and the last one.
    var largest = 0.0
    var last = 0.0
    var windows = 0
    var clockError: Double?
    var missing: Int64 = 0
    var lost: Int64 = 0
  }

  func run() throws -> Outcome {
    var generator = SeededGenerator(seed: 11)
    let format = AudioFormat(sampleRate: Self.rate, channelCount: 1, sampleFormat: .int24)
    var aligner = AudioAligner(format: format)
    var clock = FrameClock(rate: Self.frameRate)
    var outcome = Outcome()
    var written: [Int32] = []
    var base: Int64 = 0
    let cameraSpeed = 1 + camera * 1e-6
    let audioSpeed = 1 + microphone * 1e-6
    let run = Self.rate / 100
    var frame = 0
    var lostBefore = 0
    func noise() -> Double { Double.random(in: -jitter...jitter, using: &generator) }
    for index in 0..<seconds * 100 {
      // Audio arrives once its last sample has passed.
      let start = Double(index * run) / (Double(Self.rate) * audioSpeed)
      let end = Double((index + 1) * run) / (Double(Self.rate) * audioSpeed)
      while true {
        let due = Double(frame) / (Self.frameRate.framesPerSecond * cameraSpeed)
        guard due <= end else { break }
        frame += 1
        guard frame == 1 || Double.random(in: 0..<1, using: &generator) >= loss else { continue }
        let stamp = time(due + (frame == 1 ? 0 : noise()))
        let placement = clock.place(time: stamp, sequence: UInt32(frame))
        if case .slot(0, _) = placement {
          take(aligner.begin(sourceStart: stamp, fileStart: 0), &written, base)
        } else if let timeline = clock.timeline {
          aligner.follow(timeline)
        }
      }
      guard Double.random(in: 0..<1, using: &generator) >= loss else {
        lostBefore += run
        outcome.lost += Int64(run)
        continue
      }
      let buffer = try audio(from: index * run, count: run, speed: audioSpeed, format)
      take(
        aligner.push(buffer, at: time(start + noise()), precedingLoss: lostBefore), &written, base)
      lostBefore = 0
      if written.count >= Self.rate * 10 {
        measure(written, from: base, cameraSpeed, &outcome)
        base += Int64(written.count)
        written.removeAll(keepingCapacity: true)
      }
    }
    outcome.clockError = aligner.clockError
    outcome.missing = aligner.missing
    return outcome
  }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(value: Int64(((100 + seconds) * 1e9).rounded()), timescale: 1_000_000_000)
  }

  /// A sine in true time, sampled by a clock of a given speed.
  private func audio(
    from first: Int, count: Int, speed: Double, _ format: AudioFormat
  ) throws -> AudioBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 3)
    for index in first..<first + count {
      let turns = Double(index) / (Double(Self.rate) * speed) * Self.tone
      let code = Int32((4_000_000 * sin(2 * .pi * turns)).rounded())
      for byte in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: code >> (8 * Int32(byte)))) }
    }
    return try AudioBuffer(format: format, bytes: bytes)
  }

  private func take(_ pieces: [AudioAligner.Piece], _ written: inout [Int32], _ base: Int64) {
    for piece in pieces {
      while base + Int64(written.count) < piece.position { written.append(0) }
      let bytes = piece.buffer.bytes
      for index in 0..<piece.buffer.frameCount {
        let low = UInt32(bytes[index * 3]) | UInt32(bytes[index * 3 + 1]) << 8
        written.append(Int32(bitPattern: (low | UInt32(bytes[index * 3 + 2]) << 16) << 8) >> 8)
      }
    }
  }

  /// The phase of each window of five periods relative to the video.
  private func measure(
    _ samples: [Int32], from base: Int64, _ cameraSpeed: Double, _ outcome: inout Outcome
  ) {
    let length = Self.rate / 10
    for start in stride(from: 0, to: samples.count - length, by: length) {
      var real = 0.0
      var imaginary = 0.0
      var power = 0.0
      for index in start..<start + length {
        // The recording's time follows the camera's clock.
        let true_ = Double(base + Int64(index)) / Double(Self.rate) / cameraSpeed
        let angle = 2 * .pi * Self.tone * true_
        let sample = Double(samples[index])
        real += sample * sin(angle)
        imaginary += sample * cos(angle)
        power += sample * sample
      }
      // A window with lost audio says little.
      guard power > 0.99 * 8e12 * Double(length) else { continue }
      let offset = atan2(imaginary, real) / (2 * .pi * Self.tone)
      outcome.windows += 1
      outcome.largest = max(outcome.largest, offset.magnitude)
      outcome.last = offset
    }
  }
}

@Suite struct AudioSyncTests {
  @Test(.tags(.slow), arguments: [(0.0, 100.0), (0, -100), (60, -60), (-100, 100), (200, 0)])
  func audio_stays_in_sync_despite_different_clocks(_ camera: Double, _ microphone: Double) throws {
    let isLong = TestRun.isThorough
    let simulation = Simulation(
      seconds: isLong ? 3600 : 120, camera: camera, microphone: microphone)
    let outcome = try simulation.run()
    #expect(outcome.windows > simulation.seconds * 8)
    // Half a frame at 60 fps is 8.3 ms.
    #expect(outcome.largest < 0.003, "\(outcome)")
    #expect(outcome.last.magnitude < 0.0007, "\(outcome)")
    let clockError = try #require(outcome.clockError)
    #expect((clockError - (microphone - camera)).magnitude < 15, "\(outcome)")
    #expect(outcome.missing == outcome.lost)
  }

  @Test func equal_clocks_leave_samples_unchanged() throws {
    let outcome = try Simulation(seconds: 60, camera: 0, microphone: 0).run()
    #expect(outcome.clockError == nil)
    #expect(outcome.largest < 0.0006, "\(outcome)")
    #expect(outcome.missing == outcome.lost)
  }

  @Test func the_stretcher_begins_seamlessly_and_in_sync() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
    let generator = ToneGenerator(format)
    func run(_ first: Int64, _ count: Int) throws -> AudioBuffer {
      try generator.run(from: first, frames: count)
    }
    let stretcher = try #require(AudioStretcher(format))
    stretcher.begin(after: try run(1000, AudioStretcher.history))
    var position: Int64 = 1000 + Int64(AudioStretcher.history)
    var worst = 0
    for index in 0..<40 {
      let heard = stretcher.stretch(try run(1256 + Int64(index) * 480, 480), by: 0)
      guard let heard else { continue }
      let wanted = try run(position, heard.frameCount)
      worst = max(worst, Self.distance(heard, wanted))
      position += Int64(heard.frameCount)
    }
    #expect(position > 1256 + 39 * 480)
    // The tone is at -20 dBFS (838861 in 24 bits); the rest is more than 96 dB below it.
    #expect(worst < 12, "off by \(worst)")
    #expect((stretcher.delay - Double(1256 + 40 * 480 - position)).magnitude < 0.01)
  }

  private static func distance(_ one: AudioBuffer, _ other: AudioBuffer) -> Int {
    func codes(_ buffer: AudioBuffer) -> [Int] {
      (0..<buffer.bytes.count / 3).map { index in
        let low = UInt32(buffer.bytes[index * 3]) | UInt32(buffer.bytes[index * 3 + 1]) << 8
        return Int(Int32(bitPattern: (low | UInt32(buffer.bytes[index * 3 + 2]) << 16) << 8) >> 8)
      }
    }
    return zip(codes(one), codes(other)).map { abs($0 - $1) }.max() ?? 0
  }

  @Test func the_stretcher_handles_every_format_and_channel_count() throws {
    for sampleFormat in AudioFormat.SampleFormat.allCases {
      for channels in [1, 2, 3, 8, 16] {
        let format = AudioFormat(
          sampleRate: 48_000, channelCount: channels, sampleFormat: sampleFormat)
        let generator = ToneGenerator(format)
        let stretcher = try #require(AudioStretcher(format), "\(format)")
        var made = 0
        for index in 0..<100 {
          let buffer = try generator.run(from: Int64(index) * 480, frames: 480)
          made += stretcher.stretch(buffer, by: 500e-6)?.frameCount ?? 0
        }
        #expect((Double(made) + stretcher.delay - 48_000 * 1.0005).magnitude < 2, "\(format)")
      }
    }
  }
}
