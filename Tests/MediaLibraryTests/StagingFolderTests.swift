import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// The staging folder is kept from change to change.
@Suite struct StagingFolderTests {
  private func kept(_ test: TestLibrary) -> String { test.root + "/.medialibrary/staging/kept" }

  private func inode(_ path: String) -> UInt64? {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func take(_ seeds: Range<Int>, into test: TestLibrary) async throws {
    let files = try seeds.map {
      try test.folder.write(TestMedia.png(seed: $0), "Card/p\($0).png")
    }
    try await test.library.performChanges {
      for file in files {
        try AssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file)
      }
    }
  }

  @Test func changes_reuse_the_staging_folders() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await take(0..<80, into: test)
    let folders = ["", "/f0", "/f1", "/f2", "/f3"].map { inode(kept(test) + $0) }
    #expect(!folders.contains(nil))
    calls.arm(nil)
    try await take(100..<180, into: test)
    try await take(200..<202, into: test)
    #expect(!calls.trace.contains("rmdir"))
    try test.expectSound()
    #expect(["", "/f0", "/f1", "/f2", "/f3"].map { inode(kept(test) + $0) } == folders)
    #expect(try test.library.fetchAssets().count == 162)
  }

  @Test func concurrent_changes_use_separate_staging_folders() async throws {
    let test = try TestLibrary()
    try await take(0..<2, into: test)
    let other = open(kept(test), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    try Data([1]).write(to: URL(filePath: kept(test) + "/theirs"))
    try await take(10..<90, into: test)
    try test.another().library.open()
    #expect(try test.leftInStaging() == ["kept/theirs"])
    close(other)
    let report = try test.another().library.open()
    #expect(report.removedStagingFolders == 1)
    #expect(try test.another().library.open().removedStagingFolders == 0)
    try test.expectSound()
    #expect(try test.library.fetchAssets().count == 82)
  }

  @Test(arguments: [3, 80])
  func an_open_process_completes_a_change_committed_by_a_killed_one(count: Int) async throws {
    let calls = FaultyFileCalls()
    let whole = try TestLibrary(calls: calls)
    try await take(0..<1, into: whole)
    calls.arm(nil)
    try await take(1..<(1 + count), into: whole)
    let decided = try #require(calls.trace.firstIndex(of: "rename"))

    // Between the renames of the first and the last file.
    for point in [decided + 1, decided + count / 2, decided + count - 1] {
      let test = try TestLibrary(calls: calls)
      calls.arm(nil)
      try await take(0..<1, into: test)
      let present = try test.another()
      try present.library.open()
      calls.arm(.deadFrom(point))
      try? await take(1..<(1 + count), into: test)
      calls.arm(nil)
      // The files still staged and this change do not interfere with each other.
      try await take(200..<202, into: present)
      #expect(try present.library.fetchAssets().count == 3 + count)
      try present.expectSound()
    }
  }

  @Test func links_in_the_staging_folder_do_not_cause_removals_elsewhere() async throws {
    let test = try TestLibrary()
    try await take(0..<1, into: test)
    let stranger = try test.folder.write([1, 2, 3], "Elsewhere/Folder/file")
    let elsewhere = test.folder.url.appending(path: "Elsewhere").path
    let staging = test.root + "/.medialibrary/staging"
    try FileManager.default.createSymbolicLink(
      atPath: staging + "/other", withDestinationPath: elsewhere + "/Folder")
    try test.another().library.open()
    #expect(FileManager.default.fileExists(atPath: stranger.path))
    try FileManager.default.removeItem(atPath: kept(test))
    try FileManager.default.createSymbolicLink(
      atPath: kept(test), withDestinationPath: elsewhere + "/Folder")
    try test.another().library.open()
    await #expect(throws: MediaLibraryError.self) { try await take(1..<2, into: test) }
    #expect(FileManager.default.fileExists(atPath: stranger.path))
    try FileManager.default.removeItem(atPath: staging)
    try FileManager.default.createSymbolicLink(atPath: staging, withDestinationPath: elsewhere)
    let error = #expect(throws: MediaLibraryError.self) { try test.another().library.open() }
    #expect(error?.code == .invalidPath)
    #expect(FileManager.default.fileExists(atPath: stranger.path))
  }
}
