public import MediaCore

/// What can go wrong with movie files.
public struct QuickTimeError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The file is there already, and overwriting was not asked for.
    public static let fileExists = Self(name: "fileExists")
    /// There is no such file or folder.
    public static let notFound = Self(name: "notFound")
    /// The system refused access, or the file system is read-only.
    public static let permissionDenied = Self(name: "permissionDenied")
    /// Another process writes the file at this moment.
    public static let busy = Self(name: "busy")
    /// No space, or no quota, is left (ENOSPC, EDQUOT).
    public static let diskFull = Self(name: "diskFull")
    /// The file system cannot hold a file of this size (EFBIG).
    public static let fileTooLarge = Self(name: "fileTooLarge")
    /// Another system call failed.
    public static let ioFailed = Self(name: "ioFailed")
    /// The system has no memory left for the file's index.
    public static let outOfMemory = Self(name: "outOfMemory")
    /// A parameter that makes no sense.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A call that the present state does not allow.
    public static let invalidState = Self(name: "invalidState")
    /// The file is not a QuickTime movie.
    public static let notAMovie = Self(name: "notAMovie")
    /// The file is a movie, but its structure is damaged.
    public static let damaged = Self(name: "damaged")
    /// The file is a movie in a form that this reader or recovery does not know.
    public static let unsupported = Self(name: "unsupported")
    /// The file holds no whole fragment: there is nothing to save.
    public static let nothingRecorded = Self(name: "nothingRecorded")
    /// An encoder could not compress what was to be written.
    public static let encodingFailed = Self(name: "encodingFailed")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}

extension QuickTimeError {
  /// The same with the file's name before the message, where it does not begin with it.
  func naming(_ name: String) -> QuickTimeError {
    message.hasPrefix(name) ? self : QuickTimeError(code, "\(name): \(message)", from: self)
  }

  /// True where the disk gave out (space, quota or a fault), so that what is whole in the file can
  /// still be saved: ``MovieWriter/finishAfterFailure()``.
  public var isDiskFailure: Bool {
    code == .diskFull || code == .fileTooLarge || code == .ioFailed
  }
}
