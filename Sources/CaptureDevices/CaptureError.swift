public import MediaCore

/// What can go wrong in capture: devices, formats, the session and its outputs.
public struct CaptureError: RecordingError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// No device answers to the identifier.
    public static let deviceNotFound = Self(name: "deviceNotFound")
    /// Somebody else streams from the device.
    public static let deviceBusy = Self(name: "deviceBusy")
    /// The device went away.
    public static let deviceDisconnected = Self(name: "deviceDisconnected")
    /// The system refused access.
    public static let permissionDenied = Self(name: "permissionDenied")
    /// The device has no such format, size or rate, or none that fits the criteria.
    public static let formatUnavailable = Self(name: "formatUnavailable")
    /// The codec cannot be fed from the active format, or no encoder here makes it.
    public static let codecUnavailable = Self(name: "codecUnavailable")
    /// The input of the device has no signal.
    public static let signalLost = Self(name: "signalLost")
    /// The signal changed its size, rate or layout.
    public static let formatChanged = Self(name: "formatChanged")
    /// The device stopped delivering.
    public static let deviceStalled = Self(name: "deviceStalled")
    /// A system or driver call failed.
    public static let deviceFailed = Self(name: "deviceFailed")
    /// A parameter that makes no sense.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A call that the present state does not allow.
    public static let invalidState = Self(name: "invalidState")
    /// The output cannot be written.
    public static let outputFailed = Self(name: "outputFailed")
    /// A recording ended before its first frame; there is no file.
    public static let nothingRecorded = Self(name: "nothingRecorded")
    /// A recording's video was disconnected from its output: the input or the output was removed from the
    /// session. The file is valid.
    public static let sessionChanged = Self(name: "sessionChanged")
    /// The recording reached the requested duration; the file is valid.
    public static let maximumDurationReached = Self(name: "maximumDurationReached")
    /// The file reached the requested size, and is valid.
    public static let maximumFileSizeReached = Self(name: "maximumFileSizeReached")
    /// The disk is full, or has less room than is to be left free.
    public static let diskFull = Self(name: "diskFull")
    /// The file exists already.
    public static let fileAlreadyExists = Self(name: "fileAlreadyExists")
    /// A preset that does not follow its schema.
    public static let invalidPreset = Self(name: "invalidPreset")
  }

  public let core: ErrorCore<Code>
  public var recordingSuccessfullyFinished = false

  public init(core: ErrorCore<Code>) { self.core = core }
}
