import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// A journal with a stranger's lines, which target decoys in the test's own folder.
@Suite struct ForgedJournalTests {
  enum Opening: CaseIterable {
    case reading, changing, rebuilding, withoutCatalogue, readingWithoutCatalogue
    case withBothDamaged, readingWithBothDamaged
  }

  private func open(_ test: TestLibrary, _ opening: Opening) throws {
    let library = try test.another().library
    switch opening {
    case .reading:
      try library.open(for: .reading)
      _ = try library.fetchAssets().allObjects()
    case .changing: try library.open()
    case .rebuilding: _ = try library.rebuild()
    case .withoutCatalogue, .readingWithoutCatalogue:
      for suffix in ["", "-wal", "-shm"] {
        unlink(test.root + "/.medialibrary/catalogue.sqlite" + suffix)
      }
      let report = try library.open(for: opening == .withoutCatalogue ? .changing : .reading)
      #expect(report.wasRebuilt)
    case .withBothDamaged, .readingWithBothDamaged:
      let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
      try Data(repeating: 0x55, count: 8192).write(to: URL(filePath: catalogue))
      let journal = URL(filePath: test.root + "/.medialibrary/journal")
      try (Data("0123456789abcdef {}\n".utf8) + Data(contentsOf: journal)).write(to: journal)
      let report = try library.open(for: opening == .withBothDamaged ? .changing : .reading)
      #expect(report.catalogueSetAside != nil && report.journalSetAside != nil)
    }
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test(arguments: Opening.allCases)
  func a_forged_move_of_an_outside_file_is_ignored(opening: Opening) throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let decoy = try test.folder.write([1, 2, 3], "decoy/key").path
    let move = try ForgedJournal.move(decoy, to: "2026/11/stolen.txt")
    try ForgedJournal.append(ForgedJournal.entry(moves: [move]), to: test.root)
    try open(test, opening)
    #expect(isThere(decoy))
    #expect(!isThere(test.root + "/2026/11/stolen.txt"))
  }

  @Test(arguments: Opening.allCases)
  func a_forged_removal_of_an_outside_file_is_ignored(opening: Opening) throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let decoy = try test.folder.write([1, 2, 3], "decoy/key").path
    try ForgedJournal.append(
      ForgedJournal.entry(unlinks: [ForgedJournal.unlink(decoy)]), to: test.root)
    try open(test, opening)
    // Again, because a pending removal is made at the next opening.
    try test.another().library.open()
    #expect(isThere(decoy))
  }

  @Test func a_forged_pending_removal_of_an_outside_file_is_ignored() throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let decoy = try test.folder.write([1, 2, 3], "decoy/key").path
    let status = try ForgedJournal.status(decoy)
    try sqlite(
      test.root + "/.medialibrary/catalogue.sqlite",
      "INSERT INTO pendingUnlink(path, status) VALUES ('\(decoy)', '\(status)')")
    let report = try test.another().library.open()
    #expect(report.problems.contains { $0.contains(decoy) }, "\(report)")
    #expect(isThere(decoy))
  }

  @Test(arguments: [
    "../a.png", "/etc/a.png", ".medialibrary/journal", "2026/../../a.png", "2026//a.png", ".bashrc",
  ])
  func forged_assets_with_invalid_paths_are_rejected(path: String) throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let asset = ForgedJournal.asset(id: "A-1", path: path)
    try ForgedJournal.append(ForgedJournal.entry(created: [asset]), to: test.root)
    let report = try test.another().library.open(for: .reading)
    #expect(report.problems.contains { $0.contains("leads out of the library") }, "\(report)")
    #expect(try test.another().library.fetchAssets().count == 0)
  }

  @Test func negative_sizes_are_rejected_and_huge_sizes_do_not_crash() async throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let huge = ForgedJournal.asset(
      id: "A-1", paths: ["2026/11/a.png", "2026/11/b.png"], size: .max)
    let negative = ForgedJournal.asset(id: "A-2", path: "2026/11/c.png", size: -1)
    try ForgedJournal.append(ForgedJournal.entry(created: [huge]), to: test.root)
    try ForgedJournal.append(ForgedJournal.entry(sequence: 2, created: [negative]), to: test.root)
    let other = try test.another()
    let report = try other.library.open(for: .reading)
    #expect(report.problems.contains { $0.contains("has -1 bytes") }, "\(report)")
    let assets = try other.library.fetchAssets().allObjects()
    #expect(assets.map(\.fileSize) == [.max])
    let copy = try await other.library.offload(
      assets, to: [try test.folder.makeFolder("A")], deletes: false
    ) { _ in }
    #expect(copy.reports.map(\.failures.count) == [2])
  }

  @Test func identifiers_that_are_paths_are_rejected() throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let asset = ForgedJournal.asset(id: "../../../decoy", path: "2026/11/a.png")
    try ForgedJournal.append(ForgedJournal.entry(created: [asset]), to: test.root)
    #expect(try test.another().library.open().problems.contains { $0.contains("identifier") })
    #expect(try test.another().library.fetchAssets().count == 0)
  }

  @Test func a_valid_line_from_elsewhere_is_read() throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let asset = ForgedJournal.asset(id: "A-1", path: "2026/11/a.png")
    try ForgedJournal.append(ForgedJournal.entry(created: [asset]), to: test.root)
    #expect(try test.another().library.fetchAssets().count == 1)
  }

  // MARK: Changes begun by this user's own process

  /// A library whose process was killed after the journal had the line and before the file was moved.
  private func killed() async throws -> (test: TestLibrary, file: URL) {
    let model = FaultyFileCalls()
    let trial = try TestLibrary(calls: model)
    try trial.library.open()
    let first = try trial.folder.write(TestMedia.png(), "a.png")
    model.arm(nil)
    try await trial.add(first, moves: true)
    let point = try #require(model.trace.firstIndex(of: "rename"))
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    calls.arm(.deadFrom(point))
    await #expect(throws: MediaLibraryError.self) { try await test.add(file, moves: true) }
    test.library.close()
    try #require(isThere(file.path))
    return (test, file)
  }

  private func library(at url: URL, _ user: LibraryUser) -> PhotoLibrary {
    PhotoLibrary(at: url, calls: SystemLibraryFileCalls(), user: user, now: { 1_700_000_000 })
  }

  @Test func a_move_is_completed_for_the_user_who_started_it() async throws {
    let (test, file) = try await killed()
    // Opening for reading leaves the library as it is.
    let reading = try test.another().library.open(for: .reading)
    #expect(reading.pendingChanges == 1)
    #expect(isThere(file.path))
    #expect(try test.another().library.open().completedChanges == 1)
    #expect(!isThere(file.path))
    try test.expectSound()
    // The note was removed with the change.
    let notes = test.folder.user.state + "/moves"
    #expect(try FileManager.default.contentsOfDirectory(atPath: notes) == [])
  }

  @Test func a_move_is_not_completed_for_another_user_or_machine() async throws {
    let (test, file) = try await killed()
    let other = try TemporaryFolder()
    let report = try library(at: test.library.url, other.user).open()
    #expect(report.completedChanges == 0)
    #expect(report.problems.contains { $0.contains("did not begin it") }, "\(report)")
    #expect(isThere(file.path))
  }

  @Test func a_move_is_not_completed_in_a_copy_of_the_library() async throws {
    let (test, file) = try await killed()
    let copy = test.folder.url.appending(path: "Copy")
    try FileManager.default.copyItem(at: test.library.url, to: copy)
    try library(at: copy, test.folder.user).open()
    #expect(isThere(file.path))
    try test.another().library.open()
    #expect(!isThere(file.path))
  }

  @Test(arguments: Opening.allCases)
  func old_journal_lines_do_not_repeat_moves(opening: Opening) async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.dng(), "a.dng")
    try await test.add(file, moves: true)
    test.library.close()
    let place = test.root + "/2022/05/a.dng"
    try #require(rename(place, file.path) == 0)
    try sqlite(
      test.root + "/.medialibrary/catalogue.sqlite", "UPDATE position SET sequence = 0, offset = 0")
    try? open(test, opening)
    #expect(isThere(file.path))
    #expect(!isThere(place))
  }

  @Test func a_world_writable_note_is_ignored() async throws {
    let (test, file) = try await killed()
    let notes = test.folder.user.state + "/moves"
    for name in try FileManager.default.contentsOfDirectory(atPath: notes) {
      try #require(chmod(notes + "/" + name, 0o666) == 0)
    }
    try test.another().library.open()
    #expect(isThere(file.path))
  }

  @Test func without_a_state_folder_moves_fail_with_a_remedy() async throws {
    let folder = try TemporaryFolder()
    let user = LibraryUser(
      configuration: folder.url.path + "/c", state: try folder.write([1], "file").path + "/state")
    let photos = library(at: folder.url.appending(path: "Library"), user)
    let file = try folder.write(TestMedia.png(), "a.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await photos.performChanges {
        let request = try AssetCreationRequest.forAsset()
        request.addResource(
          with: .photo, fileURL: file, options: AssetResourceCreationOptions(shouldMoveFile: true))
      }
    }
    #expect(error?.message.contains("XDG_STATE_HOME") == true, "\(String(describing: error))")
    #expect(isThere(file.path))
    #expect(throws: MediaLibraryError.self) { try photos.checkAdding() }
  }

  // MARK: Size

  @Test func a_sparse_journal_tail_is_truncated_without_being_read() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    test.library.close()
    let journal = test.root + "/.medialibrary/journal"
    var facts = stat()
    try #require(lstat(journal, &facts) == 0)
    try #require(truncate(journal, facts.st_size + 3_000_000_000) == 0)
    let calls = FaultyFileCalls()
    let again = try test.another(calls: calls)
    calls.arm(nil)
    let report = try again.library.open(for: .reading)
    #expect(report.tornJournalBytes == 3_000_000_000)
    #expect(try again.library.fetchAssets().count == 1)
    // It is read in pieces of 4 MiB, twice the size of the longest line.
    #expect(calls.trace.count { $0 == "read" } < 60)
    try #require(lstat(journal, &facts) == 0)
    #expect(facts.st_size < 100_000)
    try test.expectSound()
  }
}
