public import MediaCore

/// An error of an export in parts.
public struct EncodeJobError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An option or number that is invalid for this job.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A source that cannot be split, or an edit that needs frames of several parts.
    public static let notDivisible = Self(name: "notDivisible")
    /// A folder that is not a job, or whose plan is damaged or of a newer version.
    public static let notAJob = Self(name: "notAJob")
    /// A source that changed since the job was planned.
    public static let sourceChanged = Self(name: "sourceChanged")
    /// A program or library version that differs from the plan's.
    public static let otherVersion = Self(name: "otherVersion")
    /// The folder's file system lacks what a job needs.
    public static let unsuitableFolder = Self(name: "unsuitableFolder")
    /// A source frame that the decoder does not output.
    public static let pictureMissing = Self(name: "pictureMissing")
    /// A part that does not exist yet.
    public static let partMissing = Self(name: "partMissing")
    /// A part that does not match its record.
    public static let partDamaged = Self(name: "partDamaged")
    /// Parts, or workers on the same part, whose results differ.
    public static let partsDiffer = Self(name: "partsDiffer")
    /// A movie that fails verification or cannot be written.
    public static let joinFailed = Self(name: "joinFailed")
    /// A signal ended the work. Complete results stay.
    public static let interrupted = Self(name: "interrupted")
    /// An error that may be gone on retry: a full disk, a stale file handle, an unavailable source.
    public static let temporary = Self(name: "temporary")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }

  /// True if the same call may succeed later without intervention.
  public var isWorthRetrying: Bool {
    [.interrupted, .temporary, .partMissing].contains(code)
  }
}
