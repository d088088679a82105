import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// The name of a movie that is being written: how it replaces another movie, and what others do to
/// it.
@Suite struct FileNameTests {
  let folder: TemporaryFolder
  private let take = Take(frameCount: 40, audio: nil, timecode: nil)

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("take.mov") }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }
  private func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private func frames(_ path: String) throws -> Int? {
    try MovieIndex(path: path).videoTrack?.samples.count
  }

  // MARK: Replacing

  @Test func a_replacing_movies_temporary_name_is_beside_the_old_one() {
    for (path, new) in [
      ("a.b/c.mov", "a.b/c.new.mov"), ("a.b/c", "a.b/c.new"),
      ("a.b/\u{301}c", "a.b/\u{301}c.new"), ("\u{301}c.mov", "\u{301}c.new.mov"),
    ] {
      #expect(PosixMovieFile.neighbor(of: path, word: "new", 1) == new)
    }
  }

  @Test func the_old_movie_stays_until_the_new_one_has_a_fragment() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .overwrite))
    #expect(text(path) == "old")
    for frame in Packets.standard.frames.prefix(3) { try writer.append(frame, to: ids[0]) }
    #expect(text(path) == "old")
    #expect(try names == ["take.mov", "take.new.mov"])
    try take.append(to: writer, ids)
    #expect(try names == ["take.mov"])
    #expect(text(path) != "old")
    #expect(try writer.finish().tracks[0].sampleCount == 43)
    #expect(try frames(path) == 43)
  }

  @Test func a_foreign_file_with_the_temporary_name_replaces_nothing() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .overwrite))
    let new = folder.path("take.new.mov")
    unlink(new)
    try "theirs".write(toFile: new, atomically: true, encoding: .utf8)
    try take.append(to: writer, ids)
    #expect(text(path) == "old" && text(new) == "theirs")
    #expect(writer.nameError?.code == .fileExists)
    #expect(writer.noticeChange() == .replaced)
    #expect(try writer.finish().tracks[0].sampleCount == 40)
    #expect(try frames(folder.path("take.new.restored.mov")) == 40)
    #expect(text(path) == "old" && text(new) == "theirs")
  }

  @Test func cancelling_before_the_first_fragment_keeps_the_old_movie() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .overwrite))
    try writer.append(Packets.standard.frames[0], to: ids[0])
    writer.cancel()
    #expect(text(path) == "old")
    #expect(try names == ["take.mov"])
  }

  @Test(arguments: [FailingFileCalls.Call.reserve, .write, .synchronizeData])
  func a_disk_error_before_the_first_fragment_keeps_the_old_movie(
    call: FailingFileCalls.Call
  ) throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let calls = FailingFileCalls()
    calls.failure = { kind, _ in kind == call ? ENOSPC : nil }
    let file = try PosixMovieFile(path: path, mode: .overwrite, calls: calls)
    let error = #expect(throws: QuickTimeError.self) { try take.record(into: file) }
    #expect(error?.code == .diskFull && error?.message.hasPrefix(path + ":") == true)
    try file.remove()
    #expect(text(path) == "old")
    #expect(try names == ["take.mov"])
  }

  @Test func a_movie_that_cannot_be_renamed_keeps_its_temporary_name() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let calls = FailingFileCalls()
    calls.failure = { kind, _ in kind == .rename ? EACCES : nil }
    let file = try PosixMovieFile(path: path, mode: .overwrite, calls: calls)
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    _ = try writer.finish()
    #expect(text(path) == "old")
    #expect(file.name == folder.path("take.new.mov"))
    #expect(writer.nameError?.message.contains("take.new.mov") == true)
    #expect(try frames(file.name) == 40)
  }

  @Test func a_file_created_at_the_path_meanwhile_is_not_replaced() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .overwrite))
    try "other".write(toFile: path, atomically: true, encoding: .utf8)
    try take.append(to: writer, ids)
    _ = try writer.finish()
    #expect(text(path) == "other")
    #expect(try frames(folder.path("take.new.mov")) == 40)
  }

  @Test func replacing_through_a_symbolic_link_replaces_its_target() throws {
    let target = folder.path("target.mov")
    try "old".write(toFile: target, atomically: true, encoding: .utf8)
    symlink(target, path)
    try take.record(into: PosixMovieFile(path: path, mode: .overwrite))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try frames(target) == 40)
    #expect(try names == ["take.mov", "target.mov"])
  }

  // MARK: What others do

  /// Records, calls `meanwhile` in the middle, and finishes.
  private func record(
    calls: FailingFileCalls = FailingFileCalls(), meanwhile: () throws -> Void
  ) throws -> (writer: MovieWriter, change: MovieFileChange?) {
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .create, calls: calls))
    try take.append(to: writer, ids)
    #expect(writer.noticeChange() == nil)
    try meanwhile()
    let change = writer.noticeChange()
    try take.append(to: writer, ids)
    #expect(writer.noticeChange() == nil, "each change is reported once")
    return (writer, change)
  }

  @Test func writing_continues_after_a_movie_is_moved() throws {
    let moved = folder.path("moved.mov")
    let (writer, change) = try record { _ = rename(path, moved) }
    #expect(change == .moved)
    #expect(writer.file.name == moved)
    #expect(try writer.finish().tracks[0].sampleCount == 80)
    #expect(try frames(moved) == 80)
    #expect(try names == ["moved.mov"])
  }

  @Test func a_deleted_movie_is_restored_with_all_frames() throws {
    let (writer, change) = try record { unlink(path) }
    #expect(change == .deleted)
    _ = try writer.finish()
    #expect(writer.restoreError == nil)
    #expect(try frames(path) == 80)
  }

  @Test func a_deleted_movie_is_restored_if_the_system_cannot_copy() throws {
    let calls = FailingFileCalls()
    calls.failure = { kind, _ in kind == .copy ? EXDEV : nil }
    let (writer, _) = try record(calls: calls) { unlink(path) }
    _ = try writer.finish()
    #expect(try frames(path) == 80)
  }

  @Test func a_movie_deleted_just_before_its_end_is_restored() throws {
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .create))
    try take.append(to: writer, ids)
    unlink(path)
    _ = try writer.finish()
    #expect(writer.fileChange == .deleted)
    #expect(try frames(path) == 40)
  }

  @Test func a_movie_whose_folder_was_removed_is_restored_with_it() throws {
    let inner = folder.path("day")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let file = try PosixMovieFile(path: inner + "/take.mov", mode: .create)
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    try FileManager.default.removeItem(atPath: inner)
    #expect(writer.noticeChange() == .deleted)
    _ = try writer.finish()
    #expect(try frames(inner + "/take.mov") == 40)
  }

  @Test func a_replaced_movie_is_restored_beside_the_new_file() throws {
    let (writer, change) = try record {
      try "other".write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(change == .replaced)
    _ = try writer.finish()
    #expect(text(path) == "other")
    #expect(writer.file.name == folder.path("take.restored.mov"))
    #expect(try frames(folder.path("take.restored.mov")) == 80)
  }

  @Test func a_failed_restore_leaves_no_partial_movie() throws {
    let calls = FailingFileCalls()
    calls.failure = { kind, _ in kind == .copy ? ENOSPC : nil }
    let (writer, _) = try record(calls: calls) { unlink(path) }
    _ = try writer.finish()
    #expect(writer.restoreError?.code == .diskFull)
    #expect(try names.isEmpty)
  }

  @Test(arguments: [Take.Placement.packed, .placed])
  func an_emptied_movie_is_noticed_even_if_it_grows_again(placement: Take.Placement) throws {
    let (writer, ids) = try take.with(placement).begin(PosixMovieFile(path: path, mode: .create))
    try take.append(to: writer, ids)
    truncate(path, 0)
    try take.append(to: writer, ids)
    #expect(writer.noticeChange() == .emptied)
    let error = #expect(throws: QuickTimeError.self) { _ = try writer.finish() }
    #expect(error?.message.contains("emptied") == true)
  }

  @Test func cancelling_does_not_remove_a_foreign_file() throws {
    let (writer, _) = try take.begin(PosixMovieFile(path: path, mode: .create))
    try "other".write(toFile: path, atomically: true, encoding: .utf8)
    writer.cancel()
    #expect(text(path) == "other")
  }

  // MARK: Small

  @Test func a_header_without_room_is_an_error_and_earlier_fragments_stay() throws {
    let (writer, ids) = try take.with(.placed).begin(PosixMovieFile(path: path, mode: .create))
    for frame in Packets.standard.frames.prefix(12) { try writer.append(frame, to: ids[0]) }
    while writer.placed == nil { try writer.append(Packets.standard.frames[0], to: ids[0]) }
    let whole = writer.fragmentSummary.tracks[0].sampleCount
    try #require(whole > 0)
    let placed = try #require(writer.placed)
    writer.placed = PlacedMedia(start: writer.position + 16, end: placed.end)
    let error = #expect(throws: QuickTimeError.self) { try writer.writeFragment() }
    #expect(error?.message.hasPrefix(path) == true)
    writer.state = .failed(try #require(error))
    #expect(try writer.finishAfterFailure().tracks[0].sampleCount == whole)
    #expect(try frames(path) == whole)
  }

  @Test func a_small_file_does_not_overwrite_its_temporary_name() throws {
    let file = SmallFile(path: folder.path("a.json"))
    try "mine".write(toFile: file.temporaryPath, atomically: true, encoding: .utf8)
    try file.write([Array("text".utf8)])
    #expect(text(file.temporaryPath) == "mine" && text(file.path) == "text")
    let error = #expect(throws: QuickTimeError.self) {
      try file.write([Array("next".utf8)], isExclusive: true)
    }
    #expect(error?.code == .fileExists && text(file.path) == "text")
    #expect(try names == ["a.json", "a.json.part"])
  }

  @Test func a_small_files_identity_is_that_of_the_written_file() throws {
    let calls = FailingFileCalls()
    let path = folder.path("a.json")
    // The folder is synced once the file has its name.
    calls.failure = { call, _ in
      guard call == .openFolder else { return nil }
      try? "other".write(toFile: path, atomically: true, encoding: .utf8)
      return nil
    }
    let file = SmallFile(path: path, calls: calls)
    #expect(try file.write([Array("text".utf8)]) != file.identity && text(path) == "other")
    calls.failure = { _, _ in nil }
    #expect(try file.write([Array("text".utf8)]) == file.identity && text(path) == "text")
  }

  @Test func recovery_refuses_movies_of_other_programs() throws {
    try take.record(into: PosixMovieFile(path: path, mode: .create))
    #expect(try !MovieRecovery.recover(path: path).wasRecovered)
    // The same movie with the start that another program writes.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    bytes.replaceSubrange(8..<12, with: Array("mp42".utf8))
    try Data(bytes).write(to: URL(filePath: path))
    let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(path: path) }
    #expect(error?.code == .unsupported && error?.message.contains("not one of") == true)
  }
}
