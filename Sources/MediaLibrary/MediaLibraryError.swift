public import MediaCore

/// An error of a library.
public struct MediaLibraryError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The file or the library does not exist.
    public static let fileNotFound = Self(name: "fileNotFound")
    /// The system or the library's settings deny access.
    public static let accessDenied = Self(name: "accessDenied")
    /// Somebody else owns or may write to the library, and the user has not declared it trusted.
    public static let untrusted = Self(name: "untrusted")
    /// A file does not match its resource type: not a movie, not an image, or a folder.
    public static let invalidResource = Self(name: "invalidResource")
    /// The combination of resource types makes no asset.
    public static let unsupportedResourceTypes = Self(name: "unsupportedResourceTypes")
    /// A file changed while it was being read.
    public static let fileChanged = Self(name: "fileChanged")
    /// A file cannot be moved, because it is open for writing or has other names.
    public static let fileInUse = Self(name: "fileInUse")
    /// A path leads out of the library, or a name is unusable.
    public static let invalidPath = Self(name: "invalidPath")
    /// No asset or album has this identifier.
    public static let assetNotFound = Self(name: "assetNotFound")
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    public static let diskFull = Self(name: "diskFull")
    /// Another system call failed.
    public static let ioFailed = Self(name: "ioFailed")
    /// Object storage is unreachable or failing; the same call may succeed later.
    public static let unreachable = Self(name: "unreachable")
    /// The bucket does not exist in object storage.
    public static let bucketNotFound = Self(name: "bucketNotFound")
    /// The catalogue was made by a newer version of this program.
    public static let catalogueTooNew = Self(name: "catalogueTooNew")
    /// The catalogue or the journal is damaged.
    public static let catalogueDamaged = Self(name: "catalogueDamaged")
    /// Another process has been using the catalogue for too long.
    public static let busy = Self(name: "busy")
    /// Another failure of the catalogue.
    public static let catalogueFailed = Self(name: "catalogueFailed")
    /// A copy does not have the expected bytes.
    public static let verificationFailed = Self(name: "verificationFailed")
    /// An ASC MHL file cannot be read.
    public static let invalidManifest = Self(name: "invalidManifest")
    /// A parameter is invalid.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A request outside of a change block.
    public static let invalidState = Self(name: "invalidState")
    /// The task was cancelled.
    public static let interrupted = Self(name: "interrupted")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
