public import SystemPackage

/// An error that may end a recording early although its file is complete.
public protocol RecordingError: CodedError {
  /// True if the recording ended early and its file is nevertheless a complete movie, as Apple's
  /// `AVErrorRecordingSuccessfullyFinishedKey` says.
  var recordingSuccessfullyFinished: Bool { get set }
}

extension RecordingError {
  /// An error that ends a recording, and whether its file is complete.
  public init(
    _ code: Code, _ message: String, errno: Errno? = nil, recordingSuccessfullyFinished: Bool
  ) {
    self.init(code, message, errno: errno)
    self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
  }
}
