import ASCMHL
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// A card that is copied to several addresses.
struct OffloadTests {
  private static let addresses = ["s3://takes/card", "s3://takes/second"]

  private func uploads(
    _ rig: StorageRig, _ stores: [any ObjectTransport]
  ) throws -> FolderUploads {
    FolderUploads(
      try zip(Self.addresses, stores).map { address, store in
        var copy = RemoteCopy(
          to: try #require(ObjectAddress(address)), account: try StorageRig.account(),
          settings: rig.settings)
        copy.transport = store
        return FolderUpload(of: rig.folder.url("card"), by: copy)
      })
  }

  @Test func manifests_in_a_folder_with_the_same_name_prefix_are_copied() throws {
    let rig = try StorageRig()
    let path = "ascmhl-old/ascmhl/0001_old.mhl"
    try rig.folder.write("old", "card/" + path)
    let store = MemoryStore()
    let report = try rig.upload(to: store)
    #expect(report.isSound, "\(report)")
    #expect(store.keys.contains { $0.hasSuffix("card/" + path) }, "\(store.keys)")
  }

  /// As text, a slash and a following accent are one character.
  @Test func a_name_that_begins_with_a_combining_accent_is_found() throws {
    let rig = try StorageRig()
    let path = "\u{301}day/\u{301}clip.mov"
    try rig.folder.write("accent", "card/" + path)
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    let found = try rig.verify(store)
    #expect(found.isSound && found.verifiedCount == 3, "\(found)")
    #expect(found.unlisted.isEmpty, "\(found.unlisted)")
    let again = try rig.upload(to: store)
    let files = try #require(again.destinations.first).files
    #expect(files.count == 3 && files.allSatisfy(\.wasPresent))
  }

  /// `isCancelled` is called at each step, and the offload is stopped at each of these calls in turn: before the
  /// first address, within a file, between two files, before the second address.
  @Test(arguments: [true, false])
  func an_interrupted_offload_never_claims_to_be_complete(isAfterDisks: Bool) throws {
    var emptyDestinations = 0
    var partialDestinations = 0
    for number in 1...600 {
      let rig = try StorageRig()
      let store = MemoryStore()
      var disks: OffloadReport?
      if isAfterDisks {
        // As if a disk already had both files.
        disks = OffloadReport(
          source: rig.folder.path("card"), fileCount: 2, byteCount: 1, refused: [])
        disks?.destinations = [
          .init(
            folder: "/disk",
            files: ["a note.txt", "day1/A001C001.mov"].map {
              .init(path: $0, size: 1, xxh64: "0", wasPresent: false)
            }, manifest: "m")
        ]
      }
      let asked = Atomic(0)
      let report: OffloadReport
      let uploads = try uploads(rig, [store, store])
      do throws(ObjectStorageError) {
        report = try uploads.run(
          after: disks,
          isCancelled: { asked.add(1, ordering: .relaxed).newValue >= number })
      } catch {
        #expect(error.code == .interrupted && disks == nil, "check \(number): \(error.message)")
        continue
      }
      let isThere = Self.addresses.allSatisfy { address in
        let prefix = address.dropFirst("s3://takes/".count)
        return store.bytes("\(prefix)/a note.txt") == rig.small
          && store.bytes("\(prefix)/day1/A001C001.mov") == rig.take
      }
      #expect(!report.isSound || isThere, "check \(number)")
      #expect(report.isSound != report.wasInterrupted, "check \(number): \(report)")
      let copies = report.destinations.filter { $0.folder.hasPrefix("s3:") }
      #expect(copies.map(\.folder) == Self.addresses, "check \(number): each address is reported")
      for copy in copies where copy.files.isEmpty {
        emptyDestinations += 1
        #expect(!copy.isWhole(of: report.fileCount))
      }
      #expect(
        copies.allSatisfy { $0.files.isEmpty || $0.manifest != nil },
        "check \(number): complete files are in a manifest")
      partialDestinations += copies.count { $0.files.count == 1 }
      if !report.wasInterrupted { break }
      #expect(number < 600, "it never finished")
    }
    #expect(emptyDestinations > 0 && partialDestinations > 0)
  }

  @Test func an_unreachable_address_does_not_affect_the_others() throws {
    let rig = try StorageRig()
    let away = MemoryStore(fault: { _ in .unreachable })
    let store = MemoryStore()
    let report = try uploads(rig, [away, store]).run(after: nil)
    #expect(!report.isSound && !report.wasInterrupted)
    let whole = try #require(report.destinations.first { $0.folder == Self.addresses[1] })
    #expect(whole.isWhole(of: 2) && store.bytes("second/a note.txt") == rig.small)
    let lost = try #require(report.destinations.first { $0.folder == Self.addresses[0] })
    #expect(lost.failures.first?.message.contains("cannot be reached") == true)
    let error = #expect(throws: ObjectStorageError.self) {
      try uploads(rig, [away, away]).run(after: nil)
    }
    #expect(error?.code == .unreachable)
  }
}
