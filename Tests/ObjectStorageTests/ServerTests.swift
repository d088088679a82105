import ASCMHL
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// Copies to a third-party server, through libcurl.
@Suite(.enabled(if: StorageTools.isPresent, StorageTools.absence), .tags(.judges, .network))
struct ServerTests {
  private func copy(
    _ server: MotoServer, _ rig: StorageRig, to address: String = "s3://takes/card"
  ) throws -> RemoteCopy {
    var settings = UploadSettings()
    settings.stateFolder = rig.folder.path("state")
    // The smallest part size that servers accept.
    settings.partSize = 5 << 20
    return RemoteCopy(
      to: try #require(ObjectAddress(address)), account: try server.account(), settings: settings)
  }

  @Test func a_multipart_movie_arrives_intact_with_a_server_checksum() throws {
    let server = try MotoServer(bucket: "takes")
    let rig = try StorageRig()
    var generator = SeededGenerator(seed: 5)
    let words = (0..<(12 << 17)).map { _ in UInt64.random(in: 0...UInt64.max, using: &generator) }
    let bytes = words.withUnsafeBytes { [UInt8]($0) }
    try rig.folder.write(bytes, "card/ünï +&/B.mov")
    let copy = try copy(server, rig)
    let report = try FolderUpload(of: rig.folder.url("card"), by: copy).run()
    #expect(report.isSound, "\(report.destinations.map(\.failures)) \(report.refused)")

    let facts = try server.boto(
      """
      o = s3.head_object(Bucket='takes', Key='card/ünï +&/B.mov', ChecksumMode='ENABLED')
      body = s3.get_object(Bucket='takes', Key='card/ünï +&/B.mov')['Body'].read()
      import awscrt.checksums, base64, hashlib
      crc = base64.b64encode(awscrt.checksums.crc64nvme(body).to_bytes(8, 'big')).decode()
      print(o['ContentLength'], crc == o['Metadata']['crc64nvme'], o['Metadata']['entity-tag'] == o['ETag'].strip('"'), hashlib.md5(body).hexdigest())
      """)
    #expect(facts == "\(bytes.count) True True \(Digest.hexadecimal(Digest.md5(bytes)))")

    var verification = RemoteVerification(of: copy.address, account: copy.account)
    #expect(try verification.run().isSound)
    verification.readsObjects = true
    let whole = try verification.run()
    #expect(whole.isSound && whole.verifiedCount == 3)
    let again = try FolderUpload(of: rig.folder.url("card"), by: copy).run()
    #expect(again.isSound && again.destinations[0].files.allSatisfy(\.wasPresent))
  }

  @Test func nothing_is_overwritten_and_a_missing_bucket_is_named() throws {
    let server = try MotoServer()
    let rig = try StorageRig()
    let error = #expect(throws: ObjectStorageError.self) { try copy(server, rig).check() }
    #expect(error?.code == .bucketNotFound)
    try server.boto(
      "s3.create_bucket(Bucket='takes'); s3.put_object(Bucket='takes', Key='card/a note.txt', Body=b'x')"
    )
    let report = try FolderUpload(of: rig.folder.url("card"), by: copy(server, rig)).run()
    #expect(report.destinations[0].failures.map(\.path) == ["a note.txt"])
    let kept = try server.boto(
      "print(s3.get_object(Bucket='takes', Key='card/a note.txt')['Body'].read().decode())")
    #expect(kept == "x")
  }

  @Test func an_unreachable_server_is_named() throws {
    let rig = try StorageRig()
    var settings = UploadSettings()
    settings.client.firstPatience = 0
    let copy = RemoteCopy(
      to: try #require(ObjectAddress("s3://takes/card")), account: try StorageRig.account(),
      settings: settings)
    let error = #expect(throws: ObjectStorageError.self) { try copy.check() }
    #expect(error?.code == .unreachable && error?.message.contains("127.0.0.1:9") == true)
    #expect(!rig.folder.contents.contains("state"))
  }
}
