import Foundation
import Glibc
import MediaCore
import MediaLibrary
import Synchronization
import TestSupport
import Testing

/// Links in place of the library's own files and folders, leading to decoys in the test's own folder.
@Suite struct LinkAttackTests {
  static let own = [
    "journal", "lock", "settings.json", "catalogue.sqlite", "catalogue.sqlite-wal",
    "catalogue.sqlite-shm", "catalogue.sqlite-journal", "staging", "previews",
  ]

  private func libraryWithAnAsset() async throws -> TestLibrary {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    test.library.close()
    return test
  }

  @Test(arguments: own, [LibraryPurpose.reading, .changing])
  func linked_library_files_are_refused(name: String, purpose: LibraryPurpose) async throws {
    let test = try await libraryWithAnAsset()
    let decoy = try test.folder.write([UInt8]("keep this".utf8), "decoy")
    let path = test.root + "/.medialibrary/" + name
    try? FileManager.default.removeItem(atPath: path)
    try #require(symlink(decoy.path, path) == 0)
    let error = #expect(throws: MediaLibraryError.self) {
      try test.another().library.open(for: purpose)
    }
    #expect(error?.code == .invalidPath, "\(String(describing: error))")
    #expect(error?.message.contains(name) == true)
    #expect(try Data(contentsOf: decoy) == Data("keep this".utf8))
  }

  @Test(arguments: own, [LibraryPurpose.reading, .changing])
  func a_dangling_link_creates_no_file(name: String, purpose: LibraryPurpose) async throws {
    let test = try await libraryWithAnAsset()
    let outside = test.folder.url.path + "/outside"
    let path = test.root + "/.medialibrary/" + name
    try? FileManager.default.removeItem(atPath: path)
    try #require(symlink(outside, path) == 0)
    #expect(throws: MediaLibraryError.self) { try test.another().library.open(for: purpose) }
    #expect(access(outside, F_OK) != 0)
  }

  @Test func a_linked_hidden_folder_is_refused() async throws {
    let test = try await libraryWithAnAsset()
    let hidden = test.root + "/.medialibrary"
    let elsewhere = test.folder.url.path + "/elsewhere"
    try #require(rename(hidden, elsewhere) == 0)
    try #require(symlink(elsewhere, hidden) == 0)
    for purpose in [LibraryPurpose.reading, .changing] {
      let error = #expect(throws: MediaLibraryError.self) {
        try test.another().library.open(for: purpose)
      }
      #expect(error?.code == .invalidPath)
    }
  }

  @Test func a_hard_linked_journal_is_not_written() async throws {
    let test = try await libraryWithAnAsset()
    let decoy = try test.folder.write([UInt8]("keep this".utf8), "decoy")
    let journal = test.root + "/.medialibrary/journal"
    unlink(journal)
    try #require(link(decoy.path, journal) == 0)
    #expect(throws: MediaLibraryError.self) { try test.another().library.open() }
    #expect(try Data(contentsOf: decoy) == Data("keep this".utf8))
  }

  @Test func an_original_replaced_by_a_link_is_not_read() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.dng(), "a.dng"))
    let asset = try #require(try test.library.fetchAssets().firstObject)
    let decoy = try test.folder.write(TestMedia.dng(), "decoy.dng")
    let place = test.root + "/2022/05/a.dng"
    unlink(place)
    try #require(symlink(decoy.path, place) == 0)
    await #expect(throws: MediaLibraryError.self) {
      for resource in asset.resources {
        for try await _ in AssetResourceManager.default().data(for: resource) {}
      }
    }
    await #expect(throws: MediaLibraryError.self) {
      try await test.library.preview(.thumbnail, of: asset)
    }
    #expect(try await !test.library.verify().isSound)
  }

  @Test func links_on_a_card_are_not_imported() async throws {
    let test = try TestLibrary()
    let decoy = try test.folder.write(TestMedia.png(seed: 1), "decoy/picture.png").path
    let note = try test.folder.write([UInt8]("secret".utf8), "decoy/key").path
    let card = try test.folder.write(TestMedia.png(seed: 2), "card/b.png")
      .deletingLastPathComponent()
    try #require(symlink(decoy, card.path + "/a.png") == 0)
    try #require(symlink(note, card.path + "/b.xmp") == 0)
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 1)
    #expect(report.ignored.sorted() == [card.path + "/a.png", card.path + "/b.xmp"])
    #expect(test.originals.count == 1)
    // Importing a named file does not import a link beside it either.
    let named = try test.another().library
    try await named.performChanges {
      try AssetChangeRequest.deleteAssets((try? named.fetchAssets().allObjects()) ?? [])
    }
    let again = try await named.importFiles([card.appending(path: "b.png")])
    #expect(again.imported.count == 1)
    #expect(again.ignored == [card.path + "/b.xmp"])
  }

  @Test(arguments: [true, false])
  func a_linked_year_folder_is_refused_with_and_without_openat2(usesOpenat2: Bool) async throws {
    let test = try TestLibrary(calls: SystemLibraryFileCalls(usesOpenat2: usesOpenat2))
    try test.library.open()
    let outside = test.folder.url.appending(path: "outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try #require(symlink(outside.path, test.root + "/2022") == 0)
    let file = try test.folder.write(TestMedia.dng(), "a.dng")
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(file) }
    #expect(error?.code == .invalidPath, "\(String(describing: error))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  @Test(arguments: [true, false])
  func swapping_a_folder_for_a_link_lets_no_file_escape(usesOpenat2: Bool) async throws {
    let test = try TestLibrary(calls: SystemLibraryFileCalls(usesOpenat2: usesOpenat2))
    try test.library.open()
    let outside = test.folder.url.path + "/outside/05"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: test.root + "/2022/05", withIntermediateDirectories: true)
    let (year, held) = (test.root + "/2022", test.root + "/held")
    let trap = test.root + "/trap"
    try #require(symlink(test.folder.url.path + "/outside", trap) == 0)
    let isOver = Atomic(false)
    let swaps = Atomic(0)
    let attacker = Thread {
      while !isOver.load(ordering: .acquiring) {
        rename(year, held)
        rename(trap, year)
        rename(year, trap)
        rename(held, year)
        swaps.wrappingAdd(1, ordering: .relaxed)
      }
      isOver.store(false, ordering: .releasing)
    }
    attacker.start()
    for seed in 0..<40 {
      // Some fail because their folder is missing or a link at that moment.
      _ = try? await test.add(try test.folder.write(TestMedia.dng(seed: seed), "\(seed).dng"))
    }
    isOver.store(true, ordering: .releasing)
    try await eventually("the attacker ends") { !isOver.load(ordering: .acquiring) }
    #expect(swaps.load(ordering: .relaxed) > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
  }
}
