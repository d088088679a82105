import Foundation
import Glibc
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

/// What a recorder reports about movies that it has queued for upload.
struct UploadDispatcherTests {
  private let rig: TakeRig
  private let lines = LineLog()

  init() throws { rig = try TakeRig() }

  /// A recorder that starts no uploader: the test works off the queue.
  private func makeDispatcher(_ lines: LineLog) throws -> UploadDispatcher {
    UploadDispatcher(
      try rig.queue, removesVerified: false, program: "/bin/true", words: ["true"]
    ) { lines.add($0) }
  }

  /// A recorder that has queued a movie, and the file of the queue's entry.
  private func handOver() throws -> (recorder: UploadDispatcher, entry: String) {
    let recorder = try makeDispatcher(lines)
    recorder.add(rig.path("take.mov"))
    #expect(recorder.movies([rig.path("take.mov")]).map(\.state) == [.waiting])
    let name = try #require(try rig.queue.names().first)
    return (recorder, try rig.queue.folder + "/" + name)
  }

  @Test func a_movie_removed_from_the_queue_is_not_taken_for_verified() throws {
    let (recorder, entry) = try handOver()
    try FileManager.default.removeItem(atPath: entry)
    let movie = try #require(recorder.movies([rig.path("take.mov")]).first)
    #expect(movie.state == .failed && movie.error?.code == "stateFailed")
    #expect(lines.all.count == 1 && lines.all.first?.contains("take.mov") == true)
    #expect(recorder.leave() == 0, "nothing is left for another process")
  }

  /// An uploader of an earlier version: it holds the lock, and silently removes entries it has verified.
  private func earlierUploader() throws -> Int32 {
    let lock = open(try rig.queue.folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
    return lock
  }

  @Test func movies_sent_by_an_earlier_uploader_are_verified_after_it_ends() throws {
    let (recorder, entry) = try handOver()
    let path = rig.path("take.mov")
    let lock = try earlierUploader()
    try FileManager.default.removeItem(atPath: entry)
    #expect(recorder.movies([path]).map(\.state) == [.waiting])
    #expect(try rig.queue.isEmpty, "the earlier uploader would remove it again")
    #expect(lines.all.count == 1 && lines.all.first?.contains("earlier version") == true)
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    #expect(recorder.movies([path]).map(\.state) == [.waiting])
    let queue = try rig.queue
    #expect(try queue.names().count == 1)
    let copy = try rig.copy(to: "s3://takes/day", MemoryStore())
    let report = try QueuedUpload(queue) { () throws(ObjectStorageError) in
      #expect(QueuedUpload.isUnderWay(queue) && !QueuedUpload.isEarlierUnderWay(queue))
      return copy
    }.run()
    #expect(report?.isSound == true)
    #expect(recorder.movies([path]).map(\.state) == [.verified])
    #expect(lines.all.count == 1)
  }

  @Test func movies_sent_by_an_earlier_uploader_are_requeued_at_the_end() throws {
    let (recorder, entry) = try handOver()
    let lock = try earlierUploader()
    defer { close(lock) }
    try FileManager.default.removeItem(atPath: entry)
    #expect(recorder.leave() == 1)
    #expect(try rig.queue.names().count == 1)
  }

  @Test func a_damaged_entry_is_reported_by_its_recorder_and_the_next_one() throws {
    let (recorder, entry) = try handOver()
    let intact = try Data(contentsOf: URL(filePath: entry))
    try Data("{".utf8).write(to: URL(filePath: entry))
    #expect(recorder.movies([rig.path("take.mov")]).map(\.state) == [.failed])
    #expect(lines.all.count == 1 && lines.all.first?.contains("is damaged") == true)
    #expect(recorder.leave() == 0, "nothing is left for another process")
    let later = LineLog()
    #expect(try makeDispatcher(later).movies([]).isEmpty)
    #expect(later.all.count == 1 && later.all.first?.contains(entry) == true, "\(later.all)")
    try intact.write(to: URL(filePath: entry))
    #expect(recorder.movies([rig.path("take.mov")]).map(\.state) == [.waiting])
  }

  @Test func unclaimed_receipts_are_limited_in_number() throws {
    let queue = try rig.queue
    let name = try queue.add(rig.path("take.mov"))
    for number in 0..<UploadQueue.mostReceipts {
      // Half of them from a clock that was ahead.
      try Data().write(
        to: URL(filePath: "\(queue.folder)/\(number % 2 * 9)-\(number).json.verified"))
    }
    let copy = try rig.copy(to: "s3://takes/day", MemoryStore())
    let report = try QueuedUpload(queue) { () throws(ObjectStorageError) in copy }.run()
    #expect(report?.isSound == true)
    let left = try FileManager.default.contentsOfDirectory(atPath: queue.folder)
    #expect(left.count { $0.hasSuffix(".verified") } == UploadQueue.mostReceipts)
    #expect(try queue.takeReceipt(name))
    #expect(try !queue.takeReceipt(name))
  }
}

/// Collects the lines that were reported, in order.
private final class LineLog: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
