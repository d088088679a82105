import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// Movies that wait to be sent.
struct QueueTests {
  private func run(
    _ rig: TakeRig, _ store: any ObjectTransport,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> UploadReport? {
    let copy = try rig.copy(to: "s3://takes/day", store)
    return try QueuedUpload(rig.queue) { () throws(ObjectStorageError) in copy }
      .run(isCancelled: isCancelled)
  }

  @Test func what_waits_is_sent_and_what_fails_waits_on_with_its_reason() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    try rig.folder.write("other", "b.mov")
    store.put([1], "day/b.mov")
    try rig.queue.add(rig.path("take.mov"))
    let failing = try rig.queue.add(rig.path("b.mov"))
    let report = try #require(try run(rig, store))
    #expect(report.files.count == 2 && report.failures.map(\.code) == ["objectExists"])
    #expect(try rig.queue.names() == [failing])
    #expect(try rig.queue.entry(failing)?.failure?.code == "objectExists")
    #expect(store.bytes("day/take.mov") == rig.take)
    try rig.folder.write("other", "c.mov")
    #expect(try run(rig, MemoryStore())?.isSound == true)
    #expect(try rig.queue.isEmpty)
  }

  /// A folder in the lock's place, for root may open any file.
  @Test func a_queue_that_cannot_be_locked_is_told_and_not_taken_for_one_under_way() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"))
    try FileManager.default.createDirectory(
      atPath: try rig.queue.folder + "/lock", withIntermediateDirectories: false)
    let error = #expect(throws: ObjectStorageError.self) { try run(rig, MemoryStore()) }
    #expect(error?.code == .stateFailed && error?.message.contains("/lock") == true)
    #expect(try !QueuedUpload.isUnderWay(rig.queue))
  }

  @Test func missing_credentials_are_told_in_each_entry() throws {
    let rig = try TakeRig()
    let name = try rig.queue.add(rig.path("take.mov"))
    let report = try QueuedUpload(rig.queue) { () throws(ObjectStorageError) in
      throw ObjectStorageError(.invalidCredentials, "no credentials")
    }.run()
    #expect(report?.failures.count == 1)
    #expect(try rig.queue.entry(name)?.failure?.code == "invalidCredentials")
  }

  /// The process ends before each request; the movie is in one of the two places at all times.
  @Test func a_queue_goes_on_after_an_end_and_loses_nothing() throws {
    let clean = MemoryStore()
    let whole = try TakeRig()
    try whole.queue.add(whole.path("take.mov"), removesVerified: true)
    #expect(try run(whole, clean)?.isSound == true && whole.folder.contents == ["state"])
    for number in 0..<clean.callCount {
      let rig = try TakeRig()
      try rig.queue.add(rig.path("take.mov"), removesVerified: true)
      let isDead = Mutex(false)
      let first = MemoryStore(fault: { call in
        guard call == number else { return nil }
        isDead.withLock { $0 = true }
        return .lostAnswer
      })
      let dying = DyingTransport(first, isDead: { isDead.withLock { $0 } })
      _ = try run(rig, dying, isCancelled: { isDead.withLock { $0 } })
      #expect(rig.folder.contents.contains("take.mov") || first.bytes("day/take.mov") == rig.take)
      let second = MemoryStore(after: first)
      #expect(try run(rig, second)?.isSound == true, "request \(number)")
      #expect(second.bytes("day/take.mov") == rig.take && second.mostOftenStored == 1)
      #expect(try rig.queue.isEmpty && rig.folder.contents == ["state"])
    }
  }

  @Test func a_movie_that_was_removed_before_a_kill_is_no_failure() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    let name = try rig.queue.add(rig.path("take.mov"), removesVerified: true)
    var entry = try #require(try rig.queue.entry(name))
    entry.isVerified = true
    try rig.queue.write(entry, name)
    try FileManager.default.removeItem(atPath: rig.path("take.mov"))
    #expect(try run(rig, store)?.isSound == true)
    #expect(store.keys == ["day/take.mov.json"] && rig.folder.contents == ["state"])
    #expect(try rig.queue.isEmpty)
  }

  @Test func a_dispatcher_hands_over_tells_failures_once_and_waits_for_nobody() async throws {
    let rig = try TakeRig()
    let lines = Mutex<[String]>([])
    // What works off the queue does nothing here: the test does.
    let dispatcher = UploadDispatcher(
      try rig.queue, removesVerified: false, program: "/bin/true", words: ["true"]
    ) {
      line in lines.withLock { $0.append(line) }
    }
    dispatcher.add(rig.path("take.mov"))
    try await eventually("it waits") { try !rig.queue.isEmpty }
    #expect(dispatcher.movies([rig.path("take.mov")]).map(\.state) == [.waiting])
    #expect(try run(rig, MemoryStore(fault: { _ in .unreachable }))?.isSound == false)
    try await eventually("it is told") { !lines.withLock { $0 }.isEmpty }
    #expect(dispatcher.movies([rig.path("take.mov")]).map(\.state) == [.failed])
    #expect(try run(rig, MemoryStore())?.isSound == true)
    #expect(dispatcher.leave() == 0)
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first }?.contains("take.mov") == true)
  }
}
