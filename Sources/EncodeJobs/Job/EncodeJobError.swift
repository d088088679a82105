public import MediaCore

/// What can go wrong with a conversion in parts.
public struct EncodeJobError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An option or a number that makes no sense for this job.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A source that cannot be cut, or an edit that needs pictures of several parts.
    public static let notDivisible = Self(name: "notDivisible")
    /// A folder that is no job, or whose plan is damaged or of a later version.
    public static let notAJob = Self(name: "notAJob")
    /// A source that is not what it was when the job was planned.
    public static let sourceChanged = Self(name: "sourceChanged")
    /// A program or a library of another version than the plan's.
    public static let otherVersion = Self(name: "otherVersion")
    /// The folder's file system lacks what a job needs.
    public static let unsuitableFolder = Self(name: "unsuitableFolder")
    /// A picture of the source that does not come out of its decoder.
    public static let pictureMissing = Self(name: "pictureMissing")
    /// A part that is not there yet.
    public static let partMissing = Self(name: "partMissing")
    /// A part that is not what its record says.
    public static let partDamaged = Self(name: "partDamaged")
    /// Parts, or workers on one part, that do not agree.
    public static let partsDiffer = Self(name: "partsDiffer")
    /// A movie that does not pass its own verification, or cannot be written.
    public static let joinFailed = Self(name: "joinFailed")
    /// A signal ended the work; what is complete stays.
    public static let interrupted = Self(name: "interrupted")
    /// What may be gone at the next try: a full disk, a stale handle, a source that is away.
    public static let temporary = Self(name: "temporary")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }

  /// True where the same call may succeed later, with nothing changed by hand.
  public var isWorthRetrying: Bool {
    [.interrupted, .temporary, .partMissing].contains(code)
  }
}
