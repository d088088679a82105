import Foundation
import Glibc
import MediaCore
import MediaLibrary
import SystemPackage
import TestSupport
import Testing

/// A committed file is in the library or is reported; it is never removed as a leftover.
@Suite struct DecidedFilesTests {
  private func catalogueFiles(_ test: TestLibrary) -> [String] {
    ["", "-wal", "-shm"].map { test.root + "/.medialibrary/catalogue.sqlite" + $0 }
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Imports photos in one change.
  private func take(_ seeds: Range<Int>, into test: TestLibrary) async throws {
    let files = try seeds.map { try test.folder.write(TestMedia.png(seed: $0), "Card/p\($0).png") }
    try await test.library.performChanges {
      for file in files {
        try AssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file)
      }
    }
  }

  /// A library whose process was killed when this many of a change's two files were in place.
  private func killed(after moves: Int) async throws -> TestLibrary {
    let model = FaultyFileCalls()
    let trial = try TestLibrary(calls: model)
    try trial.library.open()
    model.arm(nil)
    try await take(0..<2, into: trial)
    let first = try #require(model.trace.firstIndex(of: "rename"))
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    calls.arm(.deadFrom(first + moves))
    await #expect(throws: MediaLibraryError.self) { try await take(0..<2, into: test) }
    test.library.close()
    try #require(test.originals.count == moves)
    return test
  }

  private func staged(_ test: TestLibrary) throws -> [String] {
    try test.leftInStaging().map { test.root + "/.medialibrary/staging/" + $0 }
  }

  @Test func files_stay_if_the_catalogue_is_several_changes_behind() async throws {
    let test = try TestLibrary()
    try await take(5..<6, into: test)
    test.library.close()
    // As after a power cut: the catalogue's last transactions are missing.
    var old: [String: Data] = [:]
    for path in catalogueFiles(test) where isThere(path) {
      old[path] = try Data(contentsOf: URL(filePath: path))
    }
    try await take(0..<2, into: test)
    let all = try test.library.fetchAssets().allObjects()
    let asset = try #require(all.first { $0.originalFilename == "p0.png" })
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    let kept = test.originals
    try #require(kept.count == 2)
    test.library.close()
    for path in catalogueFiles(test) {
      unlink(path)
      try old[path]?.write(to: URL(filePath: path))
    }
    let report = try test.another().library.open()
    #expect(report.problems == [])
    #expect(test.originals == kept)
    try test.expectSound()
  }

  @Test func replaying_old_changes_does_not_require_their_removed_sources() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await take(5..<6, into: test)
    test.library.close()
    var old: [String: Data] = [:]
    for path in catalogueFiles(test) where isThere(path) {
      old[path] = try Data(contentsOf: URL(filePath: path))
    }
    // A file from another mount is copied, and its source removed.
    calls.arm(.mountedApart)
    let moved = try test.folder.write(TestMedia.png(seed: 1), "Card/moved.png")
    try await test.add(moved, moves: true)
    try #require(!isThere(moved.path))
    try await take(2..<3, into: test)
    test.library.close()
    for path in catalogueFiles(test) {
      unlink(path)
      try old[path]?.write(to: URL(filePath: path))
    }
    #expect(try test.another().library.open().problems == [])
    #expect(try test.another().library.fetchAssets().count == 3)
    try test.expectSound()
  }

  @Test func a_file_in_place_stays_if_another_of_its_change_is_missing() async throws {
    let test = try await killed(after: 1)
    for path in try staged(test) { unlink(path) }
    let report = try test.another().library.open()
    #expect(report.problems.contains { $0.contains("could not be completed") }, "\(report)")
    #expect(test.originals.count == 1)
  }

  @Test func a_committed_file_is_set_aside_if_its_place_is_taken() async throws {
    let test = try await killed(after: 1)
    let place = try #require(test.originals.first)
    let other = place.hasSuffix("p0.png") ? "p1.png" : "p0.png"
    let taken = test.root + "/" + place.dropLast(6) + other
    try Data([1]).write(to: URL(filePath: taken))
    let waiting = try #require(try staged(test).first)
    let bytes = try Data(contentsOf: URL(filePath: waiting))
    let report = try test.another().library.open()
    let reported = try #require(report.problems.first { $0.contains("it is kept as ") })
    let aside = String(try #require(reported.split(separator: " ").last))
    #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
    #expect(try test.leftInStaging() == [])
    #expect(try test.another().library.open().problems == [])
    #expect(isThere(aside))
  }

  @Test func a_change_that_can_be_neither_made_nor_undone_is_completed_later() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    calls.arm(.kinds(["rename", "truncate"], errno: EIO))
    let error = await #expect(throws: MediaLibraryError.self) { try await take(0..<2, into: test) }
    #expect(error?.message.contains("completed when the library is next opened") == true)
    calls.arm(nil)
    test.library.close()
    #expect(try test.another().library.open().completedChanges == 1)
    #expect(try test.another().library.fetchAssets().count == 2)
    try test.expectSound()
  }

  @Test func files_of_a_running_change_do_not_cause_a_journal_scan() async throws {
    let test = try TestLibrary()
    try await take(0..<2, into: test)
    test.library.close()
    func reads() throws -> Int {
      let calls = FaultyFileCalls()
      calls.arm(nil)
      try test.another(calls: calls).library.open()
      return calls.trace.count { $0 == "read" }
    }
    let usual = try reads()
    let staging = test.root + "/.medialibrary/staging/running"
    try FileManager.default.createDirectory(
      atPath: staging + "/f0", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: staging + "/f0/0"))
    let folder = open(staging, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    try #require(flock(folder, LOCK_EX | LOCK_NB) == 0)
    #expect(try reads() == usual)
    #expect(isThere(staging + "/f0/0"))
  }

  /// FAT, exFAT and FUSE, which make up inodes.
  private static let forgetful = [0x4D44, 0x2011_BAB0, 0x6573_5546]

  @Test(arguments: forgetful)
  func changes_are_completed_on_disks_with_made_up_inodes(fileSystem: Int) async throws {
    for moves in [0, 1] {
      let test = try await killed(after: moves)
      let calls = FaultyFileCalls(fileSystem: fileSystem)
      calls.arm(.forgottenFacts)
      let report = try test.another(calls: calls).library.open()
      #expect(report.completedChanges == 1 && report.problems == [], "\(report)")
      #expect(test.originals.count == 2)
      try test.expectSound()
    }
  }

  @Test(arguments: forgetful + [0xEF53])
  func pending_removals_are_recognized_despite_made_up_inodes(
    fileSystem: Int
  ) async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await take(0..<1, into: test)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    calls.arm(.kind("unlink", errno: EBUSY))
    let report = try await test.library.performChanges {
      try AssetChangeRequest.expungeAssets([asset])
    }
    #expect(report.leftovers == asset.resources.map(\.relativePath))
    #expect(report.warnings.contains { $0.contains("could not be removed yet") }, "\(report)")
    test.library.close()
    let later = FaultyFileCalls(fileSystem: fileSystem)
    later.arm(.forgottenFacts)
    try test.another(calls: later).library.open()
    // If inodes are persistent, a file with a different inode is another file.
    #expect(test.originals.count == (fileSystem == 0xEF53 ? 1 : 0))
  }

  /// With the catalogue, which knows what is to be removed, and with the journal alone.
  @Test(arguments: [false, true], [false, true])
  func a_rebuild_does_not_adopt_files_awaiting_removal(
    hasCatalogue: Bool, isLast: Bool
  ) async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await take(0..<2, into: test)
    let all = try test.library.fetchAssets().allObjects()
    let asset = all[0]
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    calls.arm(.kind("unlink", errno: EBUSY))
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    if !isLast {
      try await test.library.performChanges {
        try AssetChangeRequest(for: all[1]).isFavorite = true
      }
    }
    test.library.close()
    try #require(test.originals.count == 2)
    if !hasCatalogue { for path in catalogueFiles(test) { unlink(path) } }
    // First while the disk still refuses, then when it no longer does.
    let refusing = FaultyFileCalls()
    refusing.arm(.unlinks(at: "p", errno: EBUSY))
    let refused = try test.another(calls: refusing)
    let report = try refused.library.rebuild()
    #expect(report.adoptedFiles == [] && report.assetCount == 1)
    #expect(report.problems.contains { $0.contains("could not be removed yet") }, "\(report)")
    refused.library.close()
    #expect(try test.another().library.rebuild().adoptedFiles == [])
    #expect(test.originals == all[1].resources.map(\.relativePath))
    try test.expectSound()
  }

  @Test(arguments: [false, true])
  func a_full_disk_loses_nothing_while_the_catalogue_is_rebuilt(rebuilds: Bool) async throws {
    let test = try await killed(after: 0)
    for path in catalogueFiles(test) { unlink(path) }
    let full = FaultyFileCalls()
    full.arm(.kind("rename", errno: ENOSPC))
    let error = #expect(throws: MediaLibraryError.self) {
      let library = try test.another(calls: full).library
      if rebuilds { _ = try library.rebuild() } else { try library.open() }
    }
    #expect(error?.errno == .noSpace)
    try test.another().library.open()
    #expect(test.originals.count == 2)
    try test.expectSound()
  }
}
