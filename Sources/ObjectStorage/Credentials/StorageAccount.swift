import FoundationEssentials
import MediaCore

/// The server and credentials of a store, found in the same places as by Amazon's tools.
public struct StorageAccount: Sendable {
  /// The server.
  public let endpoint: StorageEndpoint
  /// The credentials.
  public let credentials: StorageCredentials

  /// Creates an account.
  public init(endpoint: StorageEndpoint, credentials: StorageCredentials) {
    (self.endpoint, self.credentials) = (endpoint, credentials)
  }

  /// Finds the account in environment variables and files: `AWS_ACCESS_KEY_ID`,
  /// `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, otherwise the profile `AWS_PROFILE`
  /// (`default`) of `~/.aws/credentials` and `~/.aws/config` or of the files that
  /// `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name. Key, secret and token all come from
  /// the first place that has a key or a secret. The server is `AWS_ENDPOINT_URL_S3`,
  /// `AWS_ENDPOINT_URL` or the profile's `endpoint_url`, otherwise Amazon's server for the region
  /// (`AWS_REGION`, `AWS_DEFAULT_REGION`, the profile's, or `us-east-1`). `AWS_CA_BUNDLE` names a
  /// file of certificates. Empty values count as not set.
  ///
  /// - Parameters:
  ///   - environment: The environment variables; nil for the process's.
  ///   - read: Reads a file. Returns nil if it does not exist, and throws if it cannot be read.
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` if the credentials are missing or
  ///   incomplete, or a required file cannot be read; ``ObjectStorageError/Code/invalidArgument``
  ///   for an endpoint that is not a URL.
  public init(
    environment: [String: String]? = nil,
    read: ((String) throws(ObjectStorageError) -> String?)? = nil
  ) throws(ObjectStorageError) {
    let variables = (environment ?? ProcessInfo.processInfo.environment).filter {
      !$0.value.isEmpty
    }
    func variable(_ names: String...) -> String? { names.lazy.compactMap { variables[$0] }.first }
    let own = try StorageCredentials(
      place: "the environment", variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
      variable("AWS_SESSION_TOKEN"),
      names: ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
    let url = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    let files =
      if let read { SettingsFiles(variables, read: read) } else { SettingsFiles(variables) }
    // If the environment provides everything, the user's files need not be readable, as in a
    // service.
    if own == nil || url == nil { try files.requireReadable() }

    let region =
      variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? files["region"] ?? "us-east-1"
    var endpoint =
      if let url = url ?? files["endpoint_url"] {
        try StorageEndpoint(url: url, region: region)
      } else {
        StorageEndpoint(region: region)
      }
    endpoint.authorities = variable("AWS_CA_BUNDLE") ?? files["ca_bundle"]
    if let own {
      self.init(endpoint: endpoint, credentials: own)
    } else {
      self.init(endpoint: endpoint, credentials: try files.credentials())
    }
  }
}
