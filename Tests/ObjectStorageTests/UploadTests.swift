import ASCMHL
import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ObjectStorage

/// Copies to a store whose requests fail as the tests specify.
struct UploadTests {
  private static let movie = "card/day1/A001C001.mov"

  private func expectWhole(
    _ rig: StorageRig, _ store: MemoryStore, _ what: Comment,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(store.bytes(Self.movie) == rig.take, what, sourceLocation: location)
    #expect(store.bytes("card/a note.txt") == rig.small, what, sourceLocation: location)
    #expect(store.uploadCount == 0, what, sourceLocation: location)
  }

  @Test func a_folder_is_copied_with_its_manifest() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    let report = try rig.upload(to: store)
    #expect(report.isSound)
    expectWhole(rig, store, "")
    #expect(store.keys.contains("card/ascmhl/ascmhl_chain.xml"))
    #expect(store.storedPartCount == 7 && store.mostOftenStored == 1)
    #expect(try rig.verify(store).isSound)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("state")).isEmpty,
      "the state of a finished upload is removed")
  }

  @Test func existing_objects_are_compared_and_not_sent_again() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    let again = try rig.upload(to: store)
    #expect(again.isSound && again.destinations[0].files.allSatisfy(\.wasPresent))
    #expect(store.storedPartCount == 7)
    #expect(try rig.verify(store).manifestCount == 2)
  }

  @Test(arguments: [true, false]) func objects_with_other_bytes_are_refused_and_kept(knowsCRC: Bool)
    throws
  {
    let rig = try StorageRig()
    let store = MemoryStore(knowsCRC: knowsCRC)
    let other = [UInt8](repeating: 1, count: rig.take.count)
    store.put(other, Self.movie)
    let report = try rig.upload(to: store)
    #expect(!report.isSound && store.bytes(Self.movie) == other)
    let failure = try #require(report.destinations.first?.failures.first)
    #expect(failure.path == "day1/A001C001.mov" && failure.message.contains("different content"))
  }

  /// Each request fails once, in each way: nothing is lost, and nothing that arrived is sent again.
  @Test(.tags(.slow), arguments: MemoryStore.Fault.allCases, [true, false])
  func each_request_may_fail_once(fault: MemoryStore.Fault, knowsCRC: Bool) throws {
    let clean = MemoryStore(knowsCRC: knowsCRC)
    _ = try StorageRig().upload(to: clean)
    #expect(clean.callCount >= 20)
    for number in 0..<clean.callCount where TestRun.isThorough || knowsCRC || number % 3 == 0 {
      let rig = try StorageRig()
      let store = MemoryStore(knowsCRC: knowsCRC, fault: { $0 == number ? fault : nil })
      let report = try rig.upload(to: store)
      #expect(report.isSound, "request \(number): \(report.destinations.map(\.failures))")
      expectWhole(rig, store, "request \(number)")
      #expect(store.mostOftenStored == 1, "request \(number)")
    }
  }

  /// The process ends before each request, or just after the request was carried out.
  @Test(arguments: [true, false]) func an_interrupted_upload_resumes(isCarriedOut: Bool) throws {
    let clean = MemoryStore()
    _ = try StorageRig().upload(to: clean)
    for number in 0..<clean.callCount {
      let rig = try StorageRig()
      let isDead = Mutex(false)
      let first = MemoryStore(fault: { call in
        guard call == number else { return nil }
        isDead.withLock { $0 = true }
        return isCarriedOut ? .lostAnswer : .lostRequest
      })
      let dying = DyingTransport(first, isDead: { isDead.withLock { $0 } })
      _ = try? rig.upload(to: dying, isCancelled: { isDead.withLock { $0 } })
      let second = MemoryStore(after: first)
      let report = try rig.upload(to: second)
      #expect(report.isSound, "request \(number): \(report.destinations.map(\.failures))")
      expectWhole(rig, second, "request \(number)")
      #expect(second.mostOftenStored == 1, "request \(number)")
      #expect(try rig.verify(second).isSound, "request \(number)")
    }
  }

  @Test func an_upload_that_cannot_be_aborted_is_reported_and_aborted_later() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    let isDead = Mutex(false)
    let dying = DyingTransport(
      store, isDead: { isDead.withLock { $0 } },
      before: { request in
        guard request.query.contains(where: { $0.0 == "partNumber" && $0.1 == "3" }) else { return }
        isDead.withLock { $0 = true }
      })
    _ = try? rig.upload(to: dying, isCancelled: { isDead.withLock { $0 } })
    #expect(store.uploadCount == 1)
    // Another program writes the object in the meantime.
    store.put(rig.take, Self.movie)
    let refusing = AnsweringTransport(store) {
      $0.method == "DELETE" ? .refusal(403, "AccessDenied") : nil
    }
    let report = try rig.upload(to: refusing)
    #expect(report.notes.contains { $0.contains("cannot be aborted") }, "\(report.notes)")
    #expect(store.uploadCount == 1)
    #expect(try rig.upload(to: store).isSound && store.uploadCount == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("state")).isEmpty)
  }

  @Test func a_store_without_conditional_writes_is_reported_and_still_works() throws {
    let rig = try StorageRig()
    let store = MemoryStore(knowsCRC: false, refusesConditions: true)
    let report = try rig.upload(to: store)
    #expect(report.isSound && report.notes.contains { $0.contains("If-None-Match") })
    expectWhole(rig, store, "")
  }

  @Test func a_missing_bucket_is_named_and_ends_the_copy() throws {
    let rig = try StorageRig()
    let error = #expect(throws: ObjectStorageError.self) {
      try rig.upload(to: MemoryStore(), "s3://gone/card")
    }
    #expect(error?.code == .bucketNotFound && error?.message.contains("s3://gone") == true)
  }

  @Test func a_server_that_stays_unreachable_is_reported() throws {
    let rig = try StorageRig()
    let store = MemoryStore(fault: { $0 >= 5 ? .unreachable : nil })
    let report = try rig.upload(to: store)
    let failures = try #require(report.destinations.first?.failures)
    #expect(!report.isSound && failures.contains { $0.message.contains("cannot be reached") })
  }

  @Test func a_file_changing_during_the_upload_is_not_taken_for_intact() throws {
    let rig = try StorageRig()
    let store = MemoryStore(fault: { _ in nil })
    let changed = Mutex(false)
    let changing = DyingTransport(
      store, isDead: { false },
      before: { request in
        guard request.query.contains(where: { $0.0 == "partNumber" && $0.1 == "3" }) else { return }
        guard
          changed.withLock({
            let was = $0; $0 = true; return !was
          })
        else { return }
        try? rig.folder.damage("card/day1/A001C001.mov")
      })
    let report = try rig.upload(to: changing)
    #expect(!report.isSound)
    #expect(store.bytes(Self.movie) == nil || store.bytes(Self.movie) == rig.take)
  }

  @Test func damaged_objects_are_found() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    store.damage(Self.movie, isNoticed: true)
    let report = try rig.verify(store)
    #expect(report.damaged.map(\.path) == ["day1/A001C001.mov"] && !report.isSound)
    store.damage("card/a note.txt", isNoticed: false)
    #expect(try rig.verify(store, reads: true).damaged.count == 2)
  }

  @Test func a_foreign_object_is_unchecked_unless_read() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    #expect(try rig.upload(to: store).isSound)
    store.put(rig.take, Self.movie)
    let report = try rig.verify(store)
    #expect(report.unchecked == ["day1/A001C001.mov"] && !report.isSound)
    #expect(try rig.verify(store, reads: true).isSound)
  }

  @Test func objects_are_locked_on_request() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    var settings = rig.settings
    settings.lockDuration = 2e9
    settings.client.now = { 2e9 }
    #expect(try rig.upload(to: store, settings: settings).isSound)
    for key in store.keys { #expect(store.lockedUntil(key) == "2096-10-02T07:06:40Z", "\(key)") }
  }

  @Test func a_lock_shorter_than_requested_is_extended() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    var settings = rig.settings
    settings.lockDuration = 86_400
    settings.client.now = { 1e9 }
    #expect(try rig.upload(to: store, settings: settings).isSound)
    let short = store.lockedUntil(Self.movie)
    settings.lockDuration = 1e9
    #expect(try rig.upload(to: store, settings: settings).isSound)
    #expect(short == "2001-09-10T01:46:40Z")
    #expect(store.lockedUntil(Self.movie) == "2033-05-18T03:33:20Z")
    // The same command repeated soon after accepts the existing lock.
    settings.client.now = { 1e9 + 3600 }
    #expect(try rig.upload(to: store, settings: settings).isSound)
    #expect(store.lockedUntil(Self.movie) == "2033-05-18T03:33:20Z")
    // A server that does not extend the lock is reported.
    settings.lockDuration = 2e9
    let deaf = AnsweringTransport(store) { request in
      request.query.contains { $0.0 == "retention" } ? .refusal(400, "InvalidRequest") : nil
    }
    let failures = try rig.upload(to: deaf, settings: settings).destinations[0].failures
    #expect(failures.first?.message.contains("is not locked until") == true, "\(failures)")
  }

  /// A process that runs for days, as with `--keep-trying`, locks each object from the time of its upload.
  @Test func each_object_is_locked_from_the_time_of_its_upload() throws {
    let rig = try StorageRig()
    let store = MemoryStore()
    let time = TestClock()
    var settings = rig.settings
    settings.lockDuration = 1e9
    settings.client.now = {
      time.pass(86_400)
      return 1e9 + time.now
    }
    #expect(try rig.upload(to: store, settings: settings).isSound)
    let stamps = [Self.movie, "card/a note.txt"].compactMap { store.lockedUntil($0) }
    #expect(Set(stamps).count == 2, "\(stamps)")
  }

  /// A server that lacks something other than conditions is reported in its words and not retried.
  @Test(arguments: [Self.movie, "card/a note.txt"])
  func an_unsupported_request_is_not_taken_for_a_lost_object(key: String) throws {
    let rig = try StorageRig()
    let server = AnsweringTransport(MemoryStore()) { request in
      guard ["PUT", "POST"].contains(request.method),
        !request.query.contains(where: { $0.0 == "uploads" }),
        PercentEncoding.decode(request.path).hasSuffix(key)
      else { return nil }
      return .xml(
        "<Error><Code>NotImplemented</Code><Message>no such header</Message></Error>", status: 501)
    }
    let failures = try rig.upload(to: server).destinations[0].failures
    #expect(failures.count == 1 && failures.first?.code == "requestRefused", "\(failures)")
    #expect(failures.first?.message.contains("no such header") == true)
  }

  @Test(arguments: [
    "md5": "900150983cd24fb0d6963f7d28e17f72", "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "xxh128": "06b05ab6733a618578af5f94892f3950", "xxh64": "44bc2cf5ad770999",
  ])
  func a_file_that_contradicts_the_manifest_of_the_card_is_not_sent(
    format: String, ofABC: String
  ) throws {
    for (content, isSound) in [("abd", false), ("abc", true)] {
      let rig = try StorageRig()
      let store = MemoryStore()
      try rig.folder.write(content, "card/a.mov")
      try rig.writeManifest(
        "<hash><path size=\"3\">a.mov</path><\(format)>\(ofABC)</\(format)></hash>")
      let report = try rig.upload(to: store)
      #expect(report.isSound == isSound, "\(report)")
      #expect(store.keys.contains("card/a.mov") == isSound)
      let failures = report.destinations[0].failures
      #expect(isSound || failures.map(\.code) == ["sourceFailed"], "\(failures)")
    }
  }

  @Test func a_hash_of_unknown_format_is_reported_as_not_compared() throws {
    let rig = try StorageRig()
    try rig.folder.write("abc", "card/a.mov")
    try rig.writeManifest("<hash><path size=\"3\">a.mov</path><crc32>352441c2</crc32></hash>")
    let report = try rig.upload(to: MemoryStore())
    #expect(report.isSound && report.notes.contains { $0.hasPrefix("a.mov: not compared") })
  }

  /// As on a network share whose server has no locks.
  @Test func a_file_system_without_locks_is_not_mistaken_for_a_busy_upload() {
    func failure(_ error: Errno) -> ObjectStorageError {
      UploadJournal.lockFailure("/home/uploads/a.json.lock", "s3://takes/a.mov", error)
    }
    #expect(failure(.wouldBlock).code == .busy)
    let error = failure(.noLocks)
    #expect(error.code == .stateFailed && error.errno == .noLocks)
    #expect(error.message.hasPrefix("/home/uploads/a.json.lock: cannot be locked: "))
    #expect(error.message.hasSuffix("; name another folder with XDG_STATE_HOME"))
  }
}

/// A transport that stops with its process, or does something before a request.
final class DyingTransport: ObjectTransport {
  private let store: any ObjectTransport
  private let isDead: @Sendable () -> Bool
  private let before: @Sendable (StorageRequest) -> Void

  init(
    _ store: any ObjectTransport, isDead: @escaping @Sendable () -> Bool,
    before: @escaping @Sendable (StorageRequest) -> Void = { _ in }
  ) {
    (self.store, self.isDead, self.before) = (store, isDead, before)
  }

  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer {
    if isDead() { throw TransportFailure(.impossible, "the process has ended") }
    before(request)
    return try store.send(request, isCancelled: isCancelled)
  }
}
