import Foundation
import Glibc
import MediaCore
import MediaLibrary
import SystemPackage
import TestSupport
import Testing

/// Each call of a change fails once, and each call is once the last one of a killed process.
@Suite struct CrashTests {
  /// Saves a file that is moved, one that is copied, and data.
  private func save(_ test: TestLibrary, _ files: [URL]) async throws {
    try await test.library.performChanges {
      let first = try AssetCreationRequest.forAsset()
      first.addResource(
        with: .photo, fileURL: files[0], options: AssetResourceCreationOptions(shouldMoveFile: true)
      )
      first.addResource(with: .alternatePhoto, data: Data(TestMedia.png(seed: 9)))
      let second = try AssetCreationRequest.forAsset()
      second.addResource(with: .photo, fileURL: files[1])
    }
  }

  private func sources(_ folder: TemporaryFolder) throws -> [URL] {
    [
      try folder.write(TestMedia.dng(), "IMG_1.dng"),
      try folder.write(TestMedia.png(seed: 1), "IMG_2.png"),
    ]
  }

  /// The number of calls in a complete save.
  private func callCount() async throws -> Int {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let files = try sources(test.folder)
    calls.arm(nil)
    try await save(test, files)
    return calls.trace.count
  }

  /// Nothing or everything was saved, and the file to be moved still exists somewhere.
  private func expectAllOrNothing(_ test: TestLibrary, _ files: [URL], _ point: Int) throws {
    try test.expectSound()
    let count = try test.another().library.fetchAssets().count
    #expect(count == 0 || count == 2, "call \(point)")
    let isThere = FileManager.default.fileExists(atPath: files[0].path)
    #expect(isThere == (count == 0), "call \(point): the moved file exists once")
    #expect(FileManager.default.fileExists(atPath: files[1].path))
  }

  @Test func a_process_killed_at_any_call_leaves_all_or_nothing() async throws {
    let count = try await callCount()
    try #require(count > 20)
    for point in 0..<count {
      let calls = FaultyFileCalls()
      let test = try TestLibrary(calls: calls)
      try test.library.open()
      let files = try sources(test.folder)
      calls.arm(.deadFrom(point))
      try? await save(test, files)
      // The next opening repairs the library.
      try test.openAfterCrash()
      try expectAllOrNothing(test, files, point)
    }
  }

  /// A committed change waits for disk space, however often the library is opened in the meantime.
  @Test func a_change_blocked_by_a_full_disk_is_completed_later() async throws {
    let count = try await callCount()
    var hasWaited = false
    for point in 0..<count {
      let calls = FaultyFileCalls()
      let test = try TestLibrary(calls: calls)
      try test.library.open()
      let files = try sources(test.folder)
      calls.arm(.deadFrom(point))
      try? await save(test, files)
      var waits = 0
      let full = FaultyFileCalls()
      full.arm(.kind("rename", errno: ENOSPC))
      for _ in 0..<2 {
        do { try test.another(calls: full).library.open() } catch let error as MediaLibraryError {
          #expect(error.errno == .noSpace, "call \(point): \(error)")
          waits += 1
        }
      }
      try test.openAfterCrash()
      try expectAllOrNothing(test, files, point)
      #expect(waits == 0 || waits == 2, "call \(point): given up at the second opening")
      hasWaited = hasWaited || waits == 2
    }
    #expect(hasWaited)
  }

  @Test(.tags(.slow), arguments: [EIO, ENOSPC, EACCES, EDQUOT, EROFS])
  func a_failed_call_undoes_the_change_immediately(number: Int32) async throws {
    let count = try await callCount()
    let step = TestRun.isThorough ? (number == EIO ? 1 : 3) : (number == EIO ? 2 : 11)
    for point in stride(from: 0, to: count, by: step) {
      let calls = FaultyFileCalls()
      let test = try TestLibrary(calls: calls)
      try test.library.open()
      let files = try sources(test.folder)
      calls.arm(.once(point, errno: number))
      do {
        try await save(test, files)
      } catch let error as MediaLibraryError {
        #expect(error.errno == Errno(rawValue: number), "call \(point): \(error)")
      }
      calls.arm(nil)
      // The same object still works as if nothing had happened.
      let more = try test.folder.write(TestMedia.png(seed: 77), "IMG_3.png")
      let report = try await test.add(more)
      #expect(report.createdAssets.count == 1, "call \(point)")
      try test.expectSound()
    }
  }

  @Test func a_full_disk_leaves_library_and_source_unchanged() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let file = try test.folder.write(
      TestMedia.png() + [UInt8](repeating: 7, count: 3_000_000), "large.png")
    calls.arm(.diskFull(after: 1_500_000))
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(file) }
    #expect(error?.code == .diskFull)
    calls.arm(nil)
    try test.expectSound()
    #expect(test.originals.isEmpty)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func a_journal_with_a_partial_last_line_is_truncated() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    try await test.add(file)
    let journal = URL(filePath: test.root + "/.medialibrary/journal")
    let whole = try Data(contentsOf: journal)
    for cut in [1, 17, 40, 200] {
      try (whole + whole.prefix(cut)).write(to: journal)
      let report = try test.another().library.open()
      #expect(report.tornJournalBytes == Int64(cut))
      #expect(try Data(contentsOf: journal) == whole)
    }
    try test.expectSound()
  }

  @Test func a_catalogue_older_than_its_journal_is_brought_up_to_date() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "a.png"))
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    // As after a power cut: the catalogue's last transactions are missing.
    let old = try TemporaryFolder()
    for suffix in ["", "-wal", "-shm"] where access(catalogue + suffix, F_OK) == 0 {
      try FileManager.default.copyItem(
        atPath: catalogue + suffix, toPath: old.url.path + "/c" + suffix)
    }
    try await test.add(try test.folder.write(TestMedia.png(seed: 2), "b.png"))
    for suffix in ["", "-wal", "-shm"] {
      unlink(catalogue + suffix)
      if access(old.url.path + "/c" + suffix, F_OK) == 0 {
        try FileManager.default.copyItem(
          atPath: old.url.path + "/c" + suffix, toPath: catalogue + suffix)
      }
    }
    let report = try test.another().library.open()
    #expect(report.completedChanges == 1)
    #expect(try test.another().library.fetchAssets().count == 2)
    try test.expectSound()
  }
}
