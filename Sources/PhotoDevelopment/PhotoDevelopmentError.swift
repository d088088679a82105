import DNG
public import MediaCore
import PictureFiles
import RawDevelop

/// What can go wrong when photos are developed into files.
public struct PhotoDevelopmentError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as reports have it.
    public let name: String

    /// An argument out of its range, or arguments that do not go together.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A file or a folder that is not there, or cannot be read.
    public static let fileFailed = Self(name: "fileFailed")
    /// A file that is damaged, or not a DNG file.
    public static let invalidFile = Self(name: "invalidFile")
    /// A file's form that is not developed or not written here.
    public static let unsupported = Self(name: "unsupported")
    /// Levels, colors or a white that make no sense.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// A sidecar that is no XMP, or cannot be read.
    public static let invalidSidecar = Self(name: "invalidSidecar")
    /// A preset that there is not, or that is not as it should be.
    public static let invalidPreset = Self(name: "invalidPreset")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// The work was canceled.
    public static let canceled = Self(name: "canceled")
  }

  /// What the error holds.
  public let core: ErrorCore<Code>

  /// An error from what it holds.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension PhotoDevelopmentError {
  /// An error of another module: its code has the same name here.
  init(_ error: some CodedError) { self.init(Code(name: error.code.name), from: error) }
}
