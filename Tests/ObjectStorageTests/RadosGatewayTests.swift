import ASCMHL
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// Copies to Ceph's gateway, which checks signatures but supports neither CRC-64/NVME nor conditional completion.
@Suite(
  .enabled(if: TestRun.isThorough, "runs with TEST_ALL=1"),
  .enabled(if: RadosGateway.isPresent, RadosGateway.absence),
  .tags(.slow, .judges))
struct RadosGatewayTests {
  @Test func a_copy_is_complete_resumable_and_locked() throws {
    let server = try RadosGateway()
    let bucket = try #require(ObjectAddress("s3://takes/card"))
    let rig = try StorageRig()
    var generator = SeededGenerator(seed: 5)
    let words = (0..<(12 << 17)).map { _ in UInt64.random(in: 0...UInt64.max, using: &generator) }
    try rig.folder.write(words.withUnsafeBytes { [UInt8]($0) }, "card/ünï +&/B.mov")
    var settings = UploadSettings()
    settings.stateFolder = rig.folder.path("state")
    settings.partSize = 5 << 20
    settings.lockDuration = 60
    let account = try server.account()
    let copy = RemoteCopy(to: bucket, account: account, settings: settings)

    let wrong = RemoteCopy(
      to: bucket, account: try server.account(secret: "no"), settings: settings)
    let refusal = #expect(throws: ObjectStorageError.self) { try wrong.check() }
    #expect(refusal?.code == .invalidCredentials && refusal?.message.contains("hush") == false)
    let missing = #expect(throws: ObjectStorageError.self) { try copy.check() }
    #expect(missing?.code == .bucketNotFound)

    let client = try copy.client({ false })
    _ = try client.send(
      .init(
        method: "PUT", key: "", headers: [("x-amz-bucket-object-lock-enabled", "true")])
    ).get()
    let upload = FolderUpload(of: rig.folder.url("card"), by: copy)
    let first = try upload.run()
    #expect(first.isSound, "\(first.destinations.map(\.failures))")
    for file in first.destinations[0].files {
      #expect(try client.head(bucket.appending(file.path).key)?.lockMode == "COMPLIANCE")
    }
    // A second generation replaces the chain.
    let second = try upload.run()
    #expect(second.isSound && second.destinations[0].files.allSatisfy(\.wasPresent))
    var verification = RemoteVerification(of: bucket, account: account)
    #expect(try verification.run().manifestCount == 2)
    verification.readsObjects = true
    #expect(try verification.run().isSound)
  }
}
