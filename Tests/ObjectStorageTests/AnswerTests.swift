import ASCMHL
import CCurl
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// Answers that no store should give, and how they are handled.
struct AnswerTests {
  private static func client(_ transport: any ObjectTransport) throws -> StorageClient {
    StorageClient(
      account: try StorageRig.account(), bucket: "takes", transport: transport,
      settings: try StorageRig().settings.client)
  }

  /// Checks the error for a truncated list that does not say where it continues.
  private func expectRefused(
    _ list: (StorageClient) throws(ObjectStorageError) -> Void, of answer: String,
    naming word: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let transport = AnsweringTransport(MemoryStore()) { _ in .xml(answer) }
    let client = try Self.client(transport)
    let error = #expect(throws: ObjectStorageError.self, sourceLocation: location) {
      try list(client)
    }
    #expect(
      error?.message.contains("IsTruncated") == true && error?.message.contains(word) == true,
      "\(error?.message ?? "")", sourceLocation: location)
    #expect(error?.isWorthRetrying == false, sourceLocation: location)
    #expect(transport.requests.count <= 2, sourceLocation: location)
  }

  @Test func a_truncated_list_without_a_continuation_is_refused() throws {
    let object = "<Contents><Key>a</Key><Size>1</Size></Contents>"
    for token in [
      "", "<NextContinuationToken/>", "<NextContinuationToken>t</NextContinuationToken>",
    ] {
      try expectRefused(
        { client throws(ObjectStorageError) in _ = try client.list(prefix: "") },
        of: "<ListBucketResult><IsTruncated>true</IsTruncated>\(token)\(object)</ListBucketResult>",
        naming: "NextContinuationToken")
    }
    let part = "<Part><PartNumber>1</PartNumber><ETag>a</ETag><Size>1</Size></Part>"
    for marker in ["", "<NextPartNumberMarker>0</NextPartNumberMarker>"] {
      try expectRefused(
        { client throws(ObjectStorageError) in _ = try client.parts(of: "a", upload: "u") },
        of: "<ListPartsResult><IsTruncated>true</IsTruncated>\(marker)\(part)</ListPartsResult>",
        naming: "NextPartNumberMarker")
    }
    let upload = "<Upload><Key>a</Key><UploadId>u</UploadId></Upload>"
    for marker in [
      "", "<NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>",
    ] {
      try expectRefused(
        { client throws(ObjectStorageError) in _ = try client.uploads(of: "a") },
        of: "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>\(marker)\(upload)"
          + "</ListMultipartUploadsResult>", naming: "NextKeyMarker")
    }
  }

  @Test func uploads_of_a_key_are_found_on_every_page() throws {
    let transport = AnsweringTransport(MemoryStore()) { request in
      let query = Dictionary(request.query) { first, _ in first }
      let (number, isLast) = query["upload-id-marker"] == "u1" ? (2, true) : (1, false)
      return .xml(
        "<ListMultipartUploadsResult><IsTruncated>\(!isLast)</IsTruncated>"
          + "<NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>u\(number)</NextUploadIdMarker>"
          + "<Upload><Key>a</Key><UploadId>u\(number)</UploadId></Upload>"
          + "</ListMultipartUploadsResult>")
    }
    #expect(try Self.client(transport).uploads(of: "a") == ["u1", "u2"])
  }

  @Test func an_object_without_a_size_is_refused() throws {
    let transport = AnsweringTransport(MemoryStore()) { _ in
      .xml("<ListBucketResult><Contents><Key>day/a.mov</Key></Contents></ListBucketResult>")
    }
    let error = #expect(throws: ObjectStorageError.self) {
      try Self.client(transport).list(prefix: "")
    }
    #expect(error?.message.contains("day/a.mov") == true)
  }

  /// A server that reports a huge object, and one that sends more than it reported.
  @Test func an_absurdly_large_manifest_is_named_and_not_read() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    let large = AnsweringTransport(store) { request in
      guard request.method == "HEAD", request.path.hasSuffix(".mhl") else { return nil }
      return StorageAnswer(
        status: 200, headers: ["content-length": "9000000000", "etag": "\"a\""])
    }
    let error = #expect(throws: ObjectStorageError.self) { try rig.verify(large) }
    #expect(
      error?.message.contains(".mhl: has 9000000000 bytes") == true, "\(error?.message ?? "")")
    #expect(error?.isWorthRetrying == false)
    #expect(!large.requests.contains { $0.hasPrefix("GET") && $0.hasSuffix(".mhl") })
    let growing = AnsweringTransport(store) { request in
      guard request.method == "HEAD", request.path.hasSuffix(".mhl") else { return nil }
      let name = request.path.split(separator: "/").dropFirst().joined(separator: "/")
      let tag = Digest.hexadecimal(Digest.md5(store.bytes(PercentEncoding.decode(name)) ?? []))
      return StorageAnswer(status: 200, headers: ["content-length": "5", "etag": "\"\(tag)\""])
    }
    let more = #expect(throws: ObjectStorageError.self) { try rig.verify(growing) }
    #expect(more?.message.contains("more than its 5 bytes") == true, "\(more?.message ?? "")")
  }

  @Test func permanent_refusals_are_not_worth_retrying() throws {
    for (status, code, isWorthRetrying) in [
      (400, "InvalidRequest", false), (405, "MethodNotAllowed", false),
      (403, "AccessDenied", false),
      (503, "SlowDown", true), (500, "InternalError", true),
    ] {
      let transport = AnsweringTransport(MemoryStore()) { _ in .refusal(status, code) }
      let error = #expect(throws: ObjectStorageError.self) {
        try Self.client(transport).list(prefix: "")
      }
      #expect(error?.isWorthRetrying == isWorthRetrying, "\(code): \(error?.code.name ?? "")")
    }
  }

  @Test(arguments: [
    "Bucket is missing Object Lock Configuration", "ObjectLockConfiguration is missing",
  ])
  func a_bucket_without_object_lock_is_reported_once(words: String) throws {
    let rig = try StorageRig()
    var settings = rig.settings
    settings.lockDuration = 86_400
    let refusals = Atomic(0)
    let transport = AnsweringTransport(MemoryStore()) { request in
      guard request.headers.contains(where: { $0.0 == "x-amz-object-lock-mode" }) else {
        return nil
      }
      refusals.add(1, ordering: .relaxed)
      return .xml(
        "<Error><Code>InvalidRequest</Code><Message>\(words)</Message></Error>", status: 400)
    }
    let failures = try rig.upload(to: transport, settings: settings).destinations.flatMap(
      \.failures)
    #expect(refusals.load(ordering: .relaxed) == 1)
    #expect(Set(failures.map(\.code)) == ["unsupported"], "\(failures)")
    #expect(failures.first?.message.contains("was not created with object lock") == true)
  }

  /// Also when answering `HEAD`, without a body.
  @Test func redirects_name_the_other_region_or_server() throws {
    for (headers, words) in [
      (["x-amz-bucket-region": "eu-west-1"], "set AWS_REGION to eu-west-1"),
      (
        ["location": "https://user:hush@ceph.lan:8443/takes/a?token=hush"], "https://ceph.lan:8443,"
      ),
      (["location": "/takes/"], "AWS_ENDPOINT_URL"), ([:], "AWS_ENDPOINT_URL"),
    ] {
      let transport = AnsweringTransport(MemoryStore()) { _ in
        StorageAnswer(status: 301, headers: headers)
      }
      let error = #expect(throws: ObjectStorageError.self) { try Self.client(transport).head("a") }
      #expect(error?.code == .invalidArgument && error?.isWorthRetrying == false)
      let message = error?.message ?? ""
      #expect(message.contains(words) && !message.contains("hush"), "\(message)")
      #expect(transport.requests.count == 1)
    }
  }

  /// As with Ceph's gateways: each has its own zone, all in one region.
  @Test func a_redirect_within_a_region_does_not_suggest_another_region() throws {
    let region = try StorageRig.account().endpoint.region
    for (headers, words) in [
      (["location": "http://zone2.lan:7480/takes/a"], "http://zone2.lan:7480,"),
      (["x-amz-bucket-region": region], "zone3.lan,"), ([:], "zone3.lan,"),
    ] {
      let transport = AnsweringTransport(MemoryStore()) { _ in
        let body =
          "<Error><Code>PermanentRedirect</Code><Endpoint>a:hush@zone3.lan/x</Endpoint></Error>"
        return StorageAnswer(status: 301, headers: headers, body: [UInt8](body.utf8))
      }
      let error = #expect(throws: ObjectStorageError.self) {
        try Self.client(transport).list(prefix: "")
      }
      let message = error?.message ?? ""
      #expect(message.contains("sends on to \(words)") && !message.contains("hush"), "\(message)")
      #expect(!message.contains("AWS_REGION"), "\(message)")
    }
  }

  /// The answer to `HEAD` has no body, so the reason for the refusal is requested with another method.
  @Test(arguments: [400, 403])
  func an_expired_token_is_reported_and_worth_retrying(status: Int) throws {
    let transport = AnsweringTransport(MemoryStore()) { request in
      request.method == "HEAD"
        ? StorageAnswer(status: status) : .refusal(400, "ExpiredToken")
    }
    let error = #expect(throws: ObjectStorageError.self) { try Self.client(transport).head("a") }
    #expect(error?.code == .credentialsExpired && error?.isWorthRetrying == true)
    #expect(error?.message.contains("has expired") == true, "\(error?.message ?? "")")
    #expect(transport.requests.count == 2)
    // The same in the middle of a file, and then for all files.
    let rig = try TakeRig()
    let sending = AnsweringTransport(MemoryStore()) { request in
      request.method == "PUT" ? .refusal(400, "ExpiredToken") : nil
    }
    let report = try rig.upload(["take.mov"], to: sending)
    #expect(report.isWorthRetrying && report.failures.first?.code == "credentialsExpired")
  }

  @Test func a_refusal_without_a_reason_keeps_its_code() throws {
    let refusals = [403: ObjectStorageError.Code.accessDenied, 400: .requestRefused]
    for (status, code) in refusals {
      // The last server ignores ranges and sends the whole object.
      for answer in [
        StorageAnswer(status: status), StorageAnswer(status: 200, body: [1]),
        StorageAnswer(status: 200, body: [1, 2]),
      ] {
        let transport = AnsweringTransport(MemoryStore()) { request in
          request.method == "HEAD" ? StorageAnswer(status: status) : answer
        }
        let plain = try StorageRig.account()
        for token in [nil, "token"] {
          let client = StorageClient(
            account: StorageAccount(
              endpoint: plain.endpoint,
              credentials: StorageCredentials(
                accessKeyID: "KEY", secretAccessKey: "hush", sessionToken: token)),
            bucket: "takes", transport: transport, settings: try StorageRig().settings.client)
          let before = transport.requests.count
          let error = #expect(throws: ObjectStorageError.self) { try client.head("a") }
          #expect(error?.code == code, "\(error?.message ?? "")")
          #expect(transport.requests.count == before + 2)
          let isInDoubt = error?.message.contains("token may have expired") == true
          #expect(isInDoubt == (token != nil), "\(error?.message ?? "")")
        }
      }
    }
  }

  /// A cache in between may ignore ranges; its bytes would be those of the object's beginning.
  @Test func a_whole_object_instead_of_a_range_is_refused() throws {
    for (range, status, isTaken) in [
      ("bytes=100-", 200, false), ("bytes=100-", 206, true), ("bytes=0-", 200, true),
    ] {
      let taken = Atomic(0)
      let request = StorageRequest(
        method: "GET", scheme: "http", host: "s", path: "/a", query: [],
        headers: [("range", range)], body: .none, patience: 1, speedLimit: nil,
        sink: {
          taken.add($0.count, ordering: .relaxed)
          return true
        })
      let exchange = Exchange(request, { false }, limit: 1000)
      [UInt8]("HTTP/1.1 \(status) OK\r\n".utf8).withUnsafeBytes { exchange.header($0) }
      let continues = [1, 2, 3].withUnsafeBytes { exchange.write($0) }
      #expect(continues == isTaken && (taken.load(ordering: .relaxed) > 0) == isTaken)
      var result = transfer_result()
      (result.outcome, result.status) = (
        isTaken ? transfer_answered : transfer_ended_by_caller, status
      )
      if isTaken {
        #expect(try exchange.answer(result).status == status)
      } else {
        let failure = #expect(throws: TransportFailure.self) { try exchange.answer(result) }
        #expect(failure?.message.contains("the whole object") == true)
      }
    }
  }
}
