public import MediaCore

/// What can go wrong when a movie is written.
public struct AssetWriterError: RecordingError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// A call that the writer's status does not allow.
    public static let invalidStatus = Self(name: "invalidStatus")
    /// No session was started: the writer does not know where the movie begins.
    public static let sessionNotStarted = Self(name: "sessionNotStarted")
    /// The input was not added to a writer.
    public static let inputNotAdded = Self(name: "inputNotAdded")
    /// The input was marked as finished.
    public static let inputFinished = Self(name: "inputFinished")
    /// The input's queue is full: its encoder or the disk is not done with what came before.
    public static let notReady = Self(name: "notReady")
    /// The track is further ahead of the slowest one than the interleaving limit allows.
    public static let trackTooFarAhead = Self(name: "trackTooFarAhead")
    /// A sample that is not later than the one before.
    public static let timeNotIncreasing = Self(name: "timeNotIncreasing")
    /// A sample whose time is not numeric, or too far from that of the one before.
    public static let invalidTime = Self(name: "invalidTime")
    /// A sample that is not what the input was set up for.
    public static let formatMismatch = Self(name: "formatMismatch")
    /// Settings that no track can have.
    public static let invalidSettings = Self(name: "invalidSettings")
    /// An encoder that this machine does not have.
    public static let encoderUnavailable = Self(name: "encoderUnavailable")
    /// A codec that the frames' pixel format cannot feed.
    public static let codecUnavailable = Self(name: "codecUnavailable")
    /// The encoder failed.
    public static let encodingFailed = Self(name: "encodingFailed")
    public static let fileExists = Self(name: "fileExists")
    /// The file cannot be written.
    public static let fileFailed = Self(name: "fileFailed")
    /// The disk is full; what was written before is a valid movie.
    public static let diskFull = Self(name: "diskFull")
    /// No memory, or no thread.
    public static let outOfResources = Self(name: "outOfResources")
    /// Writing was cancelled.
    public static let cancelled = Self(name: "cancelled")
  }

  public let core: ErrorCore<Code>
  public var recordingSuccessfullyFinished = false

  public init(core: ErrorCore<Code>) { self.core = core }
}
