import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// The delegate of a file output, which sees its samples.
@Suite(.timeLimit(.minutes(5)))
struct FileOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a recording at the third frame.
  private final class Starter: AVCaptureFileOutputDelegate, AVCaptureFileOutputRecordingDelegate,
    Sendable
  {
    struct Seen: Sendable {
      var frames: [CMTime] = []
      var start: CMTime?
      var isOver = false
    }
    let seen = Mutex(Seen())
    let url: URL
    init(_ url: URL) { self.url = url }

    func fileOutputShouldProvideSampleAccurateRecordingStart(
      _ output: AVCaptureFileOutput
    ) -> Bool { true }
    func fileOutput(
      _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) {
      guard connection.mediaType == .video else { return }
      let count = seen.withLock { seen in
        seen.frames.append(sampleBuffer.presentationTimeStamp)
        return seen.frames.count
      }
      if count == 3 { output.startRecording(to: url, recordingDelegate: self) }
    }
    func fileOutput(
      _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
      from connections: [AVCaptureConnection]
    ) { seen.withLock { $0.start = startPTS } }
    func fileOutput(
      _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
      from connections: [AVCaptureConnection], error: (any Error)?
    ) { seen.withLock { $0.isOver = true } }
  }

  @Test func a_recording_started_by_the_sample_delegate_includes_that_sample() async throws {
    let rig = try PatternRig()
    let starter = Starter(folder.url("accurate.mov"))
    rig.output.delegate = starter
    #expect(rig.output.delegate === starter)
    rig.output.maxRecordedFrameCount = 3
    rig.session.startRunning()
    try await eventually("the recording has ended") { starter.seen.withLock { $0.isOver } }
    rig.session.stopRunning()
    let seen = starter.seen.withLock { $0 }
    #expect(seen.frames.count >= 5 && seen.start == seen.frames[2])
    rig.output.delegate = nil
    #expect(rig.output.delegate == nil)
  }

  @Test func a_sample_delegate_is_held_weakly() {
    let output = AVCaptureMovieFileOutput()
    do {
      let starter = Starter(folder.url("unused.mov"))
      output.delegate = starter
      #expect(output.delegate === starter)
    }
    #expect(output.delegate == nil)
  }
}
