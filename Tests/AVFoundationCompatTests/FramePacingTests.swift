import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Frames that come more often than a program wants.
@Suite(.timeLimit(.minutes(10))) struct FramePacingTests {
  @Test func frames_are_delivered_no_faster_than_the_minimum_duration() async throws {
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
    try await eventually("five frames arrive") { listener.times.withLock { $0.count } >= 5 }
    let slow = listener.times.withLock { $0 }
    #expect(zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 > 0.174 }, "\(slow)")
    output.minFrameDuration = .invalid
    #expect(!output.minFrameDuration.isValid)
    try await eventually("frames arrive at the camera's rate") {
      let all = listener.times.withLock { $0 }
      return zip(all, all.dropFirst()).contains { $1 - $0 < 0.1 }
    }
    rig.session.stopRunning()
  }
}
