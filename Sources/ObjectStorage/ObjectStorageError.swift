public import MediaCore

/// An error of object storage.
public struct ObjectStorageError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// An address, a name or a setting that cannot be used.
    public static let invalidArgument = Self(name: "invalidArgument")
    /// Credentials are missing, or the server rejects them.
    public static let invalidCredentials = Self(name: "invalidCredentials")
    /// The temporary credentials have expired. With new ones, the same call may succeed.
    public static let credentialsExpired = Self(name: "credentialsExpired")
    /// The credentials do not permit the request.
    public static let accessDenied = Self(name: "accessDenied")
    /// The bucket does not exist.
    public static let bucketNotFound = Self(name: "bucketNotFound")
    /// The object does not exist.
    public static let objectNotFound = Self(name: "objectNotFound")
    /// An object of that name exists with other content.
    public static let objectExists = Self(name: "objectExists")
    /// The stored object differs from what was sent.
    public static let verificationFailed = Self(name: "verificationFailed")
    /// The server cannot be reached, or stopped answering.
    public static let unreachable = Self(name: "unreachable")
    /// The server's certificate is not trusted, or the file of trusted certificates cannot be used.
    /// Retrying does not help.
    public static let untrustedServer = Self(name: "untrustedServer")
    /// The server has a temporary problem. Retrying may help.
    public static let requestFailed = Self(name: "requestFailed")
    /// The server rejects the request, or its response is not that of an object store. Retrying
    /// does not help.
    public static let requestRefused = Self(name: "requestRefused")
    /// The file to be sent cannot be read, or changed.
    public static let sourceFailed = Self(name: "sourceFailed")
    /// A file of that name exists with other content.
    public static let fileExists = Self(name: "fileExists")
    /// Fetched data cannot be written.
    public static let destinationFailed = Self(name: "destinationFailed")
    /// The state of an upload or queue cannot be read or written.
    public static let stateFailed = Self(name: "stateFailed")
    /// Another process is transferring the same object.
    public static let busy = Self(name: "busy")
    /// libcurl is not installed, or the server lacks a required feature.
    public static let unsupported = Self(name: "unsupported")
    /// The user interrupted the transfer.
    public static let interrupted = Self(name: "interrupted")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }

  /// True for errors that the next object would hit too.
  var endsDestination: Bool {
    switch code {
    case .invalidCredentials, .credentialsExpired, .accessDenied, .bucketNotFound, .unreachable,
      .untrustedServer, .unsupported, .stateFailed, .interrupted:
      true
    default: false
    }
  }
}
