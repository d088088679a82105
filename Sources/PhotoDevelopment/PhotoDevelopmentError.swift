import DNG
import ImageFiles
public import MediaCore
import RawDevelop

/// An error in developing photos to files.
public struct PhotoDevelopmentError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as in reports.
    public let name: String

    /// An argument out of its range, or arguments that cannot be combined.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A file or folder that is missing or cannot be read.
    public static let fileFailed = Self(name: "fileFailed")
    /// A file that is damaged, or not a DNG file.
    public static let invalidFile = Self(name: "invalidFile")
    /// An unsupported form of file.
    public static let unsupported = Self(name: "unsupported")
    /// Invalid levels, colors or white point.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// A sidecar that is not XMP, or cannot be read.
    public static let invalidSidecar = Self(name: "invalidSidecar")
    /// A preset that does not exist or is invalid.
    public static let invalidPreset = Self(name: "invalidPreset")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// The work was canceled.
    public static let canceled = Self(name: "canceled")
  }

  /// The error's contents.
  public let core: ErrorCore<Code>

  /// An error with the given contents.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension PhotoDevelopmentError {
  /// Converts an error of another module; the code keeps its name.
  init(_ error: some CodedError) { self.init(Code(name: error.code.name), from: error) }
}
