import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Pictures that come sooner than a program wants them.
@Suite(.timeLimit(.minutes(10))) struct FramePacingTests {
  private func taken(_ times: [Double], _ pacing: FramePacing) -> [Double] {
    var pacing = pacing
    return times.filter { pacing.takes(CMTime(seconds: $0, preferredTimescale: 1_000_000_000)) }
  }

  @Test func there_are_never_more_pictures_than_wanted_and_never_fewer_than_there_are_times() {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<50 {
      let frame = Double.random(in: 0.005...0.05, using: &random)
      let least = frame * Double.random(in: 1...6, using: &random)
      let times = (0..<600).map { (number: Int) -> Double in
        let jitter = Double.random(in: -0.1...0.1, using: &random)
        return (Double(number) + jitter) * frame
      }
      let given = taken(
        times, FramePacing(CMTime(seconds: least, preferredTimescale: 1_000_000_000)))
      #expect(zip(given, given.dropFirst()).allSatisfy { $1 - $0 > least * 0.874 })
      let span = times[599] - times[0]
      #expect(Double(given.count) <= span / least + 1.3, "\(frame), \(least)")
      // One that is late by a picture's time costs no more than that.
      let longest = least + frame * 1.3
      #expect(Double(given.count) >= span / longest - 1, "\(frame), \(least)")
    }
  }

  @Test func every_second_picture_is_given_at_half_the_rate_though_times_are_not_exact() {
    let times = (0..<100).map { (number: Int) -> Double in
      Double(number) / 30 + (number % 3 == 0 ? 0.002 : -0.001)
    }
    let given = taken(times, FramePacing(CMTime(value: 1, timescale: 15)))
    let seconds = times.indices.filter { $0 % 2 == 0 }.map { times[$0] }
    #expect(given == seconds)
  }

  @Test func without_a_limit_and_after_a_step_back_pictures_are_given() {
    let times: [Double] = [0, 0.01, 0.02]
    for none in [CMTime.invalid, .zero, .positiveInfinity, CMTime(value: -1, timescale: 5)] {
      #expect(taken(times, FramePacing(none)) == times)
    }
    let second = FramePacing(CMTime(value: 1, timescale: 1))
    #expect(taken([100, 100.5, 7, 7.5, 8], second) == [100, 7, 8])
    var pacing = second
    #expect(pacing.takes(.zero) && pacing.takes(.invalid) && !pacing.takes(.zero))
  }

  @Test func a_delegate_is_given_no_more_pictures_than_wanted() async throws {
    final class Listener: AVCaptureVideoDataOutputSampleBufferDelegate {
      let times = Mutex<[Double]>([])
      func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) { times.withLock { $0.append(sampleBuffer.presentationTimeStamp.seconds) } }
    }
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    #expect(!output.minFrameDuration.isValid)
    output.minFrameDuration = CMTime(value: 1, timescale: 5)
    #expect(output.minFrameDuration == CMTime(value: 1, timescale: 5))
    #expect(!AVCaptureVideoDataOutput().minFrameDuration.isValid)
    let listener = Listener()
    output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "pictures"))
    rig.session.addOutput(output)
    rig.session.startRunning()
    try await eventually("five pictures come") { listener.times.withLock { $0.count } >= 5 }
    let slow = listener.times.withLock { $0 }
    #expect(zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 > 0.174 }, "\(slow)")
    output.minFrameDuration = .invalid
    #expect(!output.minFrameDuration.isValid)
    try await eventually("pictures come at the camera's rate") {
      let all = listener.times.withLock { $0 }
      return zip(all, all.dropFirst()).contains { $1 - $0 < 0.1 }
    }
    rig.session.stopRunning()
  }
}
