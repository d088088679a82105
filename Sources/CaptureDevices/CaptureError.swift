/// What can go wrong in capture: devices, formats, the session and its outputs.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable {
    /// No device answers to the identifier.
    case deviceNotFound
    /// Somebody else streams from the device.
    case deviceBusy
    /// The device went away.
    case deviceDisconnected
    /// The system refused access.
    case permissionDenied
    /// The device has no such format, size or rate, or none that fits the criteria.
    case formatUnavailable
    /// The codec cannot be fed from the active format, or no encoder here makes it.
    case codecUnavailable
    /// The input of the device has no signal.
    case signalLost
    /// The signal changed its size, rate or layout.
    case formatChanged
    /// The device stopped delivering.
    case deviceStalled
    /// A system or driver call failed.
    case deviceFailed
    /// A parameter that makes no sense.
    case invalidArgument
    /// A call that the present state does not allow.
    case invalidState
    /// The output cannot be written.
    case outputFailed
    /// The recording is as long as it was to be; the file is good.
    case maximumDurationReached
    /// The file is as large as it was to be, and good.
    case maximumFileSizeReached
    /// The disk is full, or has less room than is to be left free.
    case diskFull
    /// The file exists already.
    case fileAlreadyExists
    /// A preset that does not follow its schema.
    case invalidPreset
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number behind it, where there is one.
  public let errno: Int32?
  /// True where a recording ended early but its file is complete, as Apple's
  /// `AVErrorRecordingSuccessfullyFinishedKey` says.
  public let recordingSuccessfullyFinished: Bool

  /// An error from its kind and its one-line message.
  public init(
    _ code: Code, _ message: String, errno: Int32? = nil,
    recordingSuccessfullyFinished: Bool = false
  ) {
    self.code = code
    self.message = message
    self.errno = errno
    self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
  }

  /// The message.
  public var description: String { message }
}
