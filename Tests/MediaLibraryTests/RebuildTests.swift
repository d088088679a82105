import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct RebuildTests {
  @Test func a_rebuild_adopts_unlisted_files_and_drops_missing_ones() async throws {
    let test = try TestLibrary()
    for seed in 0..<3 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    let first = try #require(try test.library.fetchAssets().firstObject)
    unlink(try #require(first.fileURL).path)
    try FileManager.default.createDirectory(
      atPath: test.root + "/2021/03", withIntermediateDirectories: true)
    try TestMedia.movie(URL(filePath: test.root + "/2021/03/found.mov"))
    try Data("{}".utf8).write(to: URL(filePath: test.root + "/2021/03/found.json"))
    let report = try test.library.rebuild()
    #expect(report.adoptedFiles.sorted() == ["2021/03/found.json", "2021/03/found.mov"])
    #expect(report.missingFiles == first.resources.map(\.relativePath))
    #expect(report.assetCount == 3)
    let found = try #require(
      try test.library.fetchAssets(in: .proRes).firstObject)
    #expect(found.resources.map(\.type) == [.video, .companion])
    try test.expectSound()
    // A second rebuild finds nothing more to do.
    let again = try test.library.rebuild()
    #expect(again.adoptedFiles.isEmpty && again.missingFiles.isEmpty && again.assetCount == 3)
  }

  @Test func an_old_set_aside_catalogue_does_not_restore_removed_assets() async throws {
    let test = try TestLibrary()
    for seed in 0..<2 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    test.library.close()
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    for suffix in ["", "-wal"] where access(catalogue + suffix, F_OK) == 0 {
      try FileManager.default.copyItem(
        atPath: catalogue + suffix, toPath: catalogue + ".damaged-2020" + suffix)
    }
    let gone = try #require(try test.library.fetchAssets().firstObject)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([gone]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([gone]) }
    // The new journal begins with the present assets and does not mention removed ones.
    _ = try test.library.rebuild()
    test.library.close()
    for suffix in ["", "-wal", "-shm"] { unlink(catalogue + suffix) }
    let report = try test.another().library.rebuild()
    #expect(report.missingFiles == [] && report.problems == [] && report.assetCount == 1)
    try test.expectSound()
  }

  @Test(arguments: ["1904:01:01", "2095:01:01"])
  func implausible_camera_dates_are_ignored(day: String) async throws {
    let test = try TestLibrary()
    let bytes = TestMedia.dng().replacing("2022:05:24".utf8, with: day.utf8)
    let file = try test.folder.write(bytes, "Library/2021/03/found.dng")
    let written = Date(timeIntervalSince1970: 1_615_000_000)
    try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: file.path)
    _ = try test.library.rebuild()
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.creationDate == written)
  }

  @Test(arguments: [LibrarySettings.Access.readOnly, .addOnly])
  func settings_that_forbid_changes_forbid_a_rebuild(access: LibrarySettings.Access) async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    try test.folder.write(TestMedia.png(seed: 1), "Library/2021/03/found.png")
    var settings = LibrarySettings()
    settings.access = access
    try test.library.setSettings(settings)
    let error = #expect(throws: MediaLibraryError.self) { try test.library.rebuild() }
    #expect(error?.code == .accessDenied)
    try test.library.setSettings(LibrarySettings())
    #expect(try test.library.fetchAssets().count == 1)
    #expect(try test.library.rebuild().adoptedFiles == ["2021/03/found.png"])
  }

  @Test func companions_of_equally_named_takes_stay_with_their_take() async throws {
    let test = try TestLibrary()
    for reel in ["1", "2", "3"] {
      let movie = test.folder.url.appending(path: "\(reel)/take.mov")
      try test.folder.write([UInt8]("\(reel)".utf8), "\(reel)/take.mov.json")
      if reel == "3" { try test.folder.write([3], "\(reel)/take.txt") }
      try TestMedia.movie(movie, seed: UInt8(reel) ?? 0)
      try await test.library.save(movies: [movie])
    }
    let names = [
      "take.mov", "take.mov.json", "take-2.mov", "take-2.mov.json", "take-3.mov", "take-3.mov.json",
      "take-3.txt",
    ]
    #expect(test.originals == names.map { "2022/05/" + $0 }.sorted())
    // Exported flat, and rebuilt from the files alone, they are together as well.
    let assets = try test.library.fetchAssets().allObjects()
    var options = ExportOptions()
    options.isFlat = true
    let copy = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets + assets, to: copy, options: options)
    #expect(report.files.map(\.path).sorted() == names.sorted())
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary")
    test.library.close()
    _ = try test.library.rebuild()
    for asset in try test.library.fetchAssets().allObjects() {
      let stem = asset.originalFilename.dropLast(4)
      #expect(asset.resources.allSatisfy { $0.relativePath.hasPrefix("2022/05/\(stem).") })
    }
  }

  @Test func restoring_a_file_and_its_journal_restores_its_metadata() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let asset = try #require(try test.library.fetchAssets().firstObject)
    try await test.library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
    let file = try #require(asset.fileURL)
    let elsewhere = test.folder.url.appending(path: "elsewhere.png")
    try FileManager.default.moveItem(at: file, to: elsewhere)
    let report = try test.library.rebuild()
    #expect(report.assetCount == 0 && report.missingFiles.count == 1)
    // The file and the journal that knows it are restored.
    test.library.close()
    try FileManager.default.moveItem(at: elsewhere, to: file)
    let hidden = test.root + "/.medialibrary/"
    let names = try FileManager.default.contentsOfDirectory(atPath: hidden)
    let kept = try #require(names.first { $0.hasPrefix("journal.before-") })
    for name in names where name == "journal" || name.hasPrefix("catalogue.") {
      try FileManager.default.removeItem(atPath: hidden + name)
    }
    try FileManager.default.moveItem(atPath: hidden + kept, toPath: hidden + "journal")
    let back = try #require(try test.library.fetchAssets().firstObject)
    #expect(back.localIdentifier == asset.localIdentifier && back.isFavorite)
    try test.expectSound()
  }

  @Test func a_library_without_its_journal_still_opens() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    test.library.close()
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary/journal")
    #expect(test.library.exists)
    #expect(try test.library.fetchAssets().count == 1)
  }

  @Test(arguments: [RepairReport.Loss.missing, .empty, .endedEarly], [false, true])
  func the_kind_of_journal_loss_is_reported(loss: RepairReport.Loss, rebuilds: Bool) async throws {
    let test = try TestLibrary()
    for seed in 0..<2 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    test.library.close()
    let journal = URL(filePath: test.root + "/.medialibrary/journal")
    let bytes = try [UInt8](Data(contentsOf: journal))
    let firstEnd = try #require(bytes.firstIndex(of: 10))
    switch loss {
    case .missing: try FileManager.default.removeItem(at: journal)
    case .empty: try Data().write(to: journal)
    case .endedEarly: try Data(bytes[...firstEnd]).write(to: journal)
    }
    let library = try test.another().library
    let report: RepairReport
    if rebuilds {
      report = try library.rebuild()
    } else {
      #expect(try library.fetchAssets().count == 2)
      report = try #require(library.repairs.first)
    }
    #expect(report.journalLoss == loss)
    #expect(report.damagedJournalLines == 0 && report.journalSetAside != nil)
    #expect(try library.fetchAssets().count == 2)
    #expect(try await library.verify().isSound)
  }

  @Test(arguments: [RepairReport.Loss.missing, .empty])
  func the_kind_of_catalogue_loss_is_reported(loss: RepairReport.Loss) async throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    // Like a catalogue whose changes were all in a lost -wal file.
    let unfilled = try Data(contentsOf: URL(filePath: catalogue))
    for seed in 0..<2 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    test.library.close()
    for suffix in ["", "-wal", "-shm"] { unlink(catalogue + suffix) }
    if loss == .empty { try unfilled.write(to: URL(filePath: catalogue)) }
    let library = try test.another().library
    #expect(try library.fetchAssets().count == 2)
    let report = try #require(library.repairs.first)
    #expect(report.wasRebuilt && report.catalogueSetAside == nil)
    #expect(report.catalogueLoss == loss && report.journalLoss == nil)
  }

  @Test func a_rebuild_adopts_the_unlisted_spelling_of_a_name() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "caf\u{E9}.png"))
    let known = try #require(try test.library.fetchAssets().firstObject?.fileURL)
    let other = known.deletingLastPathComponent().appending(path: "cafe\u{301}.png")
    try Data(TestMedia.png(seed: 2)).write(to: other)
    #expect(try await test.library.verify().unlisted.count == 1)
    #expect(try test.library.rebuild().adoptedFiles.count == 1)
    #expect(try test.library.fetchAssets().count == 2)
  }

  @Test func hidden_files_do_not_affect_a_rebuild() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    for name in [".DS_Store", "._a.png", "b.png"] {
      try test.folder.write(TestMedia.png(seed: 1), "Library/2021/03/" + name)
    }
    #expect(try await test.library.verify().unlisted == ["2021/03/b.png"])
    #expect(try test.library.rebuild().adoptedFiles == ["2021/03/b.png"])
    let found = try await test.library.verify()
    #expect(found.isSound, "\(found)")
  }

  @Test func a_rebuild_keeps_data_found_only_in_the_journal() async throws {
    let test = try TestLibrary()
    let raw = try test.folder.write(TestMedia.dng(), "a.dng")
    let ids = try await test.library.performChanges {
      let request = try AssetCreationRequest.forAsset()
      request.isFavorite = true
      request.location = GeographicLocation(latitude: 1, longitude: 2)
      request.addResource(with: .photo, fileURL: raw)
      request.addResource(with: .alternatePhoto, data: Data(TestMedia.png()))
    }.createdAssets
    let before = try #require(try test.library.fetchAssets(withLocalIdentifiers: ids).first)
    _ = try test.library.rebuild()
    let after = try #require(try test.library.fetchAssets(withLocalIdentifiers: ids).first)
    #expect(after == before)
  }

  @Test func a_library_without_its_hidden_folder_is_rebuilt_from_the_files() async throws {
    let test = try TestLibrary()
    for seed in 0..<3 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    test.library.close()
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary")
    let report = try test.another().library.rebuild()
    #expect(report.adoptedFiles.count == 3)
    try test.expectSound()
  }

  @Test func a_lost_catalogue_is_restored_with_unusual_names_and_numbers() async throws {
    let test = try TestLibrary()
    let names = ["a \"b\" \\ c.png", "größe 🎞.png", "{[,:]}.png", "plain.png"]
    for (seed, name) in names.enumerated() {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), name))
    }
    let place = GeographicLocation(latitude: -1e-7, longitude: 179.999_999_9, altitude: 1e20)
    let all = try test.library.fetchAssets().allObjects()
    try await test.library.performChanges {
      for asset in all {
        let change = try AssetChangeRequest(for: asset)
        change.location = place
        change.isFavorite = true
        change.creationDate = Date(timeIntervalSince1970: 1_700_000_000.123_456)
      }
    }
    let before = try test.library.fetchAssets().allObjects()
    test.library.close()
    for suffix in ["", "-wal", "-shm"] {
      unlink(test.root + "/.medialibrary/catalogue.sqlite" + suffix)
    }
    let after = try test.another().library.fetchAssets().allObjects()
    #expect(after.map(\.localIdentifier) == before.map(\.localIdentifier))
    #expect(Set(after.flatMap(\.resources).map(\.originalFilename)) == Set(names))
    #expect(after.allSatisfy { $0.location == place && $0.isFavorite })
    #expect(after.map(\.creationDate) == before.map(\.creationDate))
    try test.expectSound()
  }

  /// The state after a process was killed just after setting the damaged catalogue aside: none of its content was
  /// in the journal yet.
  @Test(arguments: [false, true], [false, true])
  func an_interrupted_repair_loses_nothing_from_the_catalogue(
    isJournalEmpty: Bool, rebuilds: Bool
  ) async throws {
    let test = try TestLibrary()
    for seed in 0..<3 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    let before = try test.library.fetchAssets().allObjects()
    test.library.close()
    let hidden = test.root + "/.medialibrary/"
    let catalogue = hidden + "catalogue.sqlite"
    let aside = catalogue + ".damaged-20261129T120000Z"
    for suffix in ["-wal", "-shm", ""] {
      try #require(rename(catalogue + suffix, aside + suffix) == 0 || suffix != "")
    }
    let journal = URL(filePath: hidden + "journal")
    var bytes = try [UInt8](Data(contentsOf: journal))
    if isJournalEmpty {
      bytes = []
    } else {
      let first = try #require(bytes.firstIndex(of: 10))
      bytes[first + 30] ^= 0x20
    }
    try Data(bytes).write(to: journal)
    let library = try test.another().library
    if rebuilds { _ = try library.rebuild() }
    let after = try library.fetchAssets().allObjects()
    #expect(Set(after.map(\.localIdentifier)) == Set(before.map(\.localIdentifier)))
    try test.expectSound()
  }

  @Test func the_later_of_two_assets_claiming_a_file_wins() throws {
    let test = try TestLibrary()
    try test.library.open()
    test.library.close()
    for (sequence, id) in [(Int64(1), "A"), (2, "B")] {
      let asset = ForgedJournal.asset(id: id, path: "2026/11/a.png")
      try ForgedJournal.append(
        ForgedJournal.entry(sequence: sequence, created: [asset]), to: test.root)
    }
    unlink(test.root + "/.medialibrary/catalogue.sqlite")
    let assets = try test.another().library.fetchAssets().allObjects()
    #expect(assets.map(\.localIdentifier) == ["B"])
  }
}
