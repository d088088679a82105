public import Foundation

/// The domain of AVFoundation's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// In an error's user information: true if a recording ended early and its file is good.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"
/// The device that caused an error. Never present: the message names the device.
public let AVErrorDeviceKey = "AVErrorDeviceKey"
/// The time of an error. Never present: the message gives it if known.
public let AVErrorTimeKey = "AVErrorTimeKey"
/// The size of the file. Never present.
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"
/// The process that uses a device. Never present: the message names the program if known.
public let AVErrorPIDKey = "AVErrorPIDKey"

/// An AVFoundation error: Apple's domain and code, and a message.
///
/// ```swift
/// do { try device.lockForConfiguration() } catch let error as AVError where error.code == .deviceNotConnected { … }
/// ```
public struct AVError: Error, Sendable {
  /// The error code.
  public let code: Code
  /// What failed and what to do about it, in one line.
  public let message: String
  /// True if a recording ended early and its file is good; nil if unknown.
  public let recordingSuccessfullyFinished: Bool?
  /// The error that caused it.
  public let underlyingError: (any Error)?
  /// The system's error number, if there is one.
  public let errno: Int32?

  /// An error with a code.
  public init(_ code: Code) { self.init(code, "AVFoundation error \(code.rawValue) (\(code))") }

  /// An error with a code and a one-line message.
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

  /// The error's details, by Apple's keys.
  public var userInfo: [String: Any] { errorUserInfo }
}

extension AVError: CustomNSError, LocalizedError, CustomStringConvertible {
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// Apple's number.
  public var errorCode: Int { code.rawValue }

  /// The error's details, by Apple's keys.
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
  /// True for the same code and message.
  public static func == (lhs: AVError, rhs: AVError) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message
  }
  /// Hashes the code and the message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}
