import Foundation
import GRDB
import Glibc
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import MediaLibrary

/// For many files, the whole file system is synced once, while the catalogue is written.
@Suite struct ManyFilesTests {
  private func take(
    _ count: Int = 12, into test: TestLibrary, from card: URL
  ) async throws {
    try await test.library.performChanges {
      for seed in 0..<count {
        let request = try AssetCreationRequest.forAsset()
        request.addResource(with: .photo, fileURL: card.appending(path: "p\(seed).png"))
      }
    }
  }

  private func card(_ folder: TemporaryFolder, _ count: Int = 12) throws -> URL {
    for seed in 0..<count { try folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png") }
    return folder.url.appending(path: "Card")
  }

  @Test func a_killed_process_leaves_all_of_many_files_or_none() async throws {
    let calls = FaultyFileCalls()
    let whole = try TestLibrary(calls: calls)
    try whole.library.open()
    let all = try card(whole.folder)
    calls.arm(nil)
    try await take(into: whole, from: all)
    let count = calls.trace.count
    #expect(calls.trace.filter { $0 == "syncfs" }.count == 1)
    try #require(count > 40)
    var outcomes: Set<Int> = []
    for point in stride(from: 0, to: count, by: 5) {
      let test = try TestLibrary(calls: calls)
      calls.arm(nil)
      try test.library.open()
      let files = try card(test.folder)
      calls.arm(.deadFrom(point))
      try? await take(into: test, from: files)
      calls.arm(nil)
      try test.another().library.open()
      try test.expectSound()
      outcomes.insert(try test.another().library.fetchAssets().count)
    }
    #expect(outcomes == [0, 12])
  }

  /// From 32 files on, they are staged in several folders; from 256 on, the first sync starts before all are
  /// there.
  @Test(arguments: [(70, 61), (300, 331)])
  func a_killed_process_leaves_all_of_several_folders_or_none(
    count: Int, step: Int
  ) async throws {
    let calls = FaultyFileCalls()
    let source = try TemporaryFolder()
    let files = try card(source, count)
    let whole = try TestLibrary(calls: calls)
    try whole.library.open()
    calls.arm(nil)
    try await take(count, into: whole, from: files)
    try whole.expectSound()
    let trace = calls.trace
    #expect(trace.filter { $0 == "syncfs" }.count == (count < 256 ? 1 : 2))
    #expect(!trace.contains("rmdir"), "the folders stay for the next change")
    // Points throughout the change, and around its commit, when the first file is in place.
    let decided = try #require(trace.firstIndex(of: "rename"))
    let last = try #require(trace.indices.last)
    let points = stride(from: 0, to: last, by: step) + [decided, decided + 40, last]
    var outcomes: Set<Int> = []
    for point in points {
      let test = try TestLibrary(calls: calls)
      try test.library.open()
      calls.arm(.deadFrom(point))
      try? await take(count, into: test, from: files)
      calls.arm(nil)
      try test.another().library.open()
      try test.expectSound()
      outcomes.insert(try test.another().library.fetchAssets().count)
    }
    #expect(outcomes == [0, count])
  }

  @Test(arguments: ["mkdir", "syncfs", "write", "create", "rename", "sync"])
  func a_fault_among_several_folders_prevents_the_change(kind: String) async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let files = try card(test.folder, 300)
    calls.arm(.kind(kind, errno: EIO))
    await #expect(throws: MediaLibraryError.self) {
      try await take(300, into: test, from: files)
    }
    calls.arm(nil)
    #expect(try test.library.fetchAssets().count == 0)
    try test.expectSound()
  }

  /// On FAT and FUSE, `syncfs` does not flush the disk's cache or the server's.
  @Test(arguments: [0x4D44, 0x6573_5546])
  func files_are_synced_one_by_one_where_syncfs_is_unreliable(type: Int) async throws {
    let calls = FaultyFileCalls(fileSystem: type)
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let files = try card(test.folder, 70)
    calls.arm(nil)
    try await take(70, into: test, from: files)
    let trace = calls.trace
    #expect(!trace.contains("syncfs"))
    // Synced before the first rename: the files, their four folders and the parent folder.
    let decided = try #require(trace.firstIndex(of: "rename"))
    #expect(trace[..<decided].filter { $0 == "sync" }.count >= 70 + 4 + 1)
    try test.expectSound()
  }

  @Test func a_failed_file_system_sync_prevents_the_change() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let files = try card(test.folder)
    calls.arm(.kind("syncfs", errno: EIO))
    let error = await #expect(throws: MediaLibraryError.self) {
      try await take(into: test, from: files)
    }
    #expect(error?.errno == .ioError)
    calls.arm(nil)
    #expect(try test.library.fetchAssets().count == 0)
    try test.expectSound()
    try await take(into: test, from: files)
    #expect(try test.library.fetchAssets().count == 12)
    try test.expectSound()
  }

  @Test func an_old_catalogue_with_an_insert_trigger_is_migrated() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "first.png"))
    test.library.close()
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    try sqlite(
      catalogue,
      """
      DELETE FROM grdb_migrations WHERE identifier LIKE '4:%';
      CREATE TRIGGER assetTextInsert AFTER INSERT ON asset BEGIN
        INSERT INTO assetText(rowid, text) VALUES (new.id, new.text);
      END;
      """)
    let again = try test.another()
    try await again.add(try test.folder.write(TestMedia.png(seed: 2), "second.png"))
    again.library.close()
    let triggers = try await DatabaseQueue(path: catalogue).read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
    }
    #expect(triggers == ["assetTextDelete"])
    // FTS5 compares its index with the table, word by word.
    try sqlite(catalogue, "INSERT INTO assetText(assetText, rank) VALUES ('integrity-check', 1)")
    for name in ["first", "second"] {
      let found = try test.library.fetchAssets(with: FetchOptions(predicate: .text(name)))
      #expect(found.count == 1, "\(name)")
    }
  }

  @Test func identifiers_are_rfc_9562_version_4_uuids() throws {
    var seen: Set<String> = []
    for _ in 0..<1000 {
      let text = AssetIdentifier.random()
      let identifier = try #require(UUID(uuidString: text))
      #expect(identifier.uuidString == text)
      let bytes = identifier.uuid
      #expect(bytes.6 >> 4 == 4 && bytes.8 >> 6 == 0b10)
      seen.insert(text)
    }
    #expect(seen.count == 1000)
  }
}
