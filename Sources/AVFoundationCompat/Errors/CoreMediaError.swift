public import Foundation

/// An error by Core Media's number. Each kind of object has a type of its own, as Apple's have.
public protocol CoreMediaError: CustomNSError, LocalizedError, CustomStringConvertible, Hashable,
  Sendable
{
  /// One of Core Media's numbers.
  var status: OSStatus { get }
  /// What failed and what to do about it, in one line.
  var message: String { get }
}

extension CoreMediaError {
  /// True for an error of the same type and number, so that `catch CMSimpleQueue.Error.queueIsFull` works.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? Self)?.status == pattern.status
  }

  /// The domain of Core Media's errors.
  public static var errorDomain: String { "NSOSStatusErrorDomain" }
  /// Apple's number.
  public var errorCode: Int { Int(status) }
  /// What failed.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var description: String { message }
}
