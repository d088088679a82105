import Foundation
import MediaCore
import MediaLibrary
import ObjectStorage
import TestSupport
import Testing

/// A library's offload to object storage.
@Suite(.enabled(if: StorageTools.isPresent, StorageTools.absence), .tags(.judges, .network))
struct ObjectOffloadTests {
  private func filled() async throws -> (test: TestLibrary, assets: [Asset]) {
    let test = try TestLibrary()
    for seed in 1...3 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    return (test, try test.library.fetchAssets().allObjects())
  }

  private func copy(
    _ server: MotoServer, _ test: TestLibrary, to address: String
  ) throws -> RemoteCopy {
    var settings = UploadSettings()
    settings.stateFolder = test.folder.path("state")
    settings.client.firstPatience = 0
    return RemoteCopy(
      to: try #require(ObjectAddress(address)),
      account: try StorageAccount(environment: server.environment), settings: settings)
  }

  @Test func only_assets_whole_in_the_bucket_are_deleted() async throws {
    let server = try MotoServer(bucket: "takes")
    let (test, assets) = try await filled()
    let damaged = try #require(assets[0].fileURL)
    var bytes = [UInt8](try Data(contentsOf: damaged))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: damaged)
    let copy = try copy(server, test, to: "s3://takes/library")
    let result = try await test.library.offload(assets, to: [], and: [copy], deletes: true)
    #expect(Set(result.deleted) == Set(assets.dropFirst().map(\.localIdentifier)))
    #expect(result.reports[0].failures.map(\.asset) == [assets[0].localIdentifier])
    #expect(result.reports[0].failures[0].message.contains("is damaged"))
    let verification = RemoteVerification(of: copy.address, account: copy.account)
    #expect(try verification.run().verifiedCount == 2)
  }

  @Test func a_cancelled_upload_lists_complete_objects_and_deletes_nothing() async throws {
    let server = try MotoServer(bucket: "takes")
    let (test, assets) = try await filled()
    let copy = try copy(server, test, to: "s3://takes/library")
    let copying = SelfCancelled<[ExportReport]>()
    let reports = try await copying.value { [library = test.library] in
      try await library.offload(assets, to: [], and: [copy], deletes: true) { step in
        if step.fileCount == 1 { copying.cancel() }
      }.reports
    }
    let report = try #require(reports.first)
    #expect(report.wasInterrupted && report.failures.isEmpty && report.manifest != nil)
    #expect((1..<3).contains(report.files.count), "\(report.files.count)")
    #expect(try test.library.fetchAssets().count == assets.count)
    let verification = RemoteVerification(of: copy.address, account: copy.account)
    #expect(try verification.run().verifiedCount == report.files.count)
    // The same call copies what is missing.
    let rest = try await test.library.offload(assets, to: [], and: [copy], deletes: false)
    #expect(rest.reports[0].files.count == 3 && !rest.reports[0].wasInterrupted)
  }

  @Test func a_missing_bucket_is_reported_before_any_copy_or_deletion() async throws {
    let server = try MotoServer()
    let (test, assets) = try await filled()
    let copy = try copy(server, test, to: "s3://gone")
    let disk = try test.folder.makeFolder("disk")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(assets, to: [disk], and: [copy], deletes: true)
    }
    #expect(error?.message.contains("s3://gone") == true)
    #expect(try test.library.fetchAssets().count == assets.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
  }
}
