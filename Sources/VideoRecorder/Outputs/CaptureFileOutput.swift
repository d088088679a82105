import CaptureDevices
public import FoundationEssentials
public import MediaCore
package import Synchronization

/// An output that records into a file, as `AVCaptureFileOutput` does. This base class records nothing;
/// ``CaptureMovieFileOutput`` is the only subclass that does.
///
/// Unchecked because its superclass is: it adds a `Mutex`.
open class CaptureFileOutput: CaptureOutput, @unchecked Sendable {
  /// Is handed each sample before it is recorded.
  package final let observer = Mutex<(any FileOutputObserver)?>(nil)

  package override init(connectionList: CaptureConnectionList) {
    super.init(connectionList: connectionList)
  }

  /// The file that is being recorded; nil if there is none.
  open var outputFileURL: URL? { nil }
  /// True from the start of a recording until it is told to stop or ends by itself.
  open var isRecording: Bool { false }
  /// True while the recording is paused.
  open var isRecordingPaused: Bool { false }
  /// The duration recorded so far.
  open var recordedDuration: MediaTime { .zero }
  /// The number of bytes recorded so far.
  open var recordedFileSize: Int64 { 0 }
  /// The longest recording; `MediaTime.invalid` for no limit.
  open var maxRecordedDuration: MediaTime {
    get { .invalid }
    set {}
  }
  /// The largest file, in bytes; 0 for no limit.
  open var maxRecordedFileSize: Int64 {
    get { 0 }
    set {}
  }
  /// The number of bytes to leave free on the disk.
  open var minFreeDiskSpaceLimit: Int64 {
    get { 0 }
    set {}
  }

  /// Passes a sample to the observer, on the stream's thread. Outputs call this before they record the sample, so
  /// that a recording which the observer starts includes it.
  package final func showSample(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard case .sample(let sample) = event, let observer = observer.withLock({ $0 }) else { return }
    observer.fileOutput(self, didOutput: sample, from: connection)
  }

  /// Starts a recording, and keeps the delegate informed.
  open func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate
  ) {
    delegate.fileOutput(
      self, didFinishRecordingTo: outputFileURL, from: connections,
      error: CaptureError(
        .invalidState, "this output records nothing; use a CaptureMovieFileOutput"))
  }
  /// Ends the recording.
  open func stopRecording() {}
  /// Pauses the recording. The movie has no gap at the pause.
  open func pauseRecording() {}
  /// Resumes a paused recording.
  open func resumeRecording() {}
}

/// Follows a recording. Called in order, on a queue that belongs to the output.
public protocol CaptureFileOutputRecordingDelegate: AnyObject, Sendable {
  /// The first frame was recorded.
  func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// The first frame was recorded. Unless it is implemented, the form without a time is called.
  ///
  /// - Parameters:
  ///   - output: The output that records.
  ///   - fileURL: The file.
  ///   - startPTS: When the frame was taken, on the clock of the samples.
  ///   - connections: What is recorded.
  func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: MediaTime,
    from connections: [CaptureConnection])

  /// Recording has stopped, and the file is being completed; `error` gives the reason unless the stop was
  /// requested.
  func fileOutput(
    _ output: CaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)

  /// The recording was paused.
  func fileOutput(
    _ output: CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// The recording was resumed.
  func fileOutput(
    _ output: CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// The file is complete, or was not made.
  ///
  /// - Parameters:
  ///   - output: The output that recorded.
  ///   - outputFileURL: The file.
  ///   - connections: What was recorded.
  ///   - error: Nil for a recording that was told to stop. If the error's
  ///     `CaptureError.recordingSuccessfullyFinished` is true, the recording ended by itself and the file is valid.
  func fileOutput(
    _ output: CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)
}

extension CaptureFileOutputRecordingDelegate {
  /// Calls the form without a time.
  public func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: MediaTime,
    from connections: [CaptureConnection]
  ) {
    fileOutput(output, didStartRecordingTo: fileURL, from: connections)
  }
  /// Does nothing.
  public func fileOutput(
    _ output: CaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
}

/// Receives the samples of a file output, on the thread of their stream.
package protocol FileOutputObserver: AnyObject, Sendable {
  /// Called with each sample.
  func fileOutput(
    _ output: CaptureFileOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection)
}
