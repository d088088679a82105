public import MediaCore

/// An error from reading a movie, a Y4M file or raw video.
public struct AssetReaderError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The file does not exist.
    public static let fileNotFound = Self(name: "fileNotFound")
    /// The system refused access.
    public static let permissionDenied = Self(name: "permissionDenied")
    /// The file is not a movie: it is text, an unknown container, or empty.
    public static let notAMovie = Self(name: "notAMovie")
    /// The movie has no video or audio, or lacks the requested track.
    public static let noSuchTrack = Self(name: "noSuchTrack")
    /// A codec, layout or size that is not supported.
    public static let unsupported = Self(name: "unsupported")
    /// The file ends within a frame, or before the end that its index gives.
    public static let truncated = Self(name: "truncated")
    /// Data that breaks the rules of its format.
    public static let corrupt = Self(name: "corrupt")
    /// The decoder rejected a frame or audio packet; reading can continue after it.
    public static let decodeFailed = Self(name: "decodeFailed")
    /// An invalid parameter.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A call that is not allowed in the current state.
    public static let invalidState = Self(name: "invalidState")
    /// The system failed to read.
    public static let readFailed = Self(name: "readFailed")
    /// The task was cancelled while it waited for a pipe.
    public static let cancelled = Self(name: "cancelled")
    /// Memory ran out.
    public static let outOfMemory = Self(name: "outOfMemory")
  }

  public let core: ErrorCore<Code>
  /// The track of the rejected frame or audio, for ``Code/decodeFailed``; nil if unknown.
  public internal(set) var trackID: AssetTrack.ID?

  /// The earliest and latest presentation time of what cannot be decoded, from the time stamps of
  /// the decoder's packets; nil if they have none, and for other codes.
  package internal(set) var times: ClosedRange<MediaTime>?
  /// True for a frame that an edit list leaves out but that others may refer to.
  package internal(set) var isUnseen = false

  public init(core: ErrorCore<Code>) { self.core = core }
}
