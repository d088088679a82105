public import Foundation

/// The domain of AVFoundation's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// In an error's user information: true where a recording ended early and its file is good.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"
/// The device that an error is of. No error has it: its message names the device.
public let AVErrorDeviceKey = "AVErrorDeviceKey"
/// The time of an error. No error has it: its message tells it where it is known.
public let AVErrorTimeKey = "AVErrorTimeKey"
/// The size that a file came to. No error has it.
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"
/// The process that has a device. No error has it: its message names the program where it is known.
public let AVErrorPIDKey = "AVErrorPIDKey"

/// An error as AVFoundation gives it: Apple's domain and number, and the message of what failed.
///
/// ```swift
/// do { try device.lockForConfiguration() } catch let error as AVError where error.code == .deviceNotConnected { … }
/// ```
public struct AVError: Error, Sendable {
  /// What failed.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// True where a recording ended early and its file is good; nil where that is not known.
  public let recordingSuccessfullyFinished: Bool?
  /// The error of this package that is behind it.
  public let underlyingError: (any Error)?
  /// The system's error number, where there is one.
  public let errno: Int32?

  /// An error from its number.
  public init(_ code: Code) { self.init(code, "AVFoundation error \(code.rawValue) (\(code))") }

  /// An error from its number and its one-line message.
  public init(
    _ code: Code, _ message: String, recordingSuccessfullyFinished: Bool? = nil,
    errno: Int32? = nil, underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
    self.underlyingError = underlyingError
    self.errno = errno
  }

  /// What is known, by Apple's keys.
  public var userInfo: [String: Any] { errorUserInfo }
}

extension AVError: CustomNSError, LocalizedError, CustomStringConvertible {
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// Apple's number.
  public var errorCode: Int { code.rawValue }

  /// What is known, by Apple's keys.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let errno {
      info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    if let recordingSuccessfullyFinished {
      info[AVErrorRecordingSuccessfullyFinishedKey] = recordingSuccessfullyFinished
    }
    return info
  }

  public var errorDescription: String? { message }
  public var description: String { message }
}

extension AVError: Hashable {
  /// True for the same number and message.
  public static func == (lhs: AVError, rhs: AVError) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message
  }
  /// Hashes number and message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}
