public import FoundationEssentials
public import MediaCore

/// An output that records into a file, as `AVCaptureFileOutput` does.
public protocol CaptureFileOutput: CaptureOutput {
  /// The file that is recorded into; nil while there is none.
  var outputFileURL: URL? { get }
  /// True from the start of a recording until its end was asked for or came.
  var isRecording: Bool { get }
  /// True while frames are left out on request.
  var isRecordingPaused: Bool { get }
  /// What the file holds, in time.
  var recordedDuration: MediaTime { get }
  /// What the file holds, in bytes.
  var recordedFileSize: Int64 { get }
  /// The longest recording; `MediaTime.invalid` for no limit.
  var maxRecordedDuration: MediaTime { get set }
  /// The largest file, in bytes; 0 for no limit.
  var maxRecordedFileSize: Int64 { get set }
  /// Bytes that are left free on the disk.
  var minFreeDiskSpaceLimit: Int64 { get set }

  /// Begins a recording, and tells the delegate how it goes.
  func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any CaptureFileOutputRecordingDelegate)
  /// Ends the recording.
  func stopRecording()
  /// Leaves frames out until the recording is resumed; the movie has no gap there.
  func pauseRecording()
  /// Goes on with a paused recording.
  func resumeRecording()
}

/// Hears how a recording goes, on a queue of the output's own, in order.
public protocol CaptureFileOutputRecordingDelegate: AnyObject, Sendable {
  /// The first frame was recorded.
  func fileOutput(
    _ output: any CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// Frames are left out from now on.
  func fileOutput(
    _ output: any CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection])

  /// Frames are recorded again.
  func fileOutput(
    _ output: any CaptureFileOutput, didResumeRecordingTo fileURL: URL,
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
    _ output: any CaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [CaptureConnection], error: (any Error)?)
}

extension CaptureFileOutputRecordingDelegate {
  /// Does nothing.
  public func fileOutput(
    _ output: any CaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: any CaptureFileOutput, didPauseRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
  /// Does nothing.
  public func fileOutput(
    _ output: any CaptureFileOutput, didResumeRecordingTo fileURL: URL,
    from connections: [CaptureConnection]
  ) {}
}
