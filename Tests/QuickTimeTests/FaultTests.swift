import Foundation
import MediaCore
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Disks that fail once, at each call in turn, and disks that fill up.
@Suite struct FaultTests {
  /// Records a take in which one call fails, saves whatever is whole, and returns the outcome.
  private static func outcome(
    failing call: Int, _ error: QuickTimeError, _ take: Take
  ) throws -> (file: TraceFile, failed: Bool, saved: MovieSummary?) {
    let file = TraceFile()
    file.failure = (call, error)
    let writer = try MovieWriter(file: file, configuration: take.configuration)
    do {
      let ids = try take.begin(writer)
      try take.append(to: writer, ids)
      return (file, false, try writer.finish())
    } catch {
      guard case .failed = writer.state else { throw error }
      return (file, true, try? writer.finishAfterFailure())
    }
  }

  @Test(
    arguments: [
      QuickTimeError(.diskFull, "full", errno: ENOSPC),
      QuickTimeError(.diskFull, "quota", errno: EDQUOT),
      QuickTimeError(.ioFailed, "disk", errno: EIO),
      QuickTimeError(.fileTooLarge, "large", errno: EFBIG),
    ], Take.Placement.allCases)
  func a_call_that_fails_once_leaves_a_valid_file(
    error: QuickTimeError, placement: Take.Placement
  ) throws {
    let take = Take(frameCount: 30).with(placement)
    let clean = TraceFile()
    try take.record(into: clean)
    var saved = 0
    for call in clean.calls.indices {
      let (file, failed, summary) = try Self.outcome(failing: call, error, take)
      guard file.content.count > 0, let index = try? MovieIndex(file) else {
        #expect(call < 4, "call \(call): \(clean.calls[call]) left no movie")
        continue
      }
      #expect(take.faults(in: file.content, index) == [], "call \(call)")
      if let summary {
        saved += failed ? 1 : 0
        #expect(index.completion == .finished && !index.isTruncated, "call \(call)")
        #expect(index.videoTrack?.samples.count == summary.tracks[0].sampleCount)
        #expect(UInt64(file.content.count) == summary.fileSize, "call \(call)")
        #expect(index.timecodeTrack?.timecode?.start == take.timecode)
      } else {
        // Nothing was certain yet: the file is as good as after a kill.
        #expect(failed)
        #expect(index.completion == .unfinished && index.fragmentCount <= 1)
      }
    }
    #expect(saved > 5)
  }

  @Test func fragments_after_a_failed_sync_are_discarded() throws {
    let take = Take(frameCount: 30, audio: nil)
    let clean = TraceFile()
    try take.record(into: clean)
    let syncs = clean.calls.indices.filter { clean.calls[$0] == .synchronize }
    // The sync of the third fragment: two are certain.
    let (_, _, summary) = try Self.outcome(
      failing: syncs[3], QuickTimeError(.ioFailed, "disk", errno: EIO), take)
    #expect(summary?.fragmentCount == 2)
    #expect(summary?.tracks[0].sampleCount == 14)
  }

  /// The same call again finds nothing to do and succeeds, but the data are lost.
  @Test(arguments: [
    QuickTimeError(.diskFull, "memory.mov: full", errno: ENOSPC),
    QuickTimeError(.ioFailed, "memory.mov: broken", errno: EIO),
  ])
  func a_repeated_sync_after_a_failure_confirms_nothing(error: QuickTimeError) throws {
    let take = Take(frameCount: 30, audio: nil)
    let clean = TraceFile()
    try take.record(into: clean)
    let syncs = clean.calls.indices.filter { clean.calls[$0] == .synchronize }
    let (file, failed, summary) = try Self.outcome(failing: syncs[3], error, take)
    #expect(failed && summary?.fragmentCount == 2)
    #expect(try MovieIndex(file).videoTrack?.samples.count == 14)
  }

  @Test(arguments: [
    QuickTimeError(.diskFull, "memory.mov: full", errno: ENOSPC),
    QuickTimeError(.ioFailed, "memory.mov: broken", errno: EIO),
  ])
  func a_failed_final_sync_leaves_a_fragmented_movie(error: QuickTimeError) throws {
    var take = Take(frameCount: 30)
    take.configuration.syncPolicy = .off
    let clean = TraceFile()
    try take.record(into: clean)
    let first = try #require(clean.calls.firstIndex(of: .synchronize))
    let file = TraceFile()
    file.failure = (first, error)
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    #expect(throws: error) { try writer.finish() }
    let content = file.content
    #expect(throws: error) { try writer.finishAfterFailure() }
    #expect(throws: error, "a repeated call fails as well") { try writer.finishAfterFailure() }
    #expect(file.content == content)
    #expect(try MovieIndex(file).videoTrack?.samples.count == 30)
    #expect(writer.fragmentSummary.tracks.first?.sampleCount == 30)
  }

  @Test func confirmed_frames_are_kept_if_syncing_the_index_fails() throws {
    var take = Take(frameCount: 30)
    take.configuration.syncPolicy = .off
    let clean = TraceFile()
    try take.record(into: clean)
    let syncs = clean.calls.indices.filter { clean.calls[$0] == .synchronize }
    #expect(syncs.count == 3, "the media, the index, and the switch to it")
    for call in syncs.dropFirst() {
      let error = QuickTimeError(.ioFailed, "disk", errno: EIO)
      let (file, failed, summary) = try Self.outcome(failing: call, error, take)
      #expect(failed && summary?.tracks[0].sampleCount == 30)
      #expect(try MovieIndex(file).completion == .finished)
    }
  }

  /// If it were truncated then, it would be a movie without an index, which nothing opens and no
  /// search finds.
  @Test(arguments: [
    QuickTimeError(.diskFull, "memory.mov: full", errno: ENOSPC),
    QuickTimeError(.ioFailed, "memory.mov: broken", errno: EIO),
  ])
  func a_movie_keeps_its_index_if_syncing_the_switch_fails(error: QuickTimeError) throws {
    let take = Take(frameCount: 30)
    let clean = TraceFile()
    try take.record(into: clean)
    let last = try #require(clean.calls.lastIndex(of: .synchronize))
    let file = TraceFile()
    (file.failure, file.failsForGood) = ((last, error), true)
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    #expect(throws: error) { try writer.finish() }
    for _ in 0..<2 {
      #expect(throws: error) { try writer.finishAfterFailure() }
      #expect(file.content == clean.content)
    }
    let index = try MovieIndex(file)
    #expect(index.completion == .finished && !index.isTruncated)
    #expect(!file.calls[(last + 1)...].contains { if case .truncate = $0 { true } else { false } })
    file.failure = nil
    #expect(try writer.finishAfterFailure().tracks[0].sampleCount == 30)
    #expect(file.content == clean.content)
  }

  @Test func recovery_stops_if_the_take_cannot_be_synced() throws {
    let take = Take(frameCount: 30)
    let made = TraceFile()
    let (writer, ids) = try take.begin(made)
    try take.append(to: writer, ids)
    let file = TraceFile(made.content)
    file.failure = (0, QuickTimeError(.diskFull, "full", errno: ENOSPC))
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(file) }
    #expect(error?.code == .diskFull && file.calls == [.synchronize])
    #expect(file.content == made.content)
  }

  @Test(arguments: [true, false], Take.Placement.allCases)
  func a_full_disk_leaves_a_finished_movie(reserves: Bool, placement: Take.Placement) throws {
    var take = Take(frameCount: 400).with(placement)
    take.configuration.preallocation = 300_000
    take.configuration.ballast = 20_000
    for capacity in stride(from: UInt64(160_000), to: 1_200_000, by: 61_111) {
      let file = TraceFile()
      file.keepsCalls = false
      file.capacity = capacity
      file.reservationIsSupported = reserves
      let (writer, ids) = try take.begin(file)
      #expect(throws: QuickTimeError.self) { try take.append(to: writer, ids) }
      let summary = try writer.finishAfterFailure()
      #expect(UInt64(file.content.count) <= capacity)
      let index = try MovieIndex(file)
      #expect(index.completion == .finished && !index.isTruncated)
      #expect(take.faults(in: file.content, index) == [])
      #expect(summary.fileSize == UInt64(file.content.count))
      // Of the data that would fit, at most two fragments and the ballast are lost.
      #expect(summary.fileSize + 200_000 > capacity, "\(summary.fileSize) of \(capacity)")
    }
  }

  @Test(.tags(.judges)) func a_real_full_disk_leaves_a_finished_movie() throws {
    let folder = try TemporaryFolder()
    let mounted = try Command.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path])
    guard mounted.status == 0 else {
      try Test.cancel("this machine does not allow tests to mount a file system")
    }
    defer { _ = try? Command.run("umount", [folder.path]) }
    var take = Take(frameCount: 10_000)
    take.configuration.preallocation = 256 << 10
    take.configuration.ballast = 64 << 10
    let path = folder.path("full.mov")
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .create))
    do {
      try take.append(to: writer, ids)
      Issue.record("a disk of one megabyte took ten thousand frames")
    } catch {
      #expect(error.code == .diskFull)
      #expect(error.errno == .noSpace)
    }
    let summary = try writer.finishAfterFailure()
    #expect(summary.fileSize > 700 << 10)
    #expect(try MovieIndex(path: path).completion == .finished)
    #expect(try Judges.videoFrameCount(path) == summary.tracks[0].sampleCount)
    #expect(try Judges.strictDecode(path) == "")
  }

  @Test func reaching_the_file_size_limit_leaves_a_finished_movie() throws {
    // The fragments fit within the limit but the index does not.
    let take = Take(frameCount: 60)
    let made = TraceFile()
    let size = try take.record(into: made).fileSize
    let file = TraceFile()
    file.capacity = size - 100
    file.capacityError = QuickTimeError(.fileTooLarge, "memory.mov: too large", errno: EFBIG)
    file.reservationIsSupported = false
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    #expect(throws: QuickTimeError.self) { try writer.finish() }
    let summary = try writer.finishAfterFailure()
    #expect(summary.fragmentCount >= 6 && summary.tracks[0].sampleCount < 60)
    let index = try MovieIndex(file)
    #expect(index.completion == .finished && !index.isTruncated)
    #expect(take.faults(in: file.content, index) == [])
  }

  /// A snapshot still holds the space that is released, or somebody else takes it.
  @Test func a_take_survives_a_disk_on_which_no_space_can_be_freed() throws {
    let take = Take(frameCount: 900)
    let file = TraceFile()
    file.keepsCalls = false
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let size = file.content.count
    file.capacity = 0
    #expect(throws: QuickTimeError.self) { try writer.finish() }
    let error = #expect(throws: QuickTimeError.self) { try writer.finishAfterFailure() }
    #expect(error?.code == .diskFull)
    #expect(file.content.count > size - (2 << 20) && size > 6 << 20)
    let index = try MovieIndex(file)
    #expect(index.completion == .unfinished && take.faults(in: file.content, index) == [])
    file.capacity = .max
    #expect(try writer.finishAfterFailure().tracks[0].sampleCount > 500)
    #expect(try MovieIndex(file).completion == .finished)
  }

  @Test func a_failed_writer_accepts_no_more_samples() throws {
    let take = Take()
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    file.capacity = 0
    file.reservationIsSupported = false
    #expect(throws: QuickTimeError.self) { try take.append(to: writer, ids) }
    let error = #expect(throws: QuickTimeError.self) {
      try writer.append(Packets.standard.frames[0], to: ids[0])
    }
    #expect(error?.code == .invalidState)
    #expect(#expect(throws: QuickTimeError.self) { try writer.finish() }?.code == .invalidState)
  }

  @Test func cancelling_removes_the_file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("gone.mov")
    let take = Take()
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .create))
    try take.append(to: writer, ids)
    writer.cancel()
    #expect(writer.state == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: QuickTimeError.self) { try writer.finish() }
  }

  @Test func a_failed_recovery_leaves_a_recoverable_take() throws {
    let take = Take(frameCount: 30)
    let made = TraceFile()
    let (writer, ids) = try take.begin(made)
    try take.append(to: writer, ids)
    // Half a fragment after the whole ones.
    let before = made.content + [0, 0, 1, 0] + Array("moof".utf8) + [1, 2, 3]
    let clean = TraceFile(before)
    try MovieRecovery.recover(clean)
    for call in clean.calls.indices {
      let file = TraceFile(before)
      file.failure = (call, QuickTimeError(.ioFailed, "disk", errno: EIO))
      let outcome = try? MovieRecovery.recover(file)
      let index = try MovieIndex(file)
      #expect(take.faults(in: file.content, index) == [])
      if outcome == nil, index.completion != .finished {
        #expect(
          file.content.starts(with: before) || call >= clean.calls.count - 2,
          "call \(call): \(clean.calls[call])")
      }
      // The next attempt succeeds.
      file.failure = nil
      try MovieRecovery.recover(file)
      let recovered = try MovieIndex(file)
      #expect(recovered.completion == .finished && !recovered.isTruncated)
      #expect(recovered.videoTrack?.samples.count == 28)
      #expect(take.faults(in: file.content, recovered) == [])
    }
  }
}
