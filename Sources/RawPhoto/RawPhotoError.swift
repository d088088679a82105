public import DNG
import ImageFiles
public import MediaCore

/// An error in taking or developing still photos.
public struct RawPhotoError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A state that does not allow the call.
    public static let invalidState = Self(name: "invalidState")
    /// A file that is damaged or of another kind.
    public static let invalidFile = Self(name: "invalidFile")
    /// An unsupported form of file, or an unsupported request.
    public static let unsupported = Self(name: "unsupported")
    /// Settings that were used for a photo before.
    public static let settingsReused = Self(name: "settingsReused")
    /// A RAW format that the output does not offer at present.
    public static let formatUnavailable = Self(name: "formatUnavailable")
    /// A quality priority above what the output or the format allows.
    public static let qualityUnavailable = Self(name: "qualityUnavailable")
    /// A bracket that is empty, too long, or beyond the device's limits.
    public static let invalidBracket = Self(name: "invalidBracket")
    /// The output is not in a running session with a video source.
    public static let notRunning = Self(name: "notRunning")
    /// The device failed or was disconnected.
    public static let deviceFailed = Self(name: "deviceFailed")
    /// The device changed its format between two exposures.
    public static let formatChanged = Self(name: "formatChanged")
    /// A truncated or damaged frame.
    public static let damagedFrame = Self(name: "damagedFrame")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be written or read.
    public static let fileFailed = Self(name: "fileFailed")
    /// Insufficient memory or threads.
    public static let outOfResources = Self(name: "outOfResources")
    /// An invalid calibration file.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// The work was canceled; completed files remain.
    public static let canceled = Self(name: "canceled")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}

extension RawPhotoError {
  /// Converts an error of a DNG file; the code keeps its name.
  public init(_ error: DNGError) {
    self.init(Code(name: error.code.name), from: error)
  }

  /// Converts an error of an image file; the code keeps its name.
  init(_ error: ImageFileError) {
    self.init(Code(name: error.code.name), from: error)
  }

  package static let canceled = RawPhotoError(.canceled, "the capture was canceled")

  /// Calls `body` and converts its errors.
  static func from<Value>(_ body: () throws(DNGError) -> Value) throws(RawPhotoError) -> Value {
    do { return try body() } catch { throw RawPhotoError(error) }
  }
}
