import FoundationEssentials
import MediaCore

/// Server and key of a store, as Amazon's own tools find them.
public struct StorageAccount: Sendable {
  /// The server.
  public let endpoint: StorageEndpoint
  /// The key.
  public let credentials: StorageCredentials

  /// An account from its parts.
  public init(endpoint: StorageEndpoint, credentials: StorageCredentials) {
    (self.endpoint, self.credentials) = (endpoint, credentials)
  }

  /// The account that variables and files name: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
  /// `AWS_SESSION_TOKEN`, else the profile `AWS_PROFILE` (`default`) of `~/.aws/credentials` and
  /// `~/.aws/config` or of the files that `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name. Key, secret
  /// and token come from one place, the first that has any of a key. The server is `AWS_ENDPOINT_URL_S3`,
  /// `AWS_ENDPOINT_URL` or the profile's `endpoint_url`, else Amazon's of the region (`AWS_REGION`,
  /// `AWS_DEFAULT_REGION`, the profile's, or `us-east-1`). `AWS_CA_BUNDLE` names a file of certificates. What is
  /// empty counts as not set.
  ///
  /// - Parameters:
  ///   - environment: The variables; nil for the process's.
  ///   - read: Reads a file; nil where there is none, and an error where it cannot be read.
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` where there is no key or half of one, and for a
  ///   file that is needed and cannot be read, and ``ObjectStorageError/Code/invalidArgument`` for an endpoint
  ///   that is no URL.
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
    // A service that is told all of it may be kept from the user's files.
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
