public import MediaCore

/// What can go wrong with a library.
public struct MediaLibraryError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// There is no such file, or no such library.
    public static let fileNotFound = Self(name: "fileNotFound")
    /// The system refused access, or the library's settings do.
    public static let accessDenied = Self(name: "accessDenied")
    /// Somebody else owns or may write to the library, and the user has not declared it trusted.
    public static let untrusted = Self(name: "untrusted")
    /// A file that is not what its resource type says: no movie, no picture, a folder.
    public static let invalidResource = Self(name: "invalidResource")
    /// A combination of resource types that makes no asset.
    public static let unsupportedResourceTypes = Self(name: "unsupportedResourceTypes")
    /// A file changed while it was read.
    public static let fileChanged = Self(name: "fileChanged")
    /// A file that cannot be moved: it is open for writing, or has other names.
    public static let fileInUse = Self(name: "fileInUse")
    /// A path that leads out of the library, or a name that is none.
    public static let invalidPath = Self(name: "invalidPath")
    /// No asset has that identifier.
    public static let assetNotFound = Self(name: "assetNotFound")
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    public static let diskFull = Self(name: "diskFull")
    /// Another system call failed.
    public static let ioFailed = Self(name: "ioFailed")
    /// Object storage cannot be reached, or is in trouble: the same call may succeed later.
    public static let unreachable = Self(name: "unreachable")
    /// There is no such bucket in object storage, or it is gone.
    public static let bucketNotFound = Self(name: "bucketNotFound")
    /// The catalogue was made by a newer version of this program.
    public static let catalogueTooNew = Self(name: "catalogueTooNew")
    /// The catalogue or the journal is damaged.
    public static let catalogueDamaged = Self(name: "catalogueDamaged")
    /// Another process holds the catalogue for too long.
    public static let busy = Self(name: "busy")
    /// The catalogue failed otherwise.
    public static let catalogueFailed = Self(name: "catalogueFailed")
    /// A copy does not have the bytes that it should have.
    public static let verificationFailed = Self(name: "verificationFailed")
    /// A file of ASC MHL that cannot be read.
    public static let invalidManifest = Self(name: "invalidManifest")
    /// A parameter that makes no sense.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A request outside of a change block.
    public static let invalidState = Self(name: "invalidState")
    /// The task was cancelled.
    public static let interrupted = Self(name: "interrupted")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
