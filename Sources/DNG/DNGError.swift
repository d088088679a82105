public import MediaCore
import TIFF

/// An error in reading or writing a DNG file.
public struct DNGError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, as in reports.
    public let name: String

    /// An argument out of its range.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// A file that is damaged, or not a DNG file.
    public static let invalidFile = Self(name: "invalidFile")
    /// A form of file that this library does not read or write.
    public static let unsupported = Self(name: "unsupported")
    /// A file that cannot be read.
    public static let fileFailed = Self(name: "fileFailed")
    /// Levels or matrices that make no sense.
    public static let invalidCalibration = Self(name: "invalidCalibration")
    /// A codec library failed.
    public static let codecFailed = Self(name: "codecFailed")
  }

  /// The error's contents.
  public let core: ErrorCore<Code>

  /// An error with the given contents.
  public init(core: ErrorCore<Code>) { self.core = core }
}

extension DNGError {
  /// An error for a damaged file; `what` follows a colon.
  static func damaged(_ what: String) -> DNGError {
    DNGError(.invalidFile, damage + what)
  }

  private static let damage = "not a DNG file, or a damaged one: "

  /// The message without the words that it is a damaged DNG file, for use with a part of one or another kind of
  /// file.
  var reason: String {
    message.hasPrefix(Self.damage) ? String(message.dropFirst(Self.damage.count)) : message
  }

  /// The error for a TIFF error.
  init(_ error: TIFFError) {
    self =
      switch error {
      case .fileTooLarge: DNGError(.unsupported, "a DNG file is limited to 4 GiB: \(error.message)")
      default: .damaged(error.message)
      }
  }
}
