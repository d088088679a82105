import ASCMHL
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ObjectStorage

/// A movie with its sidecar in a folder, and the means to send them to a store and fetch them.
struct TakeRig {
  let folder: TemporaryFolder
  /// Several parts long, but not a multiple of the part size.
  let take: [UInt8]

  init(seed: UInt64 = 7) throws {
    folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: seed)
    take = generator.bytes(4096 * 3 + 100)
    try folder.write(take, "take.mov")
    try writeSidecar(state: "complete")
  }

  func writeSidecar(state: String) throws { try folder.write(sidecar(state), "take.mov.json") }

  private func sidecar(_ state: String) -> [UInt8] {
    let sum = "\"checksums\":{\"file\":\"\(ContentHash(of: take))\",\"frames\":[]}"
    return [UInt8](
      "{\"schema\":\"prores-recorder/sidecar\",\"version\":2,\"state\":\"\(state)\",\(sum)}".utf8)
  }

  var sidecar: [UInt8] { sidecar("complete") }
  func path(_ name: String) -> String { folder.path(name) }
  var queue: UploadQueue {
    get throws {
      UploadQueue(of: try #require(ObjectAddress("s3://takes/day")), in: folder.path("state"))
    }
  }

  var settings: UploadSettings {
    var settings = UploadSettings()
    settings.partSize = 4096
    settings.stateFolder = folder.path("state")
    settings.connections = 1
    let clock = TestClock()
    settings.client.clock = { clock.now }
    settings.client.sleep = { clock.pass($0) }
    return settings
  }

  func copy(
    to address: String, _ store: any ObjectTransport, settings: UploadSettings? = nil
  ) throws -> RemoteCopy {
    var copy = RemoteCopy(
      to: try #require(ObjectAddress(address)), account: try StorageRig.account(),
      settings: settings ?? self.settings)
    copy.transport = store
    return copy
  }

  func upload(
    _ names: [String], to store: any ObjectTransport, removes: Bool = false,
    settings: UploadSettings? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> UploadReport {
    var upload = FileUpload(
      of: names.map { folder.path($0) },
      by: try copy(to: "s3://takes/day", store, settings: settings))
    upload.removesVerified = removes
    return try upload.run(isCancelled: isCancelled)
  }

  func fetch(
    _ addresses: [String], from store: any ObjectTransport,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> FetchReport {
    var fetch = ObjectFetch(
      of: try addresses.map { try #require(ObjectAddress($0)) }, into: folder.path("back"),
      account: try StorageRig.account())
    fetch.transport = store
    fetch.settings = settings.client
    return try fetch.run(isCancelled: isCancelled)
  }

  func verifyCopy(
    _ store: any ObjectTransport, _ address: String = "s3://takes/day", reads: Bool = false
  ) throws -> CopyVerification {
    var verification = FileCopyVerification(
      of: path("take.mov"), at: try #require(ObjectAddress(address)),
      account: try StorageRig.account())
    verification.transport = store
    verification.settings = settings.client
    verification.readsObjects = reads
    return try verification.run()
  }
}

extension TemporaryFolder {
  /// The names in a subfolder; empty if there is none.
  func contentsOrNone(_ name: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: path(name)) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}
