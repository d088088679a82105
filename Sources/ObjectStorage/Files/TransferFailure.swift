public import ASCMHL
import MediaCore

extension OffloadReport.Failure {
  init(path: String, _ error: ObjectStorageError) {
    self.init(path: path, code: error.code.name, message: error.message)
  }
}

/// A file that was not sent or fetched, and why.
public struct TransferFailure: Sendable, Hashable, Codable {
  /// The file, as it was named.
  public var path: String
  /// A name that stays from version to version.
  public var code: String
  /// What failed and what to do about it, in one line.
  public var message: String

  public init(path: String, code: String, message: String) {
    (self.path, self.code, self.message) = (path, code, message)
  }

  init(path: String, _ error: ObjectStorageError) {
    self.init(path: path, code: error.code.name, message: error.message)
  }

  /// A failure of an offload's destination.
  public init(_ failure: OffloadReport.Failure) {
    self.init(path: failure.path, code: failure.code, message: failure.message)
  }

  /// True where the same call may succeed later, with nothing changed by hand.
  public var isWorthRetrying: Bool {
    ObjectStorageError.passingCodes.contains { $0.name == code }
  }

  /// True where the server refuses the credentials, what they may do, or the bucket, or is not trusted.
  public var isRefusal: Bool {
    ObjectStorageError.refusalCodes.contains { $0.name == code }
  }
}

extension ObjectStorageError {
  /// Failures that may be gone at the next try: of the network, of a server that is in trouble, of a
  /// process that has what is wanted, of credentials that somebody renews by the hour.
  static let passingCodes: [Code] = [
    .unreachable, .requestFailed, .busy, .interrupted, .credentialsExpired,
  ]
  static let refusalCodes: [Code] = [
    .invalidCredentials, .accessDenied, .bucketNotFound, .untrustedServer,
  ]

  /// True where the same call may succeed later, with nothing changed by hand.
  public var isWorthRetrying: Bool { Self.passingCodes.contains(code) }
}
