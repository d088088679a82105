import DNG
public import MediaCore

/// An error in developing a RAW file.
public struct RawDevelopError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as in reports.
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A file that is damaged, or not a DNG file.
    public static let invalidFile = Self(name: "invalidFile")
    /// A form of file that this library does not develop.
    public static let unsupported = Self(name: "unsupported")
    /// Invalid levels, colors or white point.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be read.
    public static let fileFailed = Self(name: "fileFailed")
    /// The work was canceled.
    public static let canceled = Self(name: "canceled")
  }

  /// The error's contents.
  public let core: ErrorCore<Code>

  /// An error with the given contents.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension RawDevelopError {
  static let canceled = RawDevelopError(.canceled, "the work was canceled")

  /// Converts an error of a DNG file; the code keeps its name.
  init(_ error: DNGError) { self.init(Code(name: error.code.name), from: error) }

  /// Calls `body` and converts its errors.
  static func from<Value>(_ body: () throws(DNGError) -> Value) throws(RawDevelopError) -> Value {
    do { return try body() } catch { throw RawDevelopError(error) }
  }
}
