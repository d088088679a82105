import ASCMHL
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// Fetching objects into files.
struct FetchTests {
  /// A rig whose take is in a store; the store's requests may fail.
  private static func sent(
    _ fault: @escaping @Sendable (Int) -> MemoryStore.Fault? = { _ in nil }, knowsCRC: Bool = true
  ) throws -> (rig: TakeRig, store: MemoryStore) {
    let rig = try TakeRig()
    let clean = MemoryStore(knowsCRC: knowsCRC)
    #expect(try rig.upload(["take.mov"], to: clean).isSound)
    return (rig, MemoryStore(after: clean, fault: fault))
  }

  @Test(arguments: [true, false]) func uploaded_files_are_fetched_unchanged(knowsCRC: Bool) throws {
    let (rig, store) = try Self.sent(knowsCRC: knowsCRC)
    try rig.folder.write("frames", "job/parts/1/frames.mov")
    #expect(try rig.upload(["job"], to: store).isSound)
    let report = try rig.fetch(["s3://takes/day/take.mov", "s3://takes/day/job"], from: store)
    #expect(report.isSound, "\(report)")
    #expect(try rig.folder.bytes("back/take.mov") == rig.take)
    #expect(try rig.folder.bytes("back/take.mov.json") == rig.sidecar)
    #expect(try rig.folder.bytes("back/job/parts/1/frames.mov") == [UInt8]("frames".utf8))
    let again = try rig.fetch(["s3://takes/day/take.mov"], from: store)
    #expect(again.isSound && again.files.allSatisfy(\.wasPresent) && again.receivedByteCount == 0)
  }

  /// Each request fails once, some after half of their data has arrived.
  @Test func each_request_may_fail_and_nothing_is_received_twice() throws {
    let (whole, clean) = try Self.sent()
    #expect(try whole.fetch(["s3://takes/day/take.mov"], from: clean).isSound)
    for fault in [MemoryStore.Fault.cutAnswer, .lostRequest, .internalError] {
      for number in 0..<clean.callCount {
        let (rig, store) = try Self.sent { $0 == number ? fault : nil }
        let report = try rig.fetch(["s3://takes/day/take.mov"], from: store)
        #expect(report.isSound, "\(fault) \(number): \(report.failures)")
        #expect(try rig.folder.bytes("back/take.mov") == rig.take)
        #expect(report.receivedByteCount == rig.take.count + rig.sidecar.count)
      }
    }
  }

  /// The process ends before each request, and another process continues.
  @Test func an_interrupted_fetch_resumes_where_it_ended() throws {
    let (whole, clean) = try Self.sent()
    #expect(try whole.fetch(["s3://takes/day/take.mov"], from: clean).isSound)
    for number in 0..<clean.callCount {
      let isDead = Mutex(false)
      let (rig, first) = try Self.sent { call in
        guard call == number else { return nil }
        isDead.withLock { $0 = true }
        return .cutAnswer
      }
      let dying = DyingTransport(first, isDead: { isDead.withLock { $0 } })
      let before = try? rig.fetch(
        ["s3://takes/day/take.mov"], from: dying, isCancelled: { isDead.withLock { $0 } })
      #expect(try rig.folder.contentsOrNone("back").contains("take.mov") == false || number > 4)
      let after = try rig.fetch(["s3://takes/day/take.mov"], from: MemoryStore(after: first))
      #expect(after.isSound, "request \(number): \(after.failures)")
      #expect(try rig.folder.bytes("back/take.mov") == rig.take)
      #expect(
        (before?.receivedByteCount ?? 0) + after.receivedByteCount
          <= rig.take.count + rig.sidecar.count, "request \(number)")
      #expect(try rig.folder.contentsOrNone("back") == ["take.mov", "take.mov.json"])
    }
  }

  @Test(arguments: [true, false]) func a_damaged_object_is_refused(isNoticed: Bool) throws {
    let (rig, store) = try Self.sent()
    store.damage("day/take.mov", isNoticed: isNoticed)
    let report = try rig.fetch(["s3://takes/day/take.mov"], from: store)
    #expect(report.failures.map(\.path) == ["s3://takes/day/take.mov"])
    #expect(report.failures.first?.message.contains("is damaged") == true)
    #expect(try rig.folder.contentsOrNone("back") == ["take.mov.json"])
  }

  @Test func bytes_lost_in_a_crash_are_fetched_again() throws {
    let (rig, store) = try Self.sent { $0 >= 7 ? .cutAnswer : nil }
    #expect(try rig.fetch(["s3://takes/day/take.mov"], from: store).isWorthRetrying)
    let partial = try #require(
      rig.folder.contentsOrNone("back").first { $0.hasSuffix(".part") && !$0.contains("json") })
    let kept = try rig.folder.bytes("back/" + partial).count
    #expect(kept > 0)
    try rig.folder.write([UInt8](repeating: 0, count: kept), "back/" + partial)
    let report = try rig.fetch(["s3://takes/day/take.mov"], from: MemoryStore(after: store))
    #expect(report.isSound && report.receivedByteCount > rig.take.count)
    #expect(try rig.folder.bytes("back/take.mov") == rig.take)
  }

  @Test func an_existing_file_with_other_bytes_is_kept_and_reported() throws {
    let (rig, store) = try Self.sent()
    try rig.folder.write("mine", "back/take.mov")
    let report = try rig.fetch(["s3://takes/day/take.mov"], from: store)
    #expect(report.failures.map(\.code) == ["fileExists"])
    #expect(try rig.folder.bytes("back/take.mov") == [UInt8]("mine".utf8))
  }

  @Test func objects_without_a_checksum_are_reported_as_unchecked() throws {
    let rig = try TakeRig()
    let store = MemoryStore(knowsCRC: false)
    store.put([1, 2, 3], "foreign/a.bin")
    #expect(try rig.fetch(["s3://takes/foreign"], from: store).isSound, "its ETag is its MD5")
    store.put([1, 2, 3], "foreign/b.bin", tag: "0123456789abcdef0123456789abcdef-2")
    let report = try rig.fetch(["s3://takes/foreign"], from: store)
    #expect(report.unchecked == [rig.folder.path("back/foreign/b.bin")] && !report.isSound)
  }

  @Test func fetching_checks_manifests_and_rejects_escaping_names() throws {
    let rig = try TakeRig()
    let card = try StorageRig()
    let store = MemoryStore()
    #expect(try card.upload(to: store).isSound)
    // Its sender's metadata is correct, but the manifest lists something else.
    let other = try TakeRig(seed: 9)
    let sent = MemoryStore()
    #expect(try other.upload(["take.mov"], to: sent).isSound)
    store.put(sent, "day/take.mov", as: "card/a note.txt")
    store.put([1], "card/../../away.txt")
    let report = try rig.fetch(["s3://takes/card"], from: store)
    #expect(report.failures.count == 2, "\(report.failures)")
    #expect(report.failures.contains { $0.message.contains("by a manifest") })
    #expect(try rig.folder.bytes("back/card/day1/A001C001.mov") == card.take)
    #expect(!rig.folder.contents.contains("away.txt"))
    #expect(throws: ObjectStorageError.self) { try rig.fetch(["s3://takes/none"], from: store) }
  }
}
