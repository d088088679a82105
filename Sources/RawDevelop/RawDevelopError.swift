import DNG
public import MediaCore

/// What can go wrong when a RAW file is developed.
public struct RawDevelopError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as reports have it.
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A file that is damaged, or not a DNG file.
    public static let invalidFile = Self(name: "invalidFile")
    /// A form of a file that this library does not develop.
    public static let unsupported = Self(name: "unsupported")
    /// Levels, colors or a white that make no sense.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
    /// A file could not be read.
    public static let fileFailed = Self(name: "fileFailed")
    /// The work was canceled.
    public static let canceled = Self(name: "canceled")
  }

  /// What the error holds.
  public let core: ErrorCore<Code>

  /// An error from what it holds.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension RawDevelopError {
  static let canceled = RawDevelopError(.canceled, "the work was canceled")

  /// An error of a DNG file: its code has the same name here.
  init(_ error: DNGError) { self.init(Code(name: error.code.name), from: error) }

  /// The result of a call that throws errors of DNG files.
  static func from<Value>(_ body: () throws(DNGError) -> Value) throws(RawDevelopError) -> Value {
    do { return try body() } catch { throw RawDevelopError(error) }
  }
}
