import ASCMHL
import Foundation
import Glibc
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// Takes, segments and folders of jobs, sent by name.
struct FileUploadTests {
  @Test func a_take_is_sent_once_with_its_sidecar() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    let report = try rig.upload(["take.mov"], to: store)
    #expect(report.isSound && report.files.map(\.wasPresent) == [false, false])
    #expect(store.keys == ["day/take.mov", "day/take.mov.json"])
    #expect(store.bytes("day/take.mov") == rig.take)
    let sent = store.storedPartCount
    let again = try rig.upload(["take.mov"], to: store)
    #expect(again.isSound && again.files.allSatisfy(\.wasPresent) && again.sentByteCount == 0)
    #expect(store.storedPartCount == sent && store.mostOftenStored == 1)
  }

  @Test func a_movie_that_contradicts_its_sidecar_is_not_sent() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    try rig.folder.damage("take.mov")
    let report = try rig.upload(["take.mov"], to: store)
    #expect(report.failures.map(\.path) == [rig.path("take.mov"), rig.path("take.mov.json")])
    #expect(report.failures.first?.message.contains("is damaged") == true)
    #expect(store.keys.isEmpty && !report.isWorthRetrying)
  }

  @Test func a_movie_changed_after_its_upload_is_reported() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    #expect(try rig.upload(["take.mov"], to: store).isSound)
    Thread.sleep(forTimeInterval: 0.02)
    try rig.folder.damage("take.mov")
    #expect(try rig.upload(["take.mov"], to: store, removes: true).isSound == false)
    #expect(try rig.upload(["take.mov"], to: store).isSound == false)
    #expect(rig.folder.contents.contains("take.mov"))
  }

  /// A file that is not read is not recognized as changed.
  @Test func a_resumed_upload_does_not_reread_sent_files_but_a_new_one_does() throws {
    let rig = try TakeRig()
    for name in ["a.bin", "b.bin"] { try rig.folder.write([UInt8](rig.take.reversed()), name) }
    let clean = MemoryStore()
    #expect(try rig.upload(["a.bin"], to: clean).isSound)
    let first = MemoryStore(fault: { $0 >= clean.callCount ? .unreachable : nil })
    let cut = try rig.upload(["a.bin", "b.bin"], to: first)
    #expect(cut.files.map(\.path) == [rig.path("a.bin")] && cut.isWorthRetrying)
    let old = URL(filePath: rig.path("a.bin"))
    var status = stat()
    #expect(stat(old.path, &status) == 0)
    try rig.folder.damage("a.bin")
    var times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, old.path, &times, 0) == 0)
    let second = MemoryStore(after: first)
    let rest = try rig.upload(["a.bin", "b.bin"], to: second)
    #expect(rest.isSound && rest.files.map(\.wasPresent) == [true, false])
    let third = try rig.upload(["a.bin", "b.bin"], to: second)
    #expect(
      third.failures.map(\.code) == ["objectExists"], "its record ended with the command")
  }

  @Test func a_movie_still_being_recorded_is_not_sent() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    try rig.writeSidecar(state: "recording")
    let report = try rig.upload(["take.mov"], to: store)
    #expect(report.failures.first?.message.contains("is being recorded") == true)
    #expect(store.keys.isEmpty)
  }

  /// The movie fails and its sidecar waits for it; another call may send both.
  @Test func a_take_refused_by_an_overloaded_server_is_worth_retrying() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    let troubled = AnsweringTransport(store) { request in
      let isPart = request.query.contains { $0.0 == "partNumber" && $0.1 == "3" }
      return isPart && request.method == "PUT" ? .refusal(503, "SlowDown") : nil
    }
    let report = try rig.upload(["take.mov"], to: troubled)
    #expect(report.failures.map(\.path) == [rig.path("take.mov"), rig.path("take.mov.json")])
    #expect(report.isWorthRetrying, "\(report.failures)")
    #expect(try rig.upload(["take.mov"], to: store).isSound && store.mostOftenStored == 1)
  }

  @Test func an_interruption_while_contacting_the_store_takes_effect_immediately() throws {
    let rig = try TakeRig()
    let store = MemoryStore(fault: { _ in .overload })
    let error = #expect(throws: ObjectStorageError.self) {
      try rig.upload(["take.mov"], to: store) { store.callCount >= 2 }
    }
    #expect(error?.code == .interrupted && store.callCount == 2)
  }

  @Test func an_object_with_other_bytes_is_reported_and_both_copies_kept() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    store.put([1, 2, 3], "day/take.mov")
    let report = try rig.upload(["take.mov"], to: store, removes: true)
    #expect(report.failures.first?.code == "objectExists")
    #expect(report.failures.first?.message.contains("s3://takes/day/take.mov") == true)
    #expect(store.keys == ["day/take.mov"] && store.bytes("day/take.mov") == [1, 2, 3])
    #expect(rig.folder.contents.contains("take.mov"))
  }

  /// From each request on, all fail: a removed file must have its bytes in the store.
  @Test func a_file_is_removed_only_once_its_object_is_verified() throws {
    let clean = MemoryStore()
    let whole = try TakeRig()
    let report = try whole.upload(["take.mov"], to: clean, removes: true)
    #expect(report.isSound && report.files.allSatisfy(\.wasRemoved))
    #expect(whole.folder.contents == ["state"])
    for number in 0..<clean.callCount {
      let rig = try TakeRig()
      let store = MemoryStore(fault: { $0 >= number ? .unreachable : nil })
      _ = try? rig.upload(["take.mov"], to: store, removes: true)
      for (name, bytes) in [("take.mov", rig.take), ("take.mov.json", rig.sidecar)]
      where !rig.folder.contents.contains(name) {
        #expect(store.bytes("day/\(name)") == bytes, "request \(number)")
      }
      let again = MemoryStore(after: store)
      #expect(try rig.upload(["take.mov"], to: again).isSound, "request \(number)")
      #expect(again.mostOftenStored == 1, "request \(number)")
    }
  }

  /// `isCancelled` is called at each step; the upload is stopped at each of these calls in turn.
  @Test func a_movie_and_its_sidecar_are_removed_together() throws {
    var interruptionsBetweenTheTwo = 0
    for number in 1...200 {
      let rig = try TakeRig()
      let store = MemoryStore()
      let asked = Atomic(0)
      let result = Result {
        try rig.upload(["take.mov"], to: store, removes: true) {
          asked.add(1, ordering: .relaxed).newValue >= number
        }
      }
      let left = ["take.mov", "take.mov.json"].filter(rig.folder.contents.contains)
      #expect(left.isEmpty || left.count == 2, "stopped at check \(number): \(left) remains")
      // It was stopped while looking for the bucket.
      if case .failure(let error as ObjectStorageError) = result, error.code == .interrupted {
        continue
      }
      let report = try result.get()
      if report.files.count == 1 { interruptionsBetweenTheTwo += 1 }
      if !report.wasInterrupted { break }
      #expect(number < 200, "it never finished")
    }
    #expect(interruptionsBetweenTheTwo > 0)
  }

  @Test func a_folder_is_sent_without_unfinished_parts_and_records_last() throws {
    let rig = try TakeRig()
    let order = Mutex<[String]>([])
    let store = MemoryStore()
    try rig.folder.write("plan", "job/plan.json")
    try rig.folder.write("frames", "job/parts/000001/frames.mov")
    try rig.folder.write("record", "job/parts/000001/part.json")
    try rig.folder.write("half", "job/parts/.work-000002-x/frames.mov")
    let watched = DyingTransport(
      store, isDead: { false },
      before: { request in
        if request.method == "PUT" { order.withLock { $0.append(request.path) } }
      })
    let report = try rig.upload(["job"], to: watched)
    #expect(report.isSound && report.notes.count == 1)
    #expect(report.notes.first?.hasPrefix("1 file is left out") == true, "\(report.notes)")
    #expect(
      store.keys
        == [
          "day/job/parts/000001/frames.mov", "day/job/parts/000001/part.json", "day/job/plan.json",
        ])
    #expect(order.withLock { $0.first }?.hasSuffix("frames.mov") == true)
  }

  @Test func a_record_is_not_sent_without_its_file() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    try rig.folder.write("frames", "job/000001/frames.mov")
    try rig.folder.write("record", "job/000001/part.json")
    store.put([9], "day/job/000001/frames.mov")
    let report = try rig.upload(["job"], to: store)
    #expect(report.failures.count == 2 && store.keys == ["day/job/000001/frames.mov"])
  }

  @Test func the_first_of_two_records_of_one_part_is_kept() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    func record(_ host: String, frames: String = "\"a\"") -> String {
      "{\"schema\":\"prores-recorder/encode-part\",\"part\":1,\"plan\":\"p\",\"fileSize\":2,"
        + "\"xxHash64\":\"x\",\"frames\":[\(frames)],\"work\":{\"host\":\"\(host)\"}}"
    }
    try rig.folder.write(record("one"), "job/1/part.json")
    #expect(try rig.upload(["job"], to: store).isSound)
    try rig.folder.write(record("two"), "job/1/part.json")
    let second = try rig.upload(["job"], to: store)
    #expect(second.isSound && second.notes.first?.contains("another worker") == true)
    #expect(store.bytes("day/job/1/part.json") == [UInt8](record("one").utf8))
    try rig.folder.write(record("two", frames: "\"b\""), "job/1/part.json")
    #expect(try rig.upload(["job"], to: store).failures.map(\.code) == ["objectExists"])
  }

  @Test func the_lock_of_an_upload_begun_earlier_is_accepted() throws {
    let rig = try TakeRig()
    let first = MemoryStore(fault: { $0 >= 6 ? .unreachable : nil })
    var settings = rig.settings
    settings.lockDuration = 2e9
    settings.client.now = { 2e9 }
    #expect(try rig.upload(["take.mov"], to: first, settings: settings).isWorthRetrying)
    settings.client.now = { 2e9 + 100 }
    let second = MemoryStore(after: first)
    #expect(try rig.upload(["take.mov"], to: second, settings: settings).isSound)
    #expect(second.mostOftenStored == 1 && second.uploadCount == 0)
  }

  @Test func the_copy_of_a_file_is_verified_by_its_sidecar() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    #expect(try rig.upload(["take.mov"], to: store).isSound)
    #expect(try rig.verifyCopy(store).verifiedCount == 2)
    #expect(try rig.verifyCopy(store, "s3://takes/day/take.mov").isSound)
    #expect(try rig.verifyCopy(store, reads: true).isSound)
    store.damage("day/take.mov", isNoticed: false)
    #expect(try rig.verifyCopy(store).isSound)
    #expect(
      try rig.verifyCopy(store, reads: true).damaged.map(\.path) == ["s3://takes/day/take.mov"])
    store.damage("day/take.mov.json", isNoticed: true)
    #expect(try rig.verifyCopy(store).damaged.map(\.path) == ["s3://takes/day/take.mov.json"])
    #expect(try rig.verifyCopy(store, "s3://takes/else").missing.count == 2)
  }
}
