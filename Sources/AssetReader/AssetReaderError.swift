public import MediaCore

/// What can go wrong in reading a movie, a Y4M file or raw pictures.
public struct AssetReaderError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// There is no such file.
    public static let fileNotFound = Self(name: "fileNotFound")
    /// The system refused access.
    public static let permissionDenied = Self(name: "permissionDenied")
    /// The file is no movie: text, an unknown container, nothing at all.
    public static let notAMovie = Self(name: "notAMovie")
    /// The movie has no picture or sound, or not the track that was asked for.
    public static let noSuchTrack = Self(name: "noSuchTrack")
    /// A codec, a layout or a size that cannot be read here.
    public static let unsupported = Self(name: "unsupported")
    /// The file ends within a frame, or before its own index says.
    public static let truncated = Self(name: "truncated")
    /// Data that breaks the rules of its format.
    public static let corrupt = Self(name: "corrupt")
    /// A frame or sound that the decoder refused; reading may go on with what follows.
    public static let decodeFailed = Self(name: "decodeFailed")
    /// A parameter that makes no sense.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A call that the present state does not allow.
    public static let invalidState = Self(name: "invalidState")
    /// The system failed to read.
    public static let readFailed = Self(name: "readFailed")
    /// The task was cancelled while it waited for a pipe.
    public static let cancelled = Self(name: "cancelled")
    /// No memory.
    public static let outOfMemory = Self(name: "outOfMemory")
  }

  public let core: ErrorCore<Code>
  /// The track that the frame or the sound was of, for ``Code/decodeFailed``; nil where it is not known.
  public internal(set) var trackID: AssetTrack.ID?

  /// When what cannot be decoded is shown or heard, at the earliest and at the latest, by the time stamps of the
  /// packets that the decoder had; nil where they have none, and for other codes.
  package internal(set) var times: ClosedRange<MediaTime>?
  /// True for a picture that an edit list leaves out, and that others may refer to.
  package internal(set) var isUnseen = false

  public init(core: ErrorCore<Code>) { self.core = core }
}
