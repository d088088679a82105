import Foundation
import Glibc
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// Movies waiting to be sent.
struct QueueTests {
  private func run(
    _ rig: TakeRig, _ store: any ObjectTransport,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> UploadReport? {
    let copy = try rig.copy(to: "s3://takes/day", store)
    return try QueuedUpload(rig.queue) { () throws(ObjectStorageError) in copy }
      .run(isCancelled: isCancelled)
  }

  @Test func queued_movies_are_sent_and_failures_stay_queued() throws {
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

  /// A folder in place of the lock file, because root may open any file.
  @Test func an_unlockable_queue_is_reported_and_not_taken_for_busy() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"))
    try FileManager.default.createDirectory(
      atPath: try rig.queue.folder + "/lock", withIntermediateDirectories: false)
    let error = #expect(throws: ObjectStorageError.self) { try run(rig, MemoryStore()) }
    #expect(error?.code == .stateFailed)
    #expect(error?.message.contains("/lock: cannot be opened: ") == true)
    #expect(error?.message.hasSuffix("; name another folder with XDG_STATE_HOME") == true)
    #expect(try !QueuedUpload.isUnderWay(rig.queue))
  }

  @Test func a_queue_locked_by_another_process_is_left_to_it() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"))
    let queue = try rig.queue
    let other = open(queue.folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(other) }
    try #require(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
    try #require(write(other, "leaves receipts\n", 16) == 16)
    #expect(try run(rig, MemoryStore()) == nil)
    #expect(QueuedUpload.isUnderWay(queue) && !QueuedUpload.isEarlierUnderWay(queue))
  }

  @Test func missing_credentials_are_recorded_in_each_entry() throws {
    let rig = try TakeRig()
    let name = try rig.queue.add(rig.path("take.mov"))
    let report = try QueuedUpload(rig.queue) { () throws(ObjectStorageError) in
      throw ObjectStorageError(.invalidCredentials, "no credentials")
    }.run()
    #expect(report?.failures.count == 1)
    #expect(try rig.queue.entry(name)?.failure?.code == "invalidCredentials")
  }

  /// The process ends before each request; at any time the movie is in at least one of the two places.
  @Test func an_interrupted_queue_resumes_without_loss() throws {
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

  /// Sends the queue like the process that a recorder starts.
  private func keepTrying(
    _ rig: TakeRig, _ store: any ObjectTransport, mayGetNewCredentials: Bool = true,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    second: @escaping @Sendable () -> Void = {}
  ) throws -> (report: UploadReport?, pauses: [Int]) {
    let copy = try rig.copy(to: "s3://takes/day", store)
    var upload = QueuedUpload(try rig.queue) { () throws(ObjectStorageError) in copy }
    let pauses = Mutex<[Int]>([])
    upload.willWait = { seconds, _ in pauses.withLock { $0.append(seconds) } }
    upload.waitSecond = second
    upload.mayGetNewCredentials = mayGetNewCredentials
    let report = try upload.run(isCancelled: isCancelled)
    return (report, pauses.withLock { $0 })
  }

  /// A token in the process's own environment never changes, but the next process may have a new one.
  @Test func a_process_without_fresh_credentials_leaves_the_queue() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"), removesVerified: true)
    let store = AnsweringTransport(MemoryStore()) { _ in .refusal(400, "ExpiredToken") }
    let (report, pauses) = try keepTrying(rig, store, mayGetNewCredentials: false)
    #expect(report?.failures.first?.code == "credentialsExpired" && pauses.isEmpty)
    let (rest, _) = try keepTrying(rig, MemoryStore())
    #expect(rest?.isSound == true)
    #expect(try rig.queue.isEmpty)
  }

  @Test func a_long_network_outage_is_waited_for_without_duplicate_uploads() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"), removesVerified: true)
    // The network fails in the middle of the movie, for much longer than a request waits.
    let isBack = Atomic(false)
    let seconds = Atomic(0)
    let store = MemoryStore(
      fault: { $0 >= 8 && !isBack.load(ordering: .relaxed) ? .unreachable : nil })
    let (report, pauses) = try keepTrying(
      rig, store,
      second: {
        if seconds.add(1, ordering: .relaxed).newValue == 1000 {
          isBack.store(true, ordering: .relaxed)
        }
      })
    #expect(report?.isSound == true && report?.files.count == 2, "\(String(describing: report))")
    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
    #expect(store.bytes("day/take.mov") == rig.take && store.mostOftenStored == 1)
    #expect(try rig.queue.isEmpty && rig.folder.contents == ["state"])
  }

  @Test func a_bucket_created_later_receives_what_waits() throws {
    let rig = try TakeRig()
    let name = try rig.queue.add(rig.path("take.mov"), removesVerified: true)
    let queue = try rig.queue
    let seconds = Atomic(0)
    let store = MemoryStore()
    let reasons = Mutex<Set<String>>([])
    let bucketless = AnsweringTransport(store) { _ in
      seconds.load(ordering: .relaxed) < 30 ? .refusal(404, "NoSuchBucket") : nil
    }
    let (report, pauses) = try keepTrying(
      rig, bucketless,
      second: {
        seconds.add(1, ordering: .relaxed)
        // While it waits, the queue says what for.
        let failure = (try? queue.entry(name))?.failure
        reasons.withLock { _ = $0.insert(failure?.code ?? "") }
      })
    #expect(report?.isSound == true && report?.files.count == 2, "\(String(describing: report))")
    #expect(pauses == [5, 10, 20])
    #expect(reasons.withLock { $0 } == ["bucketNotFound"])
    #expect(store.bytes("day/take.mov") == rig.take)
    #expect(try rig.queue.isEmpty && rig.folder.contents == ["state"])
  }

  @Test func permanent_refusals_are_not_waited_for() throws {
    let rig = try TakeRig()
    let store = MemoryStore()
    store.put([1], "day/take.mov")
    try rig.queue.add(rig.path("take.mov"))
    let (report, pauses) = try keepTrying(rig, store)
    #expect(report?.failures.first?.code == "objectExists" && pauses.isEmpty)
  }

  @Test func movies_added_during_a_pause_are_sent_immediately() throws {
    let rig = try TakeRig()
    let queue = try rig.queue
    try rig.folder.write("new", "new.mov")
    let new = rig.path("new.mov")
    try queue.add(rig.path("take.mov"))
    let seconds = Atomic(0)
    let newAt = Atomic(0)
    let store = MemoryStore()
    let troubled = AnsweringTransport(store) { request in
      if request.method == "PUT", request.path.hasSuffix("new.mov") {
        newAt.store(seconds.load(ordering: .relaxed), ordering: .relaxed)
      }
      let isTake = request.method == "HEAD" && request.path.hasSuffix("take.mov")
      return isTake && seconds.load(ordering: .relaxed) < 60 ? .refusal(503, "SlowDown") : nil
    }
    let (report, pauses) = try keepTrying(
      rig, troubled,
      second: {
        // During the third pause, which lasts 20 s.
        if seconds.add(1, ordering: .relaxed).newValue == 17 { _ = try? queue.add(new) }
      })
    #expect(report?.isSound == true && newAt.load(ordering: .relaxed) == 17)
    #expect(pauses.prefix(5) == [5, 10, 20, 5, 10])
  }

  @Test func a_signal_ends_the_pause() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"))
    let seconds = Atomic(0)
    let (report, pauses) = try keepTrying(
      rig, MemoryStore(fault: { _ in .unreachable }),
      isCancelled: { seconds.load(ordering: .relaxed) >= 7 },
      second: { seconds.add(1, ordering: .relaxed) })
    #expect(report?.wasInterrupted == true && report?.isWorthRetrying == true)
    #expect(pauses == [5, 10] && seconds.load(ordering: .relaxed) == 7)
    #expect(try rig.queue.names().count == 1)
  }

  @Test func an_untrusted_server_is_not_waited_for() throws {
    let rig = try TakeRig()
    try rig.queue.add(rig.path("take.mov"))
    let (report, pauses) = try keepTrying(rig, UntrustedServer())
    #expect(pauses.isEmpty && report?.isSound == false && report?.isWorthRetrying == false)
    #expect(report?.failures.first?.code == "untrustedServer")
    // Nothing is lost: it is sent once the certificates are configured.
    #expect(try rig.queue.names().count == 1)
    #expect(try run(rig, MemoryStore())?.isSound == true)
  }

  @Test func a_movie_queued_for_another_server_is_reported_and_kept() throws {
    let rig = try TakeRig()
    let terms = UploadTerms(server: "https://elsewhere.example")
    let name = try rig.queue.add(rig.path("take.mov"), removesVerified: true, terms: terms)
    let store = MemoryStore()
    let report = try #require(try run(rig, store))
    #expect(report.failures.first?.code == "invalidArgument" && !report.isSound)
    #expect(report.failures.first?.message.contains("https://elsewhere.example") == true)
    #expect(store.keys.isEmpty && FileManager.default.fileExists(atPath: rig.path("take.mov")))
    // No failure is recorded for the recorder that queued it.
    #expect(try rig.queue.entry(name)?.failure == nil)
    let here = try rig.copy(to: "s3://takes/day", store).account.endpoint.description
    var entry = try #require(try rig.queue.entry(name))
    entry.terms = UploadTerms(server: here)
    try rig.queue.write(entry, name)
    #expect(try run(rig, store)?.isSound == true && store.keys.contains("day/take.mov"))
  }

  @Test(arguments: [nil, 3600, 7e8] as [Double?])
  func the_lock_requested_by_the_recorder_is_the_minimum(present: Double?) throws {
    let rig = try TakeRig()
    let terms = UploadTerms(lockDuration: 3e8)
    try rig.queue.add(rig.path("take.mov"), terms: terms)
    let name = try #require(try rig.queue.names().first)
    let entry = try #require(try rig.queue.entry(name))
    var settings = rig.settings
    settings.lockDuration = present
    let copy = try rig.copy(to: "s3://takes/day", MemoryStore(), settings: settings)
    #expect(entry.terms?.adopted(by: copy).settings.lockDuration == max(3e8, present ?? 0))
    #expect(UploadTerms().adopted(by: copy).settings.lockDuration == present)
  }

  @Test func a_queued_movie_without_terms_is_sent_and_reported() throws {
    let rig = try TakeRig()
    let name = try rig.queue.add(rig.path("take.mov"))
    var entry = try #require(try rig.queue.entry(name))
    entry.terms = nil
    try rig.queue.write(entry, name)
    let report = try #require(try run(rig, MemoryStore()))
    #expect(report.isSound && report.notes.contains { $0.contains("locked") })
  }

  @Test func a_movie_removed_before_a_kill_is_not_a_failure() throws {
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

  @Test func a_dispatcher_queues_movies_and_reports_failures_once() async throws {
    let rig = try TakeRig()
    let lines = Mutex<[String]>([])
    // The started program does nothing; the test works off the queue.
    let dispatcher = UploadDispatcher(
      try rig.queue, removesVerified: false, program: "/bin/true", words: ["true"]
    ) {
      line in lines.withLock { $0.append(line) }
    }
    dispatcher.add(rig.path("take.mov"))
    try await eventually("it waits") { try !rig.queue.isEmpty }
    #expect(dispatcher.movies([rig.path("take.mov")]).map(\.state) == [.waiting])
    #expect(try run(rig, MemoryStore(fault: { _ in .unreachable }))?.isSound == false)
    try await eventually("it is reported") { !lines.withLock { $0 }.isEmpty }
    #expect(dispatcher.movies([rig.path("take.mov")]).map(\.state) == [.failed])
    #expect(try run(rig, MemoryStore())?.isSound == true)
    #expect(dispatcher.leave() == 0)
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first }?.contains("take.mov") == true)
  }
}

/// A server with an untrusted certificate.
private final class UntrustedServer: ObjectTransport {
  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer {
    throw TransportFailure(.untrusted, "self-signed certificate")
  }
}
