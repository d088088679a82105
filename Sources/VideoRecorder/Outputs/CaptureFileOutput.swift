import CaptureDevices
public import FoundationEssentials
public import MediaCore
package import Synchronization

/// An output that records into a file, as `AVCaptureFileOutput` does. ``CaptureMovieFileOutput`` is the
/// one that there is; the class itself records nothing.
///
/// Unchecked because its superclass is: it adds a `Mutex`.
open class CaptureFileOutput: CaptureOutput, @unchecked Sendable {
  /// Is handed each sample before it is recorded.
  package final let observer = Mutex<(any FileOutputObserver)?>(nil)

  package override init(connectionList: CaptureConnectionList) {
    super.init(connectionList: connectionList)
  }

  /// The file that is recorded into; nil while there is none.
  open var outputFileURL: URL? { nil }
  /// True from the start of a recording until its end was asked for or came.
  open var isRecording: Bool { false }
  /// True while frames are left out on request.
  open var isRecordingPaused: Bool { false }
  /// What the file holds, in time.
  open var recordedDuration: MediaTime { .zero }
  /// What the file holds, in bytes.
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
  /// Bytes that are left free on the disk.
  open var minFreeDiskSpaceLimit: Int64 {
    get { 0 }
    set {}
  }

  /// Hands a sample to the observer, on the thread of the stream. For outputs to call before they record it: a
  /// recording that the observer begins has that sample.
  package final func showSample(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard case .sample(let sample) = event, let observer = observer.withLock({ $0 }) else { return }
    observer.fileOutput(self, didOutput: sample, from: connection)
  }

  /// Begins a recording, and tells the delegate how it goes.
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
  /// Leaves frames out until the recording is resumed; the movie has no gap there.
  open func pauseRecording() {}
  /// Goes on with a paused recording.
  open func resumeRecording() {}
}

/// Hears how a recording goes, on a queue of the output's own, in order.
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

  /// No frame is recorded any more, and the file is being completed; `error` says why where nobody asked
  /// for the end.
  func fileOutput(
    _ output: CaptureFileOutput, willFinishRecordingTo fileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)

  /// Frames are left out from now on.
  func fileOutput(
    _ output: CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// Frames are recorded again.
  func fileOutput(
    _ output: CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// The file is complete, or there is none.
  ///
  /// - Parameters:
  ///   - output: The output that recorded.
  ///   - outputFileURL: The file.
  ///   - connections: What was recorded.
  ///   - error: Nil for a recording that ended on request. An error whose
  ///     `CaptureError.recordingSuccessfullyFinished` is true tells why it ended by itself, the file
  ///     being good.
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

/// Is handed the samples of a file output, on the thread of their stream.
package protocol FileOutputObserver: AnyObject, Sendable {
  /// A sample came.
  func fileOutput(
    _ output: CaptureFileOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection)
}
