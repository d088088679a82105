import Foundation
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices
@testable import TestPattern

@Suite struct ToneTests {
  static func samples(_ buffer: AudioBuffer, channel: Int) -> [Int] {
    let width = buffer.format.sampleFormat.byteCount
    return (0..<buffer.frameCount).map { frame in
      let place = frame * buffer.format.bytesPerFrame + channel * width
      var value = 0
      for byte in 0..<width { value |= Int(buffer.bytes[place + byte]) << (8 * byte) }
      return value >= 1 << (8 * width - 1) ? value - 1 << (8 * width) : value
    }
  }

  @Test(arguments: [AudioFormat.SampleFormat.int16, .int24, .int32], [44_100, 48_000, 96_000])
  func each_channel_carries_its_own_sine(sampleFormat: AudioFormat.SampleFormat, rate: Int) throws {
    let format = AudioFormat(sampleRate: rate, channelCount: 16, sampleFormat: sampleFormat)
    let generator = ToneGenerator(format)
    let first: Int64 = 123_456_789
    let buffer = try generator.run(from: first, frames: 2000)
    let peak = Double(1 << (sampleFormat.bitDepth - 1)) * 0.1
    for channel in 0..<16 {
      let codes = Self.samples(buffer, channel: channel)
      for (index, code) in codes.enumerated() {
        let turns =
          Double(first % Int64(rate) + Int64(index)) * Double(400 + 100 * channel) / Double(rate)
        let wanted = peak * sin(2 * .pi * turns)
        guard abs(Double(code) - wanted) <= 1.01 + peak * 1e-9 else {
          Issue.record("channel \(channel), sample \(index): \(code), not \(wanted)")
          return
        }
      }
    }
  }

  @Test func the_beep_begins_with_the_flash() {
    for rate in FrameRate.standard {
      let schedule = PatternSchedule(frameRate: rate)
      for clockError in [0.0, 100, -250] {
        let clock = ToneClock(sampleRate: 48000, clockError: clockError, schedule: schedule)
        for flash: Int64 in [1, 1000, 86_400] {
          let frame = flash * schedule.framesPerFlash
          #expect(schedule.position(ofFrame: frame) == 0)
          let instant = rate.time(ofFrame: frame).nanoseconds ?? 0
          let sample = clock.index(at: instant)
          #expect(clock.beepIndex(sample + 1) != nil, "\(rate), \(clockError)")
          #expect(clock.beepIndex(sample - 2) == nil)
          #expect(clock.beepIndex(sample + 1919 - 2) != nil)
          #expect(clock.beepIndex(sample + 1923) == nil)
          #expect(abs((clock.time(of: sample).nanoseconds ?? 0) - instant) < 21_000)
        }
      }
    }
  }

  @Test(arguments: [AudioFormat.SampleFormat.int16, .int24, .int32], [44_100, 48_000])
  func a_run_holds_each_sample_at_its_place(sampleFormat: AudioFormat.SampleFormat, rate: Int)
    throws
  {
    let format = AudioFormat(sampleRate: rate, channelCount: 3, sampleFormat: sampleFormat)
    let generator = ToneGenerator(format)
    for (frameRate, clockError) in [(FrameRate.fps29_97, 0.0), (.fps25, 0), (.fps25, 150)] {
      let schedule = PatternSchedule(frameRate: frameRate)
      let clock = ToneClock(sampleRate: rate, clockError: clockError, schedule: schedule)
      let flash = clock.index(
        at: frameRate.time(ofFrame: 1000 * schedule.framesPerFlash).nanoseconds ?? 0)
      let period = Int64(rate / 10)
      // Around the beginning and end of a beep, and the end of the tone's period.
      for edge in [flash, flash + Int64(rate / 25), (flash / period + 7) * period] {
        let first = edge - 200
        let buffer = try generator.run(from: first, frames: 400, stretch: clock.stretch)
        #expect(buffer.frameCount == 400)
        for channel in 0..<3 {
          let wanted = (first..<first + 400).map {
            Int(
              ToneGenerator.stored(
                generator.sample(
                  channel: channel, index: $0, beepIndex: clock.beepIndex($0)), sampleFormat))
          }
          #expect(Self.samples(buffer, channel: channel) == wanted, "\(first), \(channel)")
        }
      }
    }
  }

  @Test func buffers_join_seamlessly_in_real_time() throws {
    let driver = ToneDeviceDriver()
    let format = AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int24)
    let request = CaptureStreamRequest(
      format: CaptureDevice.Format(formatDescription: .audio(format)))
    let before = MonotonicClock.now
    let recorder = try StreamRecorder.run(driver.openStream(request)) { $1 >= 120 }
    let elapsed = MonotonicClock.now - before
    let samples = recorder.samples
    #expect(samples.count >= 120)
    #expect(elapsed >= 1_190_000_000)
    var beeps = 0
    for (one, two) in zip(samples, samples.dropFirst()) {
      #expect(one.presentationTimeStamp + one.duration == two.presentationTimeStamp)
      let codes = try Self.samples(#require(one.audioBuffer), channel: 1)
      if (codes.map(abs).max() ?? 0) > 1 << 21 { beeps += 1 }
      let index = one.presentationTimeStamp.value
      let generator = ToneGenerator(format)
      let clock = ToneClock(
        sampleRate: 48000, clockError: 0, schedule: PatternSchedule(frameRate: .fps25))
      let wanted = ToneGenerator.stored(
        generator.sample(channel: 1, index: index, beepIndex: clock.beepIndex(index)), .int24)
      if clock.beepIndex(index) == nil { #expect(codes[0] == Int(wanted)) }
    }
    #expect((4...15).contains(beeps), "a beep of 1/25 s every second")
  }

  @Test func a_clock_error_shows_in_the_timestamps() throws {
    let clock = ToneClock(
      sampleRate: 48000, clockError: 1000, schedule: PatternSchedule(frameRate: .fps25))
    let hour: Int64 = 48000 * 3600
    let drift = (clock.time(of: 2 * hour) - clock.time(of: hour)).seconds - 3600
    #expect(abs(drift + 3600 * 1e-3 / (1 + 1e-3)) < 1e-6)
  }

  @Test func lost_buffers_are_counted_in_samples() throws {
    let driver = try ToneDeviceDriver(identifier: "tone?drop=0.3&seed=3&rate=29.97")
    let format = try #require(try driver.formats().first)
    let recorder = try StreamRecorder.run(driver.openStream(.init(format: format))) { $1 >= 30 }
    let lost = recorder.samples.reduce(0) { $0 + $1.attachments.precedingLoss }
    let samples = recorder.samples
    let first = try #require(samples.first)
    let last = try #require(samples.last)
    let span = last.presentationTimeStamp + last.duration - first.presentationTimeStamp
    let heard = samples.reduce(0) { $0 + $1.sampleCount }
    #expect(
      span
        == MediaTime(value: Int64(heard + lost - first.attachments.precedingLoss), timescale: 48000)
    )
    #expect(lost > 0 && lost % 480 == 0)
    #expect(recorder.losses.allSatisfy { $0.reason == .overrun && $0.count == 480 })
  }

  @Test(arguments: [
    "tone?ppm=x", "tone?ppm=20000", "tone?x=1", "tones", "tone?drop=-1", "tone?rate=0",
  ])
  func invalid_tone_identifiers_are_refused(identifier: String) {
    #expect(throws: CaptureError.self) { try ToneDeviceDriver(identifier: identifier) }
  }

  @Test func the_catalogue_has_both_devices() throws {
    #expect(try CaptureDevice.device(identifier: "pattern").uniqueID == "pattern:bars")
    #expect(
      try CaptureDevice.device(identifier: "pattern:ramp?pace=none").uniqueID
        == "pattern:ramp?pace=none")
    #expect(try CaptureDevice.device(identifier: "tone").uniqueID == "tone")
    #expect(try CaptureDevice.device(identifier: "tone?ppm=5").uniqueID == "tone?ppm=5")
    #expect(throws: CaptureError.self) { try CaptureDevice.device(identifier: "pattern:what") }
  }
}
