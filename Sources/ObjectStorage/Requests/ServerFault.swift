import MediaCore

/// An error response of a server.
struct ServerFault: Error, Sendable {
  let status: Int
  /// Amazon's error code, such as `NoSuchBucket`; empty if the response has none.
  let code: String
  let message: String
  /// The bucket's region, if the server states it.
  let region: String?
  /// The server that this one redirects to, with a scheme if the response has one; nil for none.
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

  /// The scheme and host of a URL, without anything that may be secret; nil if it has none.
  private static func server(of url: String) -> String? {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, ["http:", "https:"].contains(parts[0].lowercased()), parts[1].isEmpty,
      let host = host(parts[2])
    else { return nil }
    return parts[0].lowercased() + "//" + host
  }

  /// The host and port, without anything that may be secret; nil if there is none.
  private static func host(_ text: some StringProtocol) -> String? {
    let host = text.prefix { !"/?#".contains($0) }.split(separator: "@").last
    return host.map { String($0) }
  }

  /// True for a redirection. Redirections are not followed, because a signature is only valid for
  /// one server.
  private var isRedirection: Bool { (300..<400).contains(status) }

  /// True if retrying may help.
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

  /// True if the object is missing, but, as far as the server tells, the bucket exists.
  var isObjectMissing: Bool { status == 404 && code != Self.noBucket }

  /// True for an error without a reason, as in responses to `HEAD`.
  var isWordless: Bool { code.isEmpty && [400, 401, 403].contains(status) }

  private static let noBucket = "NoSuchBucket"

  /// True if what arrived differs from what was sent.
  var isDamage: Bool {
    ["BadDigest", "XAmzContentChecksumMismatch", "InvalidDigest"].contains(code)
  }

  /// Converts the fault to an error.
  ///
  /// - Parameter subject: The address or bucket of the request.
  func error(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    credentialFault(account) ?? namedFault(subject, account) ?? redirection(subject, account)
      ?? unnamedFault(subject, account)
  }

  /// An error about the credentials; nil for others.
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

  /// An error whose code tells what to fix at the bucket or this machine; nil for others.
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
        "\(subject): its bucket was not created with object lock; use one that was, or leave the lock out"
      )
    default: return nil
    }
  }

  /// An error because the bucket is in another region or on another server; nil for others.
  private func redirection(
    _ subject: String, _ account: StorageAccount
  ) -> ObjectStorageError? {
    switch code {
    case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
      return elsewhere(subject, account)
    // Amazon's servers redirect only to other regions, others also within a region. The response to
    // `HEAD` has no error code.
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

  /// An error of which only the status and possibly the server's message are known.
  private func unnamedFault(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    let server = account.endpoint.description
    // An expired token gives the same response if the server states no reason.
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

  /// True if a lock is rejected because the bucket does not support locks. Amazon's message has
  /// spaces between the words.
  private var isAboutMissingLock: Bool {
    message.replacing(" ", with: "").lowercased().contains("objectlockconfiguration")
  }

  /// The error for a bucket in another region than the requested one.
  private func elsewhere(_ subject: String, _ account: StorageAccount) -> ObjectStorageError {
    ObjectStorageError(
      .invalidArgument,
      "\(subject): is in another region than \(account.endpoint.region); set AWS_REGION"
        + (region.map { " to \($0)" } ?? ""))
  }
}
