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
  /// `~/.aws/config` or of the files that `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name. The
  /// server is `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL` or the profile's `endpoint_url`, else Amazon's of
  /// the region (`AWS_REGION`, `AWS_DEFAULT_REGION`, the profile's, or `us-east-1`). `AWS_CA_BUNDLE` names a
  /// file of certificates.
  ///
  /// - Parameters:
  ///   - environment: The variables; nil for the process's.
  ///   - read: Reads a file; nil where there is none.
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` where there is no key, and
  ///   ``ObjectStorageError/Code/invalidArgument`` for an endpoint that is no URL.
  public init(
    environment: [String: String]? = nil, read: ((String) -> String?)? = nil
  ) throws(ObjectStorageError) {
    let variables = environment ?? ProcessInfo.processInfo.environment
    let read = read ?? { try? String(contentsOfFile: $0, encoding: .utf8) }
    func variable(_ names: String...) -> String? {
      names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
    }
    let home = (variable("HOME") ?? "/") + "/.aws/"
    func settings(_ name: String, else file: String) -> SharedSettings {
      SharedSettings(read(variable(name) ?? home + file) ?? "")
    }
    let keys = settings("AWS_SHARED_CREDENTIALS_FILE", else: "credentials")
    let configuration = settings("AWS_CONFIG_FILE", else: "config")
    let profile = variable("AWS_PROFILE", "AWS_DEFAULT_PROFILE") ?? "default"
    let values = configuration.profile(profile).merging(keys.profile(profile)) { $1 }

    let region =
      variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? values["region"].flatMap {
        $0.isEmpty ? nil : $0
      }
      ?? "us-east-1"
    let url = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? values["endpoint_url"]
    var endpoint =
      if let url { try StorageEndpoint(url: url, region: region) } else {
        StorageEndpoint(region: region)
      }
    endpoint.authorities = variable("AWS_CA_BUNDLE") ?? values["ca_bundle"]

    if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
      self.init(
        endpoint: endpoint,
        credentials: StorageCredentials(
          accessKeyID: key, secretAccessKey: secret, sessionToken: variable("AWS_SESSION_TOKEN")))
      return
    }
    guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"],
      !key.isEmpty, !secret.isEmpty
    else {
      let isKnown = keys.has(profile) || configuration.has(profile)
      throw ObjectStorageError(
        .invalidCredentials,
        "no credentials for object storage: "
          + (isKnown
            ? "the profile '\(profile)' has no aws_access_key_id with its secret"
            : "there is no profile '\(profile)'")
          + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into "
          + "~/.aws/credentials (single sign-on, roles and credential_process are not known here)")
    }
    self.init(
      endpoint: endpoint,
      credentials: StorageCredentials(
        accessKeyID: key, secretAccessKey: secret, sessionToken: values["aws_session_token"]))
  }
}
