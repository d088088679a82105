import MediaCore

/// A refusal of a server.
struct ServerFault: Error, Sendable {
  let status: Int
  /// Amazon's word for it: `NoSuchBucket`; empty where the answer has none.
  let code: String
  let message: String
  /// The region that the bucket is in, where the server tells.
  let region: String?
  /// The server that this one sends on to, with a scheme where the answer has one; nil for none.
  private let otherServer: String?

  init(_ answer: StorageAnswer) {
    status = answer.status
    let root = StorageDocument.root(of: answer.body)
    code = root?["Code"] ?? ""
    message = root?["Message"] ?? ""
    region =
      answer.headers["x-amz-bucket-region"]
      ?? root.map { $0["Region"] }.flatMap {
        $0.isEmpty ? nil : $0
      }
    otherServer =
      answer.headers["location"].flatMap(Self.server)
      ?? root.flatMap { Self.host($0["Endpoint"]) }
  }

  /// Scheme and host of a URL, and nothing that may be a secret; nil where it has none.
  private static func server(of url: String) -> String? {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, ["http:", "https:"].contains(parts[0].lowercased()), parts[1].isEmpty,
      let host = host(parts[2])
    else { return nil }
    return parts[0].lowercased() + "//" + host
  }

  /// A host with its port, without what may be a secret; nil for none.
  private static func host(_ text: some StringProtocol) -> String? {
    let host = text.prefix { !"/?#".contains($0) }.split(separator: "@").last
    return host.map { String($0) }
  }

  /// True for an answer that sends on to another server. None is followed: a signature is for one.
  private var isRedirection: Bool { (300..<400).contains(status) }

  /// True for what another attempt may overcome.
  var isPassing: Bool {
    switch code {
    case "SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "BadDigest",
      "OperationAborted", "ConditionalRequestConflict", "ThrottlingException", "Throttling",
      "XAmzContentChecksumMismatch", "IncompleteBody":
      true
    case "NotImplemented": false
    default: status >= 500 && status != 501 && status != 507 || status == 429 || status == 408
    }
  }

  /// True for an object that is not there, in a bucket that is, as far as the server tells.
  var isObjectMissing: Bool { status == 404 && code != Self.noBucket }

  /// True for a refusal whose reason the server keeps to itself, as in its answers to `HEAD`.
  var isWordless: Bool { code.isEmpty && [400, 401, 403].contains(status) }

  private static let noBucket = "NoSuchBucket"

  /// True where what arrived is not what was sent.
  var isDamage: Bool {
    ["BadDigest", "XAmzContentChecksumMismatch", "InvalidDigest"].contains(code)
  }

  /// The failure in words.
  ///
  /// - Parameter subject: What was asked for: an address, a bucket.
  func error(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    credentialFault(account) ?? namedFault(subject, account) ?? redirection(subject, account)
      ?? unnamedFault(subject, account)
  }

  /// A refusal of who asks; nil for another one.
  private func credentialFault(_ account: StorageAccount) -> ObjectStorageError? {
    let server = account.endpoint.description
    let keyID = "\(account.credentials.accessKeyID.prefix(4))…"
    switch code {
    case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired":
      return ObjectStorageError(
        .credentialsExpired,
        "\(server): the session token of \(keyID) has expired; get a new "
          + "one for AWS_SESSION_TOKEN or the profile, and try again")
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "InvalidSecurity":
      return ObjectStorageError(
        .invalidCredentials,
        "\(server) refuses the credentials of \(keyID) (\(code)); "
          + "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE and ~/.aws/credentials")
    default: return nil
    }
  }

  /// A refusal whose name says what is to be mended at the bucket, or at this machine; nil for another one.
  private func namedFault(
    _ subject: String, _ account: StorageAccount
  ) -> ObjectStorageError? {
    let server = account.endpoint.description
    switch code {
    case Self.noBucket:
      return ObjectStorageError(
        .bucketNotFound,
        "\(subject): no such bucket at \(server); create it, or name another")
    case "RequestTimeTooSkewed":
      return ObjectStorageError(
        .requestFailed, "\(server): its clock and this machine's differ too much; set the clock")
    case "InvalidRequest" where isAboutMissingLock, "ObjectLockConfigurationNotFoundError":
      return ObjectStorageError(
        .unsupported,
        "\(subject): its bucket was not made with object lock; name one that was, or leave the lock out"
      )
    default: return nil
    }
  }

  /// A refusal because the bucket is in another region, or at another server; nil for another one.
  private func redirection(
    _ subject: String, _ account: StorageAccount
  ) -> ObjectStorageError? {
    switch code {
    case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
      return elsewhere(subject, account)
    // Amazon's servers send on to other regions alone, others within a region as well. The answer to `HEAD`
    // has no words.
    case "PermanentRedirect" where !account.endpoint.isPathStyle:
      return elsewhere(subject, account)
    case _ where isRedirection && region != nil && region != account.endpoint.region:
      return elsewhere(subject, account)
    case _ where isRedirection:
      return ObjectStorageError(
        .invalidArgument,
        "\(subject): \(account.endpoint.description) answers status \(status) and sends on to "
          + "\(otherServer ?? "another place"), which is not followed; name the server that has the "
          + "bucket in AWS_ENDPOINT_URL")
    default: return nil
    }
  }

  /// A refusal of which no more is known than its status and the server's own words, if it has any.
  private func unnamedFault(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    let server = account.endpoint.description
    // A token is refused in the same way, as far as a server without words tells.
    let doubt =
      isWordless && account.credentials.sessionToken != nil
      ? "; the session token may have expired" : ""
    if status == 403 {
      return ObjectStorageError(
        .accessDenied,
        "\(subject): \(server) denies access; allow listing, reading and writing for these credentials"
          + doubt)
    }
    let words = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
    let what = words.isEmpty ? "status \(status)" : "status \(status), \(words)"
    let code: ObjectStorageError.Code =
      isDamage ? .verificationFailed : isPassing ? .requestFailed : .requestRefused
    return ObjectStorageError(
      code, "\(subject): \(server) answers \(what)\(doubt)")
  }

  /// True where a lock is refused because the bucket has none. Amazon's words for it have spaces between.
  private var isAboutMissingLock: Bool {
    message.replacing(" ", with: "").lowercased().contains("objectlockconfiguration")
  }

  /// What is in another region than the one that was asked.
  private func elsewhere(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    ObjectStorageError(
      .invalidArgument,
      "\(subject): is in another region than \(account.endpoint.region); set AWS_REGION"
        + (region.map { " to \($0)" } ?? ""))
  }
}
