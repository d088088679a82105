import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// Server and credentials from the environment and the files of Amazon's tools.
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

  @Test func a_profile_gives_key_region_and_server() throws {
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

  @Test func environment_variables_take_precedence_over_files() throws {
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

  /// The error message for variables and files that give no account.
  private func refusal(_ variables: [String: String], _ files: [String: String] = [:]) -> String {
    do throws(ObjectStorageError) {
      let account = try StorageAccount(
        environment: ["HOME": "/h"].merging(variables) { $1 }, read: { files[$0] })
      return "accepted \(account.credentials.accessKeyID)"
    } catch {
      return error.code == .invalidCredentials ? error.message : "\(error.code.name)"
    }
  }

  @Test func an_incomplete_key_is_reported_without_a_fallback() {
    let file = ["/h/.aws/credentials": "[default]\naws_access_key_id=K\naws_secret_access_key=hush"]
    #expect(refusal([:], file) == "accepted K")
    let half = refusal(["AWS_ACCESS_KEY_ID": "E"], file)
    #expect(half.contains("the environment has AWS_ACCESS_KEY_ID and no AWS_SECRET_ACCESS_KEY"))
    let other = refusal(["AWS_SECRET_ACCESS_KEY": "hush", "AWS_ACCESS_KEY_ID": ""], file)
    #expect(other.contains("no AWS_ACCESS_KEY_ID") && !other.contains("hush"), "\(other)")
    let lines = refusal([:], ["/h/.aws/credentials": "[default]\naws_access_key_id=K"])
    #expect(lines.contains("of /h/.aws/credentials has aws_access_key_id and no"), "\(lines)")
  }

  @Test func key_secret_and_token_come_from_one_file() throws {
    let config = """
      [default]
      aws_access_key_id = OLD
      aws_secret_access_key = hush-old
      aws_session_token = token-old
      region = r
      """
    func account(_ credentials: String) throws -> StorageAccount {
      let files = ["/h/.aws/credentials": credentials, "/h/.aws/config": config]
      return try StorageAccount(environment: ["HOME": "/h"], read: { files[$0] })
    }
    let own = try account("[default]\naws_access_key_id=NEW\naws_secret_access_key=hush")
    #expect(own.credentials.accessKeyID == "NEW" && own.credentials.sessionToken == nil)
    #expect(own.endpoint.region == "r", "other settings may be in either file")
    let none = try account("[default]\naws_access_key_id=\n")
    #expect(none.credentials.accessKeyID == "OLD" && none.credentials.sessionToken == "token-old")
    let half = #expect(throws: ObjectStorageError.self) {
      try account("[default]\naws_access_key_id=NEW")
    }
    #expect(half?.code == .invalidCredentials)
  }

  @Test func an_unreadable_file_is_named_if_it_is_needed() throws {
    let folder = try TemporaryFolder()
    try folder.write([0x5B, 0xFF, 0x5D], "credentials")
    let file = folder.path("credentials")
    // Root may read any file, but cannot read a folder as a file.
    for path in [file, folder.path] {
      var variables = ["HOME": folder.path, "AWS_SHARED_CREDENTIALS_FILE": path]
      let error = #expect(throws: ObjectStorageError.self) {
        try StorageAccount(environment: variables)
      }
      #expect(error?.code == .invalidCredentials && error?.message.hasPrefix(path) == true)
      variables["AWS_ACCESS_KEY_ID"] = "KEY"
      variables["AWS_SECRET_ACCESS_KEY"] = "hush"
      // The unreadable file might name the server.
      #expect(throws: ObjectStorageError.self) { try StorageAccount(environment: variables) }
      variables["AWS_ENDPOINT_URL"] = "https://ceph"
      #expect(try StorageAccount(environment: variables).credentials.accessKeyID == "KEY")
    }
    let gone = refusal(["AWS_SHARED_CREDENTIALS_FILE": "/gone"])
    #expect(gone.contains("AWS_SHARED_CREDENTIALS_FILE names /gone, which does not exist"))
  }

  @Test func indented_settings_are_distinguished_from_nested_ones()
    throws
  {
    let text = """
      [default]
          aws_access_key_id = K
          aws_secret_access_key = hush
          s3 =
              endpoint_url = https://of-s3
          region = r
      [other]
      region = s
          endpoint_url = https://of-region
      aws_access_key_id = L
      aws_secret_access_key = hush
      """
    func account(_ profile: String) throws -> StorageAccount {
      try StorageAccount(
        environment: ["HOME": "/h", "AWS_PROFILE": profile],
        read: { $0.hasSuffix("credentials") ? text : nil })
    }
    let usual = try account("default")
    #expect(usual.credentials.accessKeyID == "K")
    #expect(usual.endpoint.description == "https://s3.r.amazonaws.com")
    let other = try account("other")
    #expect(other.credentials.accessKeyID == "L")
    #expect(other.endpoint.description == "https://s3.s.amazonaws.com")
  }

  @Test func an_empty_setting_counts_as_missing() throws {
    let text = """
      [default]
      aws_access_key_id = K
      aws_secret_access_key = hush
      endpoint_url =
      region =
      ca_bundle =
      """
    let account = try StorageAccount(
      environment: ["HOME": "/h"], read: { $0.hasSuffix("config") ? text : nil })
    #expect(account.endpoint.description == "https://s3.us-east-1.amazonaws.com")
    #expect(account.endpoint.authorities == nil)
  }

  @Test func secrets_are_never_printed() throws {
    let account = try Self.account(["AWS_PROFILE": "studio"])
    var dumped = ""
    dump(account, to: &dumped)
    for text in ["\(account)", String(reflecting: account), "\(account.credentials)", dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }

  @Test func addresses_are_parsed_into_bucket_and_key() {
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
