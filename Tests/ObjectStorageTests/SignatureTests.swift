import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// Signatures compared with the examples in Amazon's documentation and with botocore.
struct SignatureTests {
  private static let signature = RequestSignature(
    credentials: StorageCredentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), region: "us-east-1")
  private static let host = ("host", "examplebucket.s3.amazonaws.com")
  /// 2013-05-24.
  private static let time = 1_369_353_600.0
  private static let empty = Digest.hexadecimal(Digest.sha256([]))

  private static func signature(
    _ method: String, _ path: String, _ query: [(String, String)] = [],
    _ headers: [(String, String)] = [], body: String = ""
  ) -> String {
    let signed = signature.signed(
      method: method, path: path, query: query, headers: [host] + headers,
      bodyHash: Digest.hexadecimal(Digest.sha256([UInt8](body.utf8))), time: time)
    let line = signed.last?.1 ?? ""
    return line.components(separatedBy: "Signature=").last ?? ""
  }

  /// "Examples: Signature Calculations" of the Amazon S3 API reference.
  @Test func signatures_match_the_published_examples() {
    #expect(
      Self.signature("GET", "/test.txt", [], [("range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      Self.signature(
        "PUT", "/" + PercentEncoding.encode("test$file.text"), [],
        [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
        body: "Welcome to Amazon S3.")
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    #expect(
      Self.signature("GET", "/", [("lifecycle", "")])
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      Self.signature("GET", "/", [("prefix", "J"), ("max-keys", "2")])
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func sha256_and_hmac_match_the_standards() {
    // FIPS 180-2, B.1; RFC 4231, test cases 2 and 6.
    #expect(
      Digest.hexadecimal(Digest.sha256([UInt8]("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Digest.hexadecimal(
        Digest.hmac(key: [UInt8]("Jefe".utf8), [UInt8]("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      Digest.hexadecimal(
        Digest.hmac(
          key: [UInt8](repeating: 0xAA, count: 131),
          [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test(.tags(.judges, .network)) func signatures_match_those_of_botocore() throws {
    let tools = try StorageTools.environment.get()
    let script = """
      import sys
      from botocore.auth import S3SigV4Auth
      from botocore.awsrequest import AWSRequest
      from botocore.credentials import Credentials
      import botocore.auth, datetime
      class Fixed(datetime.datetime):
          @classmethod
          def utcnow(cls): return cls(2013, 5, 24)
          @classmethod
          def now(cls, tz=None): return cls(2013, 5, 24, tzinfo=tz)
      botocore.auth.datetime = type('d', (), {'datetime': Fixed, 'timezone': datetime.timezone})
      if hasattr(botocore.auth, 'get_current_datetime'):
          botocore.auth.get_current_datetime = lambda remove_tzinfo=True: Fixed(2013, 5, 24)
      request = AWSRequest(method='PUT', url=sys.argv[1], data=b'', headers={'content-md5': 'abc=', 'X-Amz-Meta-A': ' a  b '})
      request.headers['X-Amz-Content-SHA256'] = 'UNSIGNED-PAYLOAD'
      request.context['payload_signing_enabled'] = False
      request.context['client_config'] = None
      S3SigV4Auth(Credentials('AKID', 'se/cret', 'token=='), 's3', 'eu-west-1').add_auth(request)
      print(request.headers['Authorization'].split('Signature=')[1])
      """
    let signature = RequestSignature(
      credentials: StorageCredentials(
        accessKeyID: "AKID", secretAccessKey: "se/cret", sessionToken: "token=="),
      region: "eu-west-1")
    for key in ["plain.mov", "a b/+&=?%/ünï/日本.mov", "~tilde*(x)!'.mov"] {
      let path = "/bucket/" + PercentEncoding.encode(key, keepsSlashes: true)
      let query = [("uploadId", "a+b/c=="), ("partNumber", "10"), ("uploads", "")]
      let headers = signature.signed(
        method: "PUT", path: path, query: query,
        headers: [
          ("host", "s3.example:9000"), ("content-md5", "abc="), ("x-amz-meta-a", " a  b "),
        ],
        bodyHash: RequestSignature.unsignedBody, time: Self.time)
      let url = "https://s3.example:9000\(path)?" + RequestSignature.query(query)
      let answer = try tools.run(["-c", script, url])
      #expect(answer.status == 0, "\(answer.errors)")
      let own = headers.last?.1.components(separatedBy: "Signature=").last
      #expect(own == answer.output.trimmingCharacters(in: .whitespacesAndNewlines), "\(key)")
    }
  }
}
