import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices

extension InGuest {
  /// The loopback card of the lab's machine, which captures what is played at its other end.
  @Suite struct ALSALoopback {
    /// The tone that the lab's own program plays, computed from its definition: 200 + 100 c Hz on
    /// channel `c` at half of full scale, repeating every hundredth of a second.
    static func code(_ place: Int, _ channel: Int, _ bits: Int, period: Int) -> Int {
      let turns = Double((2 + channel) * place % period) / Double(period)
      return Int((0.5 * sin(2 * .pi * turns) * Double(1 << (bits - 1))).rounded(.toNearestOrEven))
    }

    @Test(arguments: [
      ("S16_LE", 2, AudioFormat.SampleFormat.int16), ("S24_3LE", 16, .int24), ("S32_LE", 4, .int32),
    ])
    func a_tone_arrives_sample_for_sample(
      name: String, channels: Int, sampleFormat: AudioFormat.SampleFormat
    ) throws {
      let folder = try TemporaryFolder()
      let file = folder.url("tone.pcm").path
      func tool(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        try Command.withSignalsUnblocked { try process.run() }
        return process
      }
      let emitter = try tool([
        "lab-tone", "--emit", file, "--format", name, "--channels", "\(channels)", "--seconds",
        "15",
      ])
      emitter.waitForExit()
      let player = try tool([
        "aplay", "-q", "-D", "hw:Loopback,0,0", "-t", "raw", "-f", name, "-c", "\(channels)", "-r",
        "48000", file,
      ])
      defer {
        player.terminate()
        player.waitForExit()
      }
      Thread.sleep(forTimeInterval: 1)

      let driver = try ALSADeviceDriver(identifier: "alsa:Loopback,1")
      let format = AudioFormat(
        sampleRate: 48000, channelCount: channels, sampleFormat: sampleFormat)
      #expect(try driver.formats().contains { $0.audio == format })
      let stream = try driver.openStream(
        CaptureStreamRequest(format: CaptureDevice.Format(formatDescription: .audio(format))))
      let recorder = try StreamRecorder.run(stream) { event, count in
        if case .failed = event { return true }
        return count >= 40
      }
      let now = Double(MonotonicClock.now) * 1e-9
      let samples = recorder.samples
      #expect(samples.count >= 40)
      try checkTone(samples, format)
      try checkTimes(samples, recorder, now: now)
    }

    private func checkTone(_ samples: [SampleBuffer], _ format: AudioFormat) throws {
      let period = 480
      let bits = format.sampleFormat.bitDepth
      let tone = (0..<period).map { place in
        (0..<format.channelCount).map { Self.code(place, $0, bits, period: period) }
      }
      var place: Int?
      var good = 0
      for sample in samples {
        if sample.attachments.precedingLoss > 0 { place = nil }
        let buffer = try #require(sample.audioBuffer)
        let channels = (0..<format.channelCount).map { ToneTests.samples(buffer, channel: $0) }
        for index in 0..<buffer.frameCount {
          let frame = channels.map { $0[index] }
          if place == nil {
            // Finds the position again at the beginning of the stream and after an overrun.
            if good == 0, frame.allSatisfy({ $0 == 0 }) { continue }
            place = tone.firstIndex(of: frame)
          }
          let at = try #require(place, "the frame is not part of the tone")
          guard tone[at] == frame else {
            Issue.record("a wrong frame follows \(good) frames of the tone")
            return
          }
          good += 1
          place = (at + 1) % period
        }
      }
      #expect(good > 10_000)
    }

    private func checkTimes(_ samples: [SampleBuffer], _ recorder: StreamRecorder, now: Double)
      throws
    {
      let first = try #require(samples.first)
      let last = try #require(samples.last)
      let span = (last.presentationTimeStamp - first.presentationTimeStamp).seconds
      let frames = samples.dropLast().reduce(0) { $0 + $1.sampleCount }
      let lost = samples.dropFirst().reduce(0) { $0 + $1.attachments.precedingLoss }
      #expect(abs(span - Double(frames + lost) / 48000) < 0.05)
      #expect(
        (0...5).contains(now - last.presentationTimeStamp.seconds), "times are on CLOCK_MONOTONIC")
      #expect(
        lost <= recorder.losses.reduce(0) { $0 + $1.count })
    }

    @Test func a_device_in_use_is_reported_as_busy() throws {
      let driver = try ALSADeviceDriver(identifier: "alsa:hw:Loopback,1,3")
      let format = try #require(try driver.formats().first)
      let stream = try driver.openStream(CaptureStreamRequest(format: format))
      let error = #expect(throws: CaptureError.self) {
        try driver.openStream(CaptureStreamRequest(format: format))
      }
      #expect(error?.code == .deviceBusy)
      stream.stop()
      let again = try driver.openStream(CaptureStreamRequest(format: format))
      again.stop()
    }
  }
}
