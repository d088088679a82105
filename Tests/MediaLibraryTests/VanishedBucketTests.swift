import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MediaLibrary
@testable import ObjectStorage

/// An offload to a disk and to a bucket that is deleted in the meantime.
struct VanishedBucketTests {
  /// A server with an empty bucket that disappears after the first request.
  private final class Server: ObjectTransport {
    private let count = Mutex(0)

    func send(
      _ request: StorageRequest, isCancelled: @Sendable () -> Bool
    ) throws(TransportFailure) -> StorageAnswer {
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else {
        let refusal = "<Error><Code>NoSuchBucket</Code><Message>m</Message></Error>"
        return StorageAnswer(status: 404, body: [UInt8](refusal.utf8))
      }
      return StorageAnswer(status: 200, body: [UInt8]("<ListBucketResult/>".utf8))
    }
  }

  @Test func a_vanished_bucket_is_reported_and_nothing_is_deleted() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "p1.png"))
    let assets = try test.library.fetchAssets().allObjects()
    let disk = try test.folder.makeFolder("disk")
    var settings = UploadSettings()
    settings.stateFolder = test.folder.path("state")
    var copy = RemoteCopy(
      to: try #require(ObjectAddress("s3://takes/library")),
      account: StorageAccount(
        endpoint: try StorageEndpoint(url: "http://127.0.0.1:9", region: "us-east-1"),
        credentials: StorageCredentials(accessKeyID: "KEY", secretAccessKey: "hush")),
      settings: settings)
    copy.transport = Server()
    let offload = try await test.library.offload(assets, to: [disk], and: [copy], deletes: true)
    #expect(offload.reports.map { $0.failures.map(\.code) } == [[], ["bucketNotFound"]])
    #expect(offload.deleted.isEmpty)
    #expect(try test.library.fetchAssets().count == 1)
  }
}
