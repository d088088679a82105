import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// Server and key by the variables and files of Amazon's tools.
struct AccountTests {
  private static let files = [
    "/home/u/.aws/credentials": """
    # keys
    [default]
    aws_access_key_id = AKDEFAULT
    aws_secret_access_key=hush-default
    [studio]
    aws_access_key_id = AKSTUDIO
    aws_secret_access_key = hush-studio
    aws_session_token = hush-token
    """,
    "/home/u/.aws/config": """
    [default]
    region = eu-central-1
    s3 =
      addressing_style = path
    [profile studio]
    region = studio-1
    endpoint_url = https://ceph.studio.lan:8443/
    """,
  ]

  private static func account(_ variables: [String: String]) throws -> StorageAccount {
    try StorageAccount(
      environment: ["HOME": "/home/u"].merging(variables) { $1 }, read: { files[$0] })
  }

  @Test func a_profile_names_key_region_and_server() throws {
    let usual = try Self.account([:])
    #expect(usual.credentials.accessKeyID == "AKDEFAULT")
    #expect(usual.endpoint.description == "https://s3.eu-central-1.amazonaws.com")
    #expect(usual.endpoint.location(bucket: "takes", key: "a b").path == "/a%20b")
    let studio = try Self.account(["AWS_PROFILE": "studio"])
    #expect(studio.credentials.sessionToken == "hush-token")
    #expect(studio.endpoint.region == "studio-1")
    #expect(studio.endpoint.location(bucket: "takes", key: "a").path == "/takes/a")
    #expect(studio.endpoint.description == "https://ceph.studio.lan:8443")
  }

  @Test func variables_come_before_files() throws {
    let account = try Self.account([
      "AWS_ACCESS_KEY_ID": "AKVARIABLE", "AWS_SECRET_ACCESS_KEY": "hush",
      "AWS_ENDPOINT_URL": "https://other", "AWS_ENDPOINT_URL_S3": "http://[::1]:80",
      "AWS_REGION": "r",
    ])
    #expect(account.credentials.accessKeyID == "AKVARIABLE")
    #expect(account.credentials.sessionToken == nil)
    #expect(account.endpoint.description == "http://[::1]" && account.endpoint.region == "r")
  }

  @Test func a_missing_key_and_a_wrong_endpoint_are_named() throws {
    let error = #expect(throws: ObjectStorageError.self) {
      try StorageAccount(environment: ["AWS_PROFILE": "gone"], read: { _ in nil })
    }
    #expect(error?.code == .invalidCredentials && error?.message.contains("'gone'") == true)
    for url in ["ceph", "ftp://x", "https://", "https://u:p@host", "https://x?y"] {
      let error = #expect(throws: ObjectStorageError.self) {
        try StorageEndpoint(url: url, region: "r")
      }
      #expect(error?.code == .invalidArgument && error?.message.contains("u:p") == false)
    }
  }

  @Test func a_secret_shows_in_no_text() throws {
    let account = try Self.account(["AWS_PROFILE": "studio"])
    var dumped = ""
    dump(account, to: &dumped)
    for text in ["\(account)", String(reflecting: account), "\(account.credentials)", dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }

  @Test func addresses_are_buckets_and_prefixes() {
    #expect(ObjectAddress("s3://takes")?.key == "")
    #expect(ObjectAddress("s3://takes/")?.description == "s3://takes")
    #expect(ObjectAddress("s3://takes/a b/c/")?.key == "a b/c")
    for text in [
      "takes", "s3://", "s3:///a", "s3://a", "s3://takes/../x", "s3://takes//x", "s3://t?s",
    ] {
      #expect(ObjectAddress(text) == nil, "\(text)")
    }
  }
}
