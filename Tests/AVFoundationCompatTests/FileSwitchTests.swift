import AVFoundationCompat
import AssetReader
import Synchronization
import TestSupport
import Testing

/// A file switch while recording, and the delegate's calls.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FileSwitchTests {
  /// Logs the calls for each file.
  private final class Delegate: NSObject, AVCaptureFileOutputRecordingDelegate {
    let calls = Mutex<[String]>([])
    let times = Mutex<[CMTime]>([])
    let errors = Mutex<[String]>([])
    private func note(_ call: String, _ url: URL) {
      calls.withLock { $0.append("\(call) \(url.lastPathComponent)") }
    }
    func fileOutput(
      _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
      from connections: [AVCaptureConnection]
    ) { note("started without a time", fileURL) }
    func fileOutput(
      _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
      from connections: [AVCaptureConnection]
    ) {
      times.withLock { $0.append(startPTS) }
      note("start", fileURL)
    }
    func fileOutput(
      _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
      from connections: [AVCaptureConnection], error: (any Error)?
    ) { note("ending", fileURL) }
    func fileOutput(
      _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
      from connections: [AVCaptureConnection], error: (any Error)?
    ) {
      if let error { errors.withLock { $0.append("\(error)") } }
      note("finish", outputFileURL)
    }
  }

  @Test func the_next_file_starts_with_the_following_frame() async throws {
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    rig.session.addInput(
      try AVCaptureDeviceInput(device: AVCaptureDevice.device(identifier: "tone")))
    rig.session.startRunning()
    let delegate = Delegate()
    rig.output.startRecording(to: folder.url("a.mov"), recordingDelegate: delegate)
    try await eventually("ten frames are recorded") {
      rig.output.recordedDuration.seconds >= 0.4
    }
    rig.output.startRecording(to: folder.url("b.mov"), recordingDelegate: delegate)
    #expect(rig.output.outputFileURL?.lastPathComponent == "b.mov" && rig.output.isRecording)
    try await eventually("the first file is complete, and the second has frames") {
      delegate.calls.withLock { $0.contains("finish a.mov") }
        && rig.output.recordedDuration.seconds >= 0.2
    }
    rig.output.stopRecording()
    try await eventually("the second file is complete") {
      delegate.calls.withLock { $0.contains("finish b.mov") }
    }
    rig.session.stopRunning()
    #expect(delegate.errors.withLock { $0 }.isEmpty)
    let calls = delegate.calls.withLock { $0 }
    for name in ["a.mov", "b.mov"] {
      #expect(
        calls.filter { $0.hasSuffix(name) } == [
          "start \(name)", "ending \(name)", "finish \(name)",
        ])
    }
    let starts = delegate.times.withLock { $0 }
    try #require(starts.count == 2)
    let first = try StrictDecoder(path: folder.url("a.mov").path).run()
    let second = try StrictDecoder(path: folder.url("b.mov").path).run()
    #expect(first.isClean && second.isClean)
    let frames = try #require(first.tracks.first { $0.track.mediaType == .video }).sampleCount
    // The pattern's frame counter has no gap.
    #expect(abs((starts[1] - starts[0]).seconds * 25 - Double(frames)) < 0.01)
    #expect(rig.output.lastReport?.frames.dropped == 0)
  }

  @Test func switching_to_an_existing_file_keeps_the_current_recording() async throws {
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    rig.session.startRunning()
    let delegate = Delegate()
    rig.output.startRecording(to: folder.url("a.mov"), recordingDelegate: delegate)
    try await eventually("frames are recorded") { rig.output.recordedDuration.seconds > 0 }
    try Data("precious".utf8).write(to: folder.url("b.mov"))
    rig.output.startRecording(to: folder.url("b.mov"), recordingDelegate: delegate)
    try await eventually("the refusal is reported") { !delegate.errors.withLock { $0 }.isEmpty }
    #expect(rig.output.isRecording && rig.output.outputFileURL?.lastPathComponent == "a.mov")
    rig.output.stopRecording()
    try await eventually("the file is complete") {
      delegate.calls.withLock { $0.contains("finish a.mov") }
    }
    rig.session.stopRunning()
    #expect(try StrictDecoder(path: folder.url("a.mov").path).run().isClean)
  }
}
