import Foundation
import Glibc
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import QuickTime

/// A movie written to two files, one of which is lost.
@Suite struct MirroredMovieFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file whose every write waits until it is released, as on a hanging disk.
  private final class HangingFile: MovieFile {
    private let file: PosixMovieFile
    private let isHeld: WaitableMutex<Bool>
    private let willRemove: @Sendable () -> Void
    /// The numbers of the write and the sync that fail, from 1.
    private let failing: (write: Int, sync: Int)
    private var count = (writes: 0, syncs: 0)

    init(
      _ path: String, _ isHeld: WaitableMutex<Bool>, failing: (write: Int, sync: Int) = (0, 0),
      willRemove: @escaping @Sendable () -> Void = {}
    ) throws(QuickTimeError) {
      file = try PosixMovieFile(path: path, mode: .create)
      self.isHeld = isHeld
      self.failing = failing
      self.willRemove = willRemove
    }

    private func broken() -> QuickTimeError { QuickTimeError(.ioFailed, "\(name): broken") }

    var name: String { file.name }
    func size() throws(QuickTimeError) -> UInt64 { try file.size() }
    func read(
      into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }
    func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
      _ = isHeld.wait { $0 ? nil : true }
      count.writes += 1
      if count.writes == failing.write { throw broken() }
      try file.write(buffers, at: offset)
    }
    func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
    func truncate(to size: UInt64) throws(QuickTimeError) { try file.truncate(to: size) }
    func synchronize() throws(QuickTimeError) {
      count.syncs += 1
      if count.syncs == failing.sync { throw broken() }
    }
    func synchronizeParentDirectory() throws(QuickTimeError) {}
    func close() throws(QuickTimeError) { try file.close() }
    func noticeChange(
      size: UInt64, marks: [(offset: UInt64, code: String)]
    ) -> MovieFileChange? { file.noticeChange(size: size, marks: marks) }
    func restore() throws(QuickTimeError) { try file.restore() }
    func remove() throws(QuickTimeError) {
      willRemove()
      try file.remove()
    }
  }

  private func path(_ place: Int) -> String { folder.path("\(place).mov") }

  /// A file whose calls of one kind fail from a given number on.
  private static func file(
    _ path: String, failing call: FailingFileCalls.Call? = nil, from number: Int = 0,
    with code: Int32 = EIO
  ) throws(QuickTimeError) -> PosixMovieFile {
    let calls = FailingFileCalls()
    calls.failure = { $0 == call && $1 >= number ? code : nil }
    return try PosixMovieFile(path: path, mode: .create, calls: calls)
  }

  /// What a single file of the take contains.
  private func reference(_ take: Take) throws -> Data {
    let alone = folder.path("alone.mov")
    try? FileManager.default.removeItem(atPath: alone)
    try take.record(into: PosixMovieFile(path: alone, mode: .create))
    return try Data(contentsOf: URL(filePath: alone))
  }

  private func content(_ place: Int) throws -> Data {
    try Data(contentsOf: URL(filePath: path(place)))
  }

  /// Somebody has put their own file in the place of one of the movies to be replaced.
  @Test(arguments: [1, 2]) func a_name_that_one_file_cannot_take_is_reported(place: Int) throws {
    for number in 1...2 { try Data("old".utf8).write(to: URL(filePath: path(number))) }
    let files = try (1...2).map { try PosixMovieFile(path: path($0), mode: .overwrite) }
    let file = try MirroredMovieFile(files)
    try FileManager.default.removeItem(atPath: path(place))
    try Data("mine".utf8).write(to: URL(filePath: path(place)))
    let error = #expect(throws: QuickTimeError.self) { try file.adoptName() }
    #expect(error?.message.contains(path(place)) == true)
    #expect(try content(place) == Data("mine".utf8))
    #expect(try content(3 - place).isEmpty)
    try file.close()
  }

  /// A take of thousands of movies must not keep two threads for each.
  @Test func a_closed_movie_has_no_threads_and_can_be_removed() throws {
    let isHeld = WaitableMutex(false)
    let threads = Mutex<[UInt]>([])
    let file = try MirroredMovieFile(
      (1...2).map { place in
        try HangingFile(path(place), isHeld) {
          threads.withLock { $0.append(UInt(pthread_self())) }
        }
      })
    try file.close()
    try file.remove()
    #expect(threads.withLock { $0 } == [UInt(pthread_self()), UInt(pthread_self())])
    #expect(!FileManager.default.fileExists(atPath: path(1)))
    #expect(!FileManager.default.fileExists(atPath: path(2)))
  }

  @Test(arguments: Take.Placement.allCases)
  func both_files_equal_a_single_file(_ placement: Take.Placement) throws {
    let take = Take().with(placement)
    let file = try MirroredMovieFile([Self.file(path(1)), Self.file(path(2))])
    #expect(try take.record(into: file).checksums != nil)
    #expect(file.name == path(1) && file.copies == [MovieFileCopy(path: path(2), isWhole: true)])
    let reference = try reference(take)
    #expect(try content(1) == reference && content(2) == reference)
  }

  @Test(arguments: [1, 2], [EIO, ENOSPC, EROFS, ENODEV])
  func the_movie_continues_on_the_other_disk(_ lost: Int, _ code: Int32) throws {
    let take = Take().with(.placed)
    let reference = try reference(take)
    for number in [1, 2, 7, 30, 61] {
      for place in [1, 2] { try? FileManager.default.removeItem(atPath: path(place)) }
      let file = try MirroredMovieFile([
        Self.file(path(1), failing: lost == 1 ? .write : nil, from: number, with: code),
        Self.file(path(2), failing: lost == 2 ? .write : nil, from: number, with: code),
      ])
      try take.record(into: file)
      let left = 3 - lost
      #expect(try file.name == path(left) && content(left) == reference)
      let copy = try #require(file.copies.first)
      #expect(copy.path == path(lost) && !copy.isWhole)
      #expect(copy.message?.contains(path(lost)) == true, "\(copy.message ?? "")")
    }
  }

  @Test(arguments: FailingFileCalls.Call.allCases, [1, 2])
  func any_call_may_fail_on_one_of_the_disks(_ call: FailingFileCalls.Call, _ place: Int) throws {
    // The calls that open a file come before the take.
    let take = Take()
    let reference = try reference(take)
    for number in call == .open || call == .lock || call == .status ? [2, 5] : [0, 1, 5] {
      for place in [1, 2] { try? FileManager.default.removeItem(atPath: path(place)) }
      let file = try MirroredMovieFile([
        Self.file(path(1), failing: place == 1 ? call : nil, from: number),
        Self.file(path(2), failing: place == 2 ? call : nil, from: number),
      ])
      try take.record(into: file)
      // Every file reported as whole must be whole.
      for path in [file.name] + file.copies.filter(\.isWhole).map(\.path) {
        #expect(try Data(contentsOf: URL(filePath: path)) == reference, "\(call) \(number)")
      }
      #expect(file.copies.count == 1)
    }
  }

  @Test func a_write_that_failed_on_both_disks_is_reported_until_a_sync() throws {
    let isHeld = WaitableMutex(true)
    let file = try MirroredMovieFile(
      (1...2).map { try HangingFile(path($0), isHeld, failing: (write: 1, sync: 0)) })
    let bytes = [UInt8](repeating: 7, count: 1000)
    try file.write(bytes, at: 0)
    isHeld.update { $0 = false }
    // None of these calls reports on the write.
    #expect(try file.size() == 0)
    try file.truncate(to: 0)
    #expect(file.noticeChange(size: 0, marks: []) == nil && file.heldSize == nil)
    #expect(try !file.preallocate(offset: 0, count: 1000))
    for _ in 0..<2 {
      #expect(throws: QuickTimeError.self) { try file.write(bytes, at: 0) }
    }
    #expect(throws: QuickTimeError.self) { try file.synchronize() }
    try file.write(bytes, at: 0)
    try file.synchronize()
    try file.close()
  }

  /// The first disk answered, and was lost before the second one answered.
  @Test func a_late_sync_failure_is_reported_by_the_next_sync() async throws {
    let isHeld = WaitableMutex(true)
    let file = try MirroredMovieFile([
      Self.file(path(1), failing: .write, from: 1),
      HangingFile(path(2), isHeld, failing: (write: 0, sync: 1)),
    ])
    let bytes = [UInt8](repeating: 7, count: 1000)
    try file.write(bytes, at: 0)
    try file.synchronize()
    try file.write(bytes, at: 1000)
    try await eventually("the first disk is lost") { file.name == path(2) }
    isHeld.update { $0 = false }
    #expect(throws: QuickTimeError.self) { try file.synchronize() }
    try file.synchronize()
    try file.close()
  }

  /// The remaining disk had fallen behind, and failed at a fragment that the lost disk had
  /// confirmed.
  @Test func fragments_confirmed_only_by_the_lost_disk_are_discarded() async throws {
    let isHeld = WaitableMutex(true)
    var take = Take(audio: nil, timecode: nil).with(.placed)
    take.configuration.preallocation = 0
    // The header, and three fragments of seven frames and a header each.
    let file = try MirroredMovieFile([
      Self.file(path(1), failing: .write, from: 1 + 3 * 8),
      HangingFile(path(2), isHeld, failing: (write: 0, sync: 3)),
    ])
    let frames = Packets.standard.frames
    let (writer, ids) = try take.begin(file)
    for frame in frames.prefix(22) { try writer.append(frame, to: ids[0]) }
    #expect(writer.statistics.fragmentCount == 3)
    try await eventually("the first disk is lost") { file.name == path(2) }
    isHeld.update { $0 = false }
    #expect(throws: QuickTimeError.self) {
      for frame in frames[22..<60] { try writer.append(frame, to: ids[0]) }
    }
    let summary = try writer.finishAfterFailure()
    #expect(summary.fragmentCount == 1 && summary.tracks[0].sampleCount == 7)
    let index = try MovieIndex(path: path(2))
    #expect(index.completion == .finished && index.videoTrack?.samples.count == 7)
    #expect(try take.faults(in: [UInt8](content(2)), index).isEmpty)
  }

  @Test func a_slow_disk_is_abandoned_at_the_backlog_limit() throws {
    let isHeld = WaitableMutex(true)
    var limits = MirroredMovieFile.Limits()
    limits.backlog = 100_000
    limits.preference = 0.01
    let file = try MirroredMovieFile(
      [HangingFile(path(1), isHeld), Self.file(path(2))], limits: limits)
    let take = Take()
    try take.record(into: file)
    #expect(try file.name == path(2) && content(2) == reference(take))
    #expect(file.copies.first?.message?.contains("too slow") == true, "\(file.copies)")
    isHeld.update { $0 = false }
  }

  @Test func a_hanging_disk_is_abandoned_at_the_end() throws {
    let isHeld = WaitableMutex(true)
    var limits = MirroredMovieFile.Limits()
    limits.patience = 0.3
    limits.preference = 0.01
    let file = try MirroredMovieFile(
      [Self.file(path(1)), HangingFile(path(2), isHeld)], limits: limits)
    let take = Take()
    try take.record(into: file)
    #expect(try file.name == path(1) && content(1) == reference(take))
    #expect(file.copies.first?.message?.contains("has done nothing") == true, "\(file.copies)")
    isHeld.update { $0 = false }
  }

  @Test func complete_fragments_survive_the_loss_of_both_disks() throws {
    let file = try MirroredMovieFile([
      Self.file(path(1), failing: .write, from: 20, with: EIO),
      Self.file(path(2), failing: .write, from: 60, with: ENOSPC),
    ])
    var take = Take().with(.placed)
    take.configuration.ballast = 256 << 10
    let (writer, ids) = try take.begin(file)
    var failure: QuickTimeError?
    do throws(QuickTimeError) { try take.append(to: writer, ids) } catch { failure = error }
    #expect(failure != nil && file.name == path(2))
    // The disk stays full, so the movie stays fragmented, which can be read.
    _ = try? writer.finishAfterFailure()
    let index = try MovieIndex(path: path(2))
    #expect((index.videoTrack?.samples.count ?? 0) > 5)
    #expect(take.faults(in: [UInt8](try content(2)), index).isEmpty)
  }

  @Test func a_deleted_first_file_is_restored_and_the_second_unchanged() throws {
    let file = try MirroredMovieFile([Self.file(path(1)), Self.file(path(2))])
    let take = Take()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    unlink(path(1))
    #expect(writer.noticeChange() == .deleted)
    _ = try writer.finish()
    let reference = try reference(take)
    #expect(try content(1) == reference && content(2) == reference)
    #expect(folder.contents == ["1.mov", "2.mov", "alone.mov"])
  }

  @Test func a_deleted_second_file_is_reported_as_lost() throws {
    let file = try MirroredMovieFile([Self.file(path(1)), Self.file(path(2))])
    let take = Take()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    unlink(path(2))
    #expect(writer.noticeChange() == nil)
    _ = try writer.finish()
    #expect(try file.copies.map(\.isWhole) == [false] && content(1) == reference(take))
    #expect(file.copies.first?.message?.contains("deleted") == true)
  }

  /// The slow disk answers the check when nobody waits for it any more.
  @Test func a_first_file_deleted_on_a_slow_disk_becomes_the_lost_copy() throws {
    let isHeld = WaitableMutex(true)
    var limits = MirroredMovieFile.Limits()
    limits.preference = 0.01
    let file = try MirroredMovieFile(
      [HangingFile(path(1), isHeld), Self.file(path(2))], limits: limits)
    try file.write([UInt8](repeating: 7, count: 1000), at: 0)
    try file.synchronize()
    unlink(path(1))
    #expect(file.noticeChange(size: 1000, marks: []) == nil)
    isHeld.update { $0 = false }
    try file.close()
    #expect(try file.name == path(2) && content(2) == Data(repeating: 7, count: 1000))
    #expect(file.copies.map(\.path) == [path(1)] && file.copies.map(\.isWhole) == [false])
    #expect(file.copies.first?.message?.contains("deleted") == true)
  }

  @Test func a_loss_noticed_late_is_reported_once_by_a_later_check() async throws {
    let isHeld = WaitableMutex(true)
    var limits = MirroredMovieFile.Limits()
    // Long enough for a busy disk to restore the file after its release.
    limits.preference = 10
    let file = try MirroredMovieFile(
      [HangingFile(path(1), isHeld), Self.file(path(2))], limits: limits)
    try file.write([UInt8](repeating: 7, count: 1000), at: 0)
    unlink(path(1))
    #expect(file.noticeChange(size: 1000, marks: []) == nil)
    isHeld.update { $0 = false }
    var reported: MovieFileChange?
    try await eventually("the loss is reported") {
      reported = file.noticeChange(size: 1000, marks: [])
      return reported != nil
    }
    #expect(reported == .deleted)
    try file.restore()
    try file.close()
    #expect(try file.name == path(1) && content(1) == content(2))
    #expect(file.copies == [MovieFileCopy(path: path(2), isWhole: true)])
  }

  /// Each fragment makes about two requests; a quarter of a second for each would take longer than
  /// the fragment lasts.
  @Test func a_late_file_is_not_awaited_until_it_has_caught_up() throws {
    var state = MirrorState(
      lanes: (1...2).map { MirrorState.Lane(name: path($0), hasName: true) }, missing: [])
    let limits = MirroredMovieFile.Limits()
    for _ in 0..<2 { state.call { _, _ in .init() } }
    #expect(state.preference(limits) == limits.preference)
    state.noteLate(0)
    #expect(state.preference(limits) == 0)
    for left in [1, 0] {
      let next: MirrorState.Work?? = state.next(0)
      let work = try #require(next.flatMap { $0 })
      state.finish(work, 0, .init(), name: path(1), hasName: true)
      #expect(state.preference(limits) == (left > 0 ? 0 : limits.preference))
    }
    // A file with nothing to do is not late.
    state.noteLate(0)
    #expect(state.preference(limits) == limits.preference)
  }
}
