public import DNG
public import MediaCore
import PictureFiles

/// What can go wrong with stills.
public struct RawPhotoError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A state that does not allow the call.
    public static let invalidState = Self(name: "invalidState")
    /// A file that is damaged, or none of the kind.
    public static let invalidFile = Self(name: "invalidFile")
    /// A form of a file, or a request, that this library does not serve.
    public static let unsupported = Self(name: "unsupported")
    /// A settings object that made a photo before.
    public static let settingsReused = Self(name: "settingsReused")
    /// A RAW format that the output does not have now.
    public static let formatUnavailable = Self(name: "formatUnavailable")
    /// A quality priority above what the output or the format allows.
    public static let qualityUnavailable = Self(name: "qualityUnavailable")
    /// A bracket that is empty, too long, or beyond the device's limits.
    public static let invalidBracket = Self(name: "invalidBracket")
    /// The output is in no running session with a video source.
    public static let notRunning = Self(name: "notRunning")
    /// The device failed, or is gone.
    public static let deviceFailed = Self(name: "deviceFailed")
    /// The device changed its format between two exposures.
    public static let formatChanged = Self(name: "formatChanged")
    /// A frame that arrived short or damaged.
    public static let damagedFrame = Self(name: "damagedFrame")
    /// A codec library refused.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be written or read.
    public static let fileFailed = Self(name: "fileFailed")
    /// No memory, or no thread.
    public static let outOfResources = Self(name: "outOfResources")
    /// A calibration file with a mistake.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// The work was canceled; files that were whole stay.
    public static let canceled = Self(name: "canceled")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}

extension RawPhotoError {
  /// An error of a DNG file: its code has the same name here.
  public init(_ error: DNGError) {
    self.init(Code(name: error.code.name), from: error)
  }

  /// An error of a picture's file: its code has the same name here.
  init(_ error: PictureFileError) {
    self.init(Code(name: error.code.name), from: error)
  }

  static let canceled = RawPhotoError(.canceled, "the capture was canceled")

  /// The result of a call that throws errors of DNG files.
  static func from<Value>(_ body: () throws(DNGError) -> Value) throws(RawPhotoError) -> Value {
    do { return try body() } catch { throw RawPhotoError(error) }
  }
}
