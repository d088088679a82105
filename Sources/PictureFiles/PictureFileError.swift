import DNG
public import MediaCore

/// What can go wrong when a picture becomes a file.
public struct PictureFileError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as reports have it.
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A form that the format, or a library of this machine, does not write.
    public static let unsupported = Self(name: "unsupported")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be written.
    public static let fileFailed = Self(name: "fileFailed")
    /// A file that is damaged, or none of the kind.
    public static let invalidFile = Self(name: "invalidFile")
    /// The work was canceled; nothing is left behind.
    public static let canceled = Self(name: "canceled")
  }

  /// What the error holds.
  public let core: ErrorCore<Code>

  /// An error from what it holds.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension PictureFileError {
  static let canceled = PictureFileError(.canceled, "the picture was not written: canceled")

  /// A library that refused; `reason` is in its own words.
  static func refused(_ library: String, _ reason: String) -> PictureFileError {
    PictureFileError(.codecFailed, "\(library) refused: \(reason)")
  }
}
