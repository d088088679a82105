import DNG
public import MediaCore

/// An error in writing or reading an image file.
public struct ImageFileError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as in reports.
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// Something that the format, or a library on this machine, does not support.
    public static let unsupported = Self(name: "unsupported")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be written.
    public static let fileFailed = Self(name: "fileFailed")
    /// A file that is damaged or of another kind.
    public static let invalidFile = Self(name: "invalidFile")
    /// The work was canceled; nothing is left behind.
    public static let canceled = Self(name: "canceled")
  }

  /// The error's contents.
  public let core: ErrorCore<Code>

  /// An error with the given contents.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension ImageFileError {
  static let canceled = ImageFileError(.canceled, "the image was not written: canceled")

  /// A library's failure; `reason` is the library's message.
  static func refused(_ library: String, _ reason: String) -> ImageFileError {
    ImageFileError(.codecFailed, "\(library) refused: \(reason)")
  }
}
