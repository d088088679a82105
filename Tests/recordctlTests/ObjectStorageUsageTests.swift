import Foundation
import TestSupport
import Testing

/// Messages about unusable object storage addresses.
@Suite struct ObjectStorageUsageTests {
  @Test func unusable_arguments_are_named_without_revealing_secrets() throws {
    let folder = try TemporaryFolder()
    try folder.write("note", "card/note.txt")
    let keys = try folder.write(
      "[default]\naws_access_key_id=AK\naws_secret_access_key=hush\n", "keys"
    ).path
    let reaching = ["AWS_SHARED_CREDENTIALS_FILE": keys, "AWS_ENDPOINT_URL": "ftp://x"]
    let nobody = ["AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_CONFIG_FILE": "/none"]
    let from = ["library", "offload", "--from", folder.path("card")]
    let cases: [(arguments: [String], variables: [String: String], words: String)] = [
      (from + ["s3://"], reaching, "s3://BUCKET/PREFIX"),
      (from + ["s3://takes"], reaching, "https://HOST"),
      (from + ["s3://takes"], nobody, "no credentials"),
      (from + ["s3://takes", "--bandwidth", "fast"], reaching, "50MB"),
      (from + [folder.path, "--bandwidth", "5MB"], reaching, "s3://"),
      (from + ["s3://takes", "--object-lock", "10"], reaching, "10y"),
      (["library", "verify", "--copy", folder.path, "--read"], reaching, "s3://"),
    ]
    for (arguments, variables, words) in cases {
      let run = try Recordctl(arguments, environment: variables)
      #expect(run.status == 2 && run.errors.contains(words), "\(arguments): \(run.errors)")
      #expect(!(run.errors + run.output).contains("hush"))
    }
  }
}
