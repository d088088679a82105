/// What can go wrong with stills.
public struct RawPhotoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable, Codable {
    /// An argument out of its range.
    case invalidArgument
    /// A state that does not allow the call.
    case invalidState
    /// A file that is damaged, or none of the kind.
    case invalidFile
    /// A form of a file, or a request, that this library does not serve.
    case unsupported
    /// A settings object that made a photo before.
    case settingsReused
    /// A RAW format that the output does not have now.
    case formatUnavailable
    /// A quality priority above what the output or the format allows.
    case qualityUnavailable
    /// A bracket that is empty, too long, or beyond the device's limits.
    case invalidBracket
    /// The output is in no running session with a video source.
    case notRunning
    /// The device failed, or is gone.
    case deviceFailed
    /// The device changed its format between two exposures.
    case formatChanged
    /// A frame that arrived short or damaged.
    case damagedFrame
    /// A codec library refused.
    case codecFailed
    /// A file could not be written or read.
    case fileFailed
    /// No memory, or no thread.
    case outOfResources
    /// A calibration file with a mistake.
    case invalidCalibration
  }

  /// The kind of failure.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// The system's error number, where it gave one.
  public let errno: Int32?

  /// An error from its parts.
  public init(_ code: Code, _ message: String, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.errno = errno
  }

  /// The message.
  public var description: String { message }
}
