import MediaCore
import Testing

@testable import ObjectStorage

/// How refusals by servers are reported.
struct ServerFaultTests {
  private static func error(
    _ status: Int, _ code: String, _ words: String = "", headers: [String: String] = [:]
  ) throws -> ObjectStorageError {
    let body = "<Error><Code>\(code)</Code><Message>\(words)</Message></Error>"
    let fault = ServerFault(
      StorageAnswer(status: status, headers: headers, body: code.isEmpty ? [] : Array(body.utf8)))
    let account = StorageAccount(
      endpoint: try StorageEndpoint(url: "https://ceph.lan:8443", region: "studio-1"),
      credentials: StorageCredentials(
        accessKeyID: "KEYOFMINE", secretAccessKey: "hush", sessionToken: "hush-token"))
    return fault.error("s3://takes/a", account)
  }

  @Test func each_refusal_is_reported_with_server_and_remedy() throws {
    let server = "https://ceph.lan:8443"
    let refusals: [(Int, String, ObjectStorageError.Code, String)] = [
      (
        404, "NoSuchBucket", .bucketNotFound,
        "s3://takes/a: no such bucket at \(server); create it, or name another"
      ),
      (
        400, "ExpiredToken", .credentialsExpired,
        "\(server): the session token of KEYO… has expired; get a new one for AWS_SESSION_TOKEN or the profile, "
          + "and try again"
      ),
      (
        403, "SignatureDoesNotMatch", .invalidCredentials,
        "\(server) refuses the credentials of KEYO… (SignatureDoesNotMatch); check AWS_ACCESS_KEY_ID, "
          + "AWS_SECRET_ACCESS_KEY, AWS_PROFILE and ~/.aws/credentials"
      ),
      (
        403, "RequestTimeTooSkewed", .requestFailed,
        "\(server): its clock and this machine's differ too much; set the clock"
      ),
      (
        400, "IllegalLocationConstraintException", .invalidArgument,
        "s3://takes/a: is in another region than studio-1; set AWS_REGION"
      ),
      (
        403, "AccessDenied", .accessDenied,
        "s3://takes/a: \(server) denies access; allow listing, reading and writing for these credentials"
      ),
      (503, "SlowDown", .requestFailed, "s3://takes/a: \(server) answers status 503, SlowDown"),
      (
        400, "BadDigest", .verificationFailed,
        "s3://takes/a: \(server) answers status 400, BadDigest"
      ),
    ]
    for (status, code, kind, message) in refusals {
      let error = try Self.error(status, code)
      #expect(error.code == kind)
      #expect(error.message == message)
    }
  }

  @Test func a_redirect_names_the_region_or_the_server() throws {
    let elsewhere = try Self.error(301, "", headers: ["x-amz-bucket-region": "eu-west-1"])
    #expect(
      elsewhere.message
        == "s3://takes/a: is in another region than studio-1; set AWS_REGION to eu-west-1")
    let other = try Self.error(307, "", headers: ["location": "https://zone2.lan/takes/a"])
    #expect(
      other.message
        == "s3://takes/a: https://ceph.lan:8443 answers status 307 and sends on to https://zone2.lan, which is not "
        + "followed; name the server that has the bucket in AWS_ENDPOINT_URL")
  }

  @Test func a_refusal_without_a_reason_may_be_due_to_the_token() throws {
    #expect(
      try Self.error(400, "").message
        == "s3://takes/a: https://ceph.lan:8443 answers status 400; the session token may have expired"
    )
  }
}
