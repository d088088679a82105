import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Recovery of files that are not simply truncated.
@Suite struct RecoveryTests {
  /// A take that was killed after its last whole fragment.
  private static func killed(_ take: Take) throws -> [UInt8] {
    let file = TraceFile()
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    return file.content
  }

  @Test func recovery_leaves_a_finished_movie_unchanged() throws {
    let file = TraceFile()
    try Take().record(into: file)
    let before = file.content
    let outcome = try MovieRecovery.recover(file)
    #expect(!outcome.wasRecovered)
    #expect(outcome.summary.tracks.map(\.sampleCount) == [60, Take.audioFrames(upTo: 60), 1])
    #expect(file.content == before)
  }

  @Test func recovering_twice_changes_nothing() throws {
    let file = TraceFile(try Self.killed(Take()))
    #expect(try MovieRecovery.recover(file).wasRecovered)
    let once = file.content
    #expect(try !MovieRecovery.recover(file).wasRecovered)
    #expect(file.content == once)
  }

  @Test func an_index_that_awaits_the_switch_is_used_unchanged() throws {
    let take = Take()
    let made = TraceFile()
    try take.record(into: made)
    // Undo the switch.
    var content = made.content
    content.replaceSubrange(20..<36, with: [0, 0, 0, 16] + Array("freetake".utf8) + [0, 0, 0, 1])
    let file = TraceFile(content)
    file.capacity = UInt64(content.count)
    let outcome = try MovieRecovery.recover(file)
    #expect(outcome.wasRecovered && outcome.unusedByteCount == 0)
    #expect(file.content == made.content)
  }

  @Test func recovery_on_a_full_disk_leaves_the_take_unchanged() throws {
    let before = try Self.killed(Take())
    let file = TraceFile(before)
    file.capacity = UInt64(before.count + 100)
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(file) }
    #expect(error?.code == .diskFull)
    #expect(file.content == before)
  }

  @Test func recovery_can_use_the_files_reserved_space() throws {
    let before = try Self.killed(Take())
    let ordinary = TraceFile(before)
    try MovieRecovery.recover(ordinary)
    let disk = ReservingFile(before, capacity: UInt64(ordinary.content.count))
    let outcome = try MovieRecovery.recover(disk)
    #expect(outcome.wasRecovered && disk.file.content == ordinary.content)
    // If recovery is killed at any point, the file is the same take, perhaps with a part of the new
    // index.
    for content in disk.contents {
      let again = TraceFile(content)
      let found = try MovieRecovery.recover(again).summary.tracks
      #expect(found.map(\.sampleCount) == outcome.summary.tracks.map(\.sampleCount))
    }
    #expect(disk.contents.count > 4)
  }

  @Test func insufficient_reserved_space_leaves_the_take_unchanged() throws {
    let before = try Self.killed(Take())
    let disk = ReservingFile(before, capacity: UInt64(before.count + 100))
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(disk) }
    #expect(error?.code == .diskFull)
    #expect(disk.file.content == before)
  }

  @Test func a_fragment_with_missing_frame_data_is_dropped() throws {
    var take = Take(frameCount: 40, audio: nil)
    take.configuration.fragmentByteLimit = 1 << 20
    let before = try Self.killed(take)
    let samples = try #require(try MovieIndex(TraceFile(before)).videoTrack?.samples)
    var damaged = before
    let last = try #require(samples[samples.count - 2])
    let page = (Int(last.offset) + 4095) & ~4095
    try #require(page + 4096 <= Int(last.offset) + Int(last.size), "a page within the frame")
    damaged.replaceSubrange(page..<(page + 4096), with: [UInt8](repeating: 0, count: 4096))
    let file = TraceFile(damaged)
    let outcome = try MovieRecovery.recover(file)
    #expect(outcome.droppedFragmentCount == 1)
    let index = try MovieIndex(file)
    #expect(index.videoTrack?.samples.count == samples.count - 7)
    #expect(take.faults(in: file.content, index) == [])
  }

  /// The last bytes of the last frame are zeros, and silence follows them up to the end of the
  /// page.
  @Test(arguments: [(1, true), (63, true), (64, false)])
  func a_zero_page_with_few_bytes_of_a_frame_is_accepted(bytes: Int, isKept: Bool) throws {
    // The last frame of a fragment begins at the same offset whatever its size.
    let place = try #require(
      try MovieIndex(try Self.killed(lastFrame: 200)).videoTrack?.samples.last)
    let size = 8192 - Int(place.offset) % 4096 + bytes
    let file = try Self.killed(lastFrame: size, zeros: bytes)
    guard isKept else {
      let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(file) }
      #expect(error?.code == .nothingRecorded)
      return
    }
    let outcome = try MovieRecovery.recover(file)
    #expect(outcome.droppedFragmentCount == 0 && outcome.summary.tracks[0].sampleCount == 7)
  }

  /// A fragment of seven frames and silence.
  private static func killed(lastFrame size: Int, zeros: Int = 0) throws -> TraceFile {
    func frame(_ count: Int, zeros: Int = 0) -> [UInt8] {
      let size = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
      return size + Array("icpf".utf8) + [UInt8](repeating: 5, count: count - 8 - zeros)
        + [UInt8](repeating: 0, count: zeros)
    }
    let file = TraceFile()
    let (writer, ids) = try Take(timecode: nil).with(.packed).begin(file)
    try writer.appendAudio([UInt8](repeating: 0, count: 48_000), frames: 8000, to: ids[1])
    for _ in 0..<6 { try writer.append(frame(200), to: ids[0]) }
    try writer.append(frame(size, zeros: zeros), to: ids[0])
    #expect(writer.statistics.fragmentCount == 1)
    return file
  }

  @Test(
    arguments: [
      ("", QuickTimeError.Code.notAMovie), ("This is a text and no movie.", .notAMovie),
      ("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", .notAMovie),
    ])
  func files_that_are_not_movies_are_refused_unchanged(text: String, code: QuickTimeError.Code) {
    let file = TraceFile(Array(text.utf8))
    #expect(#expect(throws: QuickTimeError.self) { try MovieRecovery.recover(file) }?.code == code)
    #expect(file.content == Array(text.utf8))
  }

  @Test(.tags(.judges)) func fragments_of_another_program_are_refused_unchanged() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("other.mov")
    _ = try Judges.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25", "-frames:v", "20",
        "-c:v",
        "prores_ks", "-movflags", "frag_keyframe+empty_moov+default_base_moof", path,
      ])
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(path: path) }
    #expect(error?.code == .unsupported)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(.tags(.judges)) func unfinished_takes_are_listed_without_those_being_recorded() throws {
    let folder = try TemporaryFolder()
    let take = Take()
    try take.record(into: PosixMovieFile(path: folder.path("done.mov"), mode: .create))
    try Data(Self.killed(take)).write(to: URL(fileURLWithPath: folder.path("killed.mov")))
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path("text.mov")))
    let (writer, ids) = try take.begin(PosixMovieFile(path: folder.path("now.mov"), mode: .create))
    try take.append(to: writer, ids)
    #expect(
      try MovieRecovery.unfinishedMovies(inFolder: folder.path) == [folder.path("killed.mov")])
    let error = #expect(throws: QuickTimeError.self) {
      try MovieRecovery.recover(path: folder.path("now.mov"))
    }
    #expect(error?.code == .busy)
    _ = try writer.finish()
    try MovieRecovery.recover(path: folder.path("killed.mov"))
    #expect(try MovieRecovery.unfinishedMovies(inFolder: folder.path) == [])
    #expect(try Judges.strictDecode(folder.path("killed.mov")) == "")
    #expect(throws: QuickTimeError.self) {
      try MovieRecovery.unfinishedMovies(inFolder: folder.path("none"))
    }
  }

  @Test func searching_for_unfinished_takes_does_not_disturb_recorders() async throws {
    let folder = try TemporaryFolder()
    let take = Take()
    let (place, path) = (folder.path, folder.path("now.mov"))
    try take.record(into: PosixMovieFile(path: path, mode: .create))
    try Data(Self.killed(take)).write(to: URL(fileURLWithPath: path))
    try await withThrowingTaskGroup { group in
      group.addTask {
        for _ in 0..<2000 { _ = try MovieRecovery.unfinishedMovies(inFolder: place) }
      }
      for _ in 0..<2000 { try PosixMovieFile(path: path, mode: .update).close() }
      try await group.waitForAll()
    }
  }

  /// The size of the media does not slow recovery down: it reads only the fragments' tables.
  @Test func recovery_reads_only_tables() throws {
    let file = CountingSource(try Self.killed(Take(frameCount: 600)))
    let scanned = try MovieIndex(file)
    #expect(scanned.videoTrack?.samples.count ?? 0 > 590)
    let media = scanned.tracks.reduce(0) { $0 + $1.samples.byteCount }
    #expect(file.bytesRead * 10 < media, "\(file.bytesRead) bytes read of \(media)")
  }
}

/// Counts the bytes that a reader reads.
private final class CountingSource: MovieByteSource {
  let name = "counted.mov"
  private let content: TraceFile
  private(set) var bytesRead: UInt64 = 0

  init(_ bytes: [UInt8]) { content = TraceFile(bytes) }

  func size() throws(QuickTimeError) -> UInt64 { try content.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    bytesRead += UInt64(buffer.count)
    return try content.read(into: buffer, at: offset)
  }
}

/// A file on a full disk: all free space is reserved for the file itself, away from its end, until
/// it is truncated.
private final class ReservingFile: MovieFile {
  let file: TraceFile
  /// The file's content after each call that changed it.
  private(set) var contents: [[UInt8]] = []
  private let capacity: UInt64

  init(_ content: [UInt8], capacity: UInt64) {
    file = TraceFile(content)
    // Room for a part of the first write.
    file.capacity = UInt64(content.count + 50)
    self.capacity = capacity
  }

  var name: String { file.name }
  func size() throws(QuickTimeError) -> UInt64 { try file.size() }
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { try file.read(into: buffer, at: offset) }
  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    defer { contents.append(file.content) }
    try file.write(buffers, at: offset)
  }
  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
  func truncate(to size: UInt64) throws(QuickTimeError) {
    try file.truncate(to: size)
    file.capacity = capacity
    contents.append(file.content)
  }
  func synchronize() throws(QuickTimeError) {}
  func synchronizeParentDirectory() throws(QuickTimeError) {}
  func close() throws(QuickTimeError) {}
  func remove() throws(QuickTimeError) {}
}
