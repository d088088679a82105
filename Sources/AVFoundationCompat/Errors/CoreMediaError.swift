public import Foundation

/// A Core Media error. Each kind of object has its own error type, as in Core Media.
public protocol CoreMediaError: CustomNSError, LocalizedError, CustomStringConvertible, Hashable,
  Sendable
{
  /// A Core Media status code.
  var status: OSStatus { get }
  /// What failed and what to do about it, in one line.
  var message: String { get }
}

extension CoreMediaError {
  /// True for an error of the same type and status, so that `catch CMSimpleQueue.Error.queueIsFull` works.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? Self)?.status == pattern.status
  }

  /// The domain of Core Media's errors.
  public static var errorDomain: String { "NSOSStatusErrorDomain" }
  /// Apple's number.
  public var errorCode: Int { Int(status) }
  /// The error's details, by Apple's keys.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var description: String { message }
}
