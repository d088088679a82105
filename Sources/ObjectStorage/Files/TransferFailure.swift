public import ASCMHL
import MediaCore

extension OffloadReport.Failure {
  init(path: String, _ error: ObjectStorageError) {
    self.init(path: path, code: error.code.name, message: error.message)
  }
}

/// A file that was not sent or fetched, and why.
public struct TransferFailure: Sendable, Hashable, Codable {
  /// The file, as it was given.
  public var path: String
  /// The error code, which is stable across versions.
  public var code: String
  /// The error and its remedy, in one line.
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

  /// True if the same call may succeed later without intervention.
  public var isWorthRetrying: Bool {
    ObjectStorageError.passingCodes.contains { $0.name == code }
  }

  /// True if the server rejects the credentials, their permissions or the bucket, or is not
  /// trusted.
  public var isRefusal: Bool {
    ObjectStorageError.refusalCodes.contains { $0.name == code }
  }
}

extension ObjectStorageError {
  /// Failures that may be gone on retry: of the network, of a server in trouble, of a file locked
  /// by another process, of credentials that are renewed hourly.
  static let passingCodes: [Code] = [
    .unreachable, .requestFailed, .busy, .interrupted, .credentialsExpired,
  ]
  static let refusalCodes: [Code] = [
    .invalidCredentials, .accessDenied, .bucketNotFound, .untrustedServer,
  ]

  /// True if the same call may succeed later without intervention.
  public var isWorthRetrying: Bool { Self.passingCodes.contains(code) }
}
