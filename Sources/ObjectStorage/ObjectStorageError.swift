public import MediaCore

/// What can go wrong with object storage.
public struct ObjectStorageError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An address, a name or a setting that cannot be used.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// No credentials, or those that the server refuses.
    public static let invalidCredentials = Self(name: "invalidCredentials")
    /// The credentials were good for a time, which is over; with those of a later time the same call may
    /// succeed.
    public static let credentialsExpired = Self(name: "credentialsExpired")
    /// The credentials do not allow it.
    public static let accessDenied = Self(name: "accessDenied")
    /// There is no such bucket.
    public static let bucketNotFound = Self(name: "bucketNotFound")
    /// There is no such object.
    public static let objectNotFound = Self(name: "objectNotFound")
    /// There is an object of that name with other bytes.
    public static let objectExists = Self(name: "objectExists")
    /// The stored object differs from what was sent.
    public static let verificationFailed = Self(name: "verificationFailed")
    /// The server cannot be reached, or stopped answering.
    public static let unreachable = Self(name: "unreachable")
    /// The server's certificate is not trusted, or the file of those to trust cannot be used. No attempt does
    /// better.
    public static let untrustedServer = Self(name: "untrustedServer")
    /// The server is in trouble; another attempt may do better.
    public static let requestFailed = Self(name: "requestFailed")
    /// The server refuses the request, or its answer is not that of an object store. Retrying does not help.
    public static let requestRefused = Self(name: "requestRefused")
    /// The file to be sent cannot be read, or changed.
    public static let sourceFailed = Self(name: "sourceFailed")
    /// There is a file of that name with other bytes.
    public static let fileExists = Self(name: "fileExists")
    /// What is fetched cannot be written.
    public static let destinationFailed = Self(name: "destinationFailed")
    /// What is kept of an unfinished upload cannot be written.
    public static let stateFailed = Self(name: "stateFailed")
    /// Another process sends the same object.
    public static let busy = Self(name: "busy")
    /// libcurl is not installed, or the server lacks what is needed.
    public static let unsupported = Self(name: "unsupported")
    /// The user ended it.
    public static let interrupted = Self(name: "interrupted")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }

  /// True for what the next object would meet as well.
  var endsDestination: Bool {
    switch code {
    case .invalidCredentials, .credentialsExpired, .accessDenied, .bucketNotFound, .unreachable,
      .untrustedServer, .unsupported, .stateFailed, .interrupted:
      true
    default: false
    }
  }
}
