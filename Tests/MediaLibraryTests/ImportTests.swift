import Foundation
import Glibc
import MediaCore
import MediaLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct ImportTests {
  @Test func a_folder_import_recognizes_every_kind_of_file() async throws {
    let test = try TestLibrary()
    let folder = test.folder.url.appending(path: "Card")
    for seed in 0..<270 {
      try test.folder.write(TestMedia.png(seed: seed), "Card/DCIM/p\(seed).png")
    }
    try test.folder.write(TestMedia.dng(), "Card/DCIM/raw.dng")
    try TestMedia.movie(folder.appending(path: "clip.mov"))
    try test.folder.write([UInt8]("{}".utf8), "Card/clip.json")
    try test.folder.write([UInt8]("text".utf8), "Card/readme.txt")
    let report = try await test.library.importFiles([folder])
    #expect(report.imported.count == 272)
    #expect(report.failures.isEmpty)
    let ignored = report.ignored.compactMap { $0.split(separator: "/").last.map(String.init) }
    #expect(ignored == ["readme.txt"], "clip.json belongs to clip.mov")
    #expect(try test.library.assetCount(in: .videos) == 1)
    #expect(try test.library.assetCount(in: .raw) == 1)
    #expect(test.originals.count == 273)
    let again = try await test.library.importFiles([folder])
    #expect(again.imported.isEmpty && again.duplicates.count == 272)
    try test.expectSound()
  }

  /// Someone kept editing on the card.
  @Test func a_changed_companion_of_an_existing_photo_is_reported() async throws {
    let test = try TestLibrary()
    let folder = test.folder.url.appending(path: "Card")
    try test.folder.write(TestMedia.dng(), "Card/a.dng")
    let packet = try test.folder.write([UInt8]("<x:xmpmeta/>".utf8), "Card/a.xmp")
    #expect(try await test.library.importFiles([folder]).imported.count == 1)
    let same = try await test.library.importFiles([folder])
    #expect(same.duplicates.map(\.omittedCompanions) == [nil])
    try test.folder.write([UInt8]("<x:xmpmeta> </x:xmpmeta>".utf8), "Card/a.xmp")
    let changed = try await test.library.importFiles([folder])
    #expect(changed.duplicates.map(\.omittedCompanions) == [[packet.path]])
  }

  /// As on a card with a bad block, or in a network folder that was remounted.
  @Test(arguments: [EIO, ESTALE])
  func a_folder_with_an_incomplete_listing_is_reported_and_others_imported(
    number: Int32
  ) async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    try test.folder.write(TestMedia.png(seed: 1), "Card/100/p1.png")
    try test.folder.write(TestMedia.png(seed: 2), "Card/101/p2.png")
    try test.folder.write(TestMedia.png(seed: 3), "Card/101/p3.png")
    let card = test.folder.url.appending(path: "Card")
    calls.arm(.cutList(at: "p3.png", errno: number))
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 1)
    #expect(report.failures.map(\.path) == [card.path + "/101"])
    #expect(report.failures.first?.message.contains("cannot list") == true)
    // A single file is imported, but the folder is reported because companions may be missing.
    let named = try await test.library.importFiles([card.appending(path: "101/p2.png")])
    #expect(named.imported.count == 1 && named.failures.map(\.path) == [card.path + "/101"])
    calls.arm(nil)
    #expect(try await test.library.importFiles([card]).failures.isEmpty)
    try test.expectSound()
  }

  @Test func full_disk_errors_name_the_source_files() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    // More than fit in one block of changes.
    let names = (0..<1030).map { "p\($0).png" }
    let files = try names.enumerated().map { seed, name in
      try test.folder.write(TestMedia.png(seed: seed), "Card/" + name)
    }
    calls.arm(.diskFull(after: 400))
    let report = try await test.library.importFiles(files)
    calls.arm(nil)
    #expect(report.imported.isEmpty)
    #expect(report.failures.map(\.path) == files.map(\.path))
    for failure in report.failures {
      #expect(failure.code == "diskFull")
      #expect(
        failure.message.hasPrefix("\(failure.path): the disk of the library \(test.root) is full"))
      #expect(!failure.message.contains(".medialibrary"))
    }
    // A single file, in a change made by a program.
    calls.arm(.diskFull(after: 10))
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(files[0]) }
    #expect(error?.errno == .noSpace)
    #expect(error?.message.hasPrefix(files[0].path + ": the disk") == true)
    calls.arm(nil)
    try test.expectSound()
  }

  @Test func a_file_given_more_than_once_is_imported_once() async throws {
    let test = try TestLibrary()
    let first = try test.folder.write(TestMedia.png(seed: 1), "Card/a.png")
    let second = try test.folder.write(TestMedia.png(seed: 2), "Card/b.png")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([first, first, second, card])
    #expect(report.imported.map(\.path) == [first.path, second.path])
    #expect(report.duplicates.isEmpty && report.failures.isEmpty)
    for imported in report.imported {
      let asset = try test.library.fetchAssets(withLocalIdentifiers: [imported.asset]).first
      #expect(imported.path.hasSuffix("/" + (asset?.originalFilename ?? "none")))
    }
  }

  @Test func files_with_two_spellings_of_a_name_get_separate_assets() async throws {
    let test = try TestLibrary()
    let composed = try test.folder.write(TestMedia.png(seed: 1), "1/caf\u{E9}.png")
    let other = try test.folder.write(TestMedia.png(seed: 2), "2/b.png")
    try await test.add(composed)
    // The same content under a name with the same text in different bytes.
    let decomposed = try test.folder.write(TestMedia.png(seed: 1), "1/cafe\u{301}.png")
    let third = try test.folder.write(TestMedia.png(seed: 3), "3/cafe\u{301}.png")
    try FileManager.default.removeItem(at: composed)
    let new = try test.folder.write(TestMedia.png(seed: 4), "1/caf\u{E9}.png")
    let report = try await test.library.importFiles([decomposed, new, other, third])
    #expect(report.duplicates.map { Array($0.source.utf8) } == [Array(decomposed.path.utf8)])
    #expect(
      report.imported.map { Array($0.path.utf8) }
        == [new, other, third].map { Array($0.path.utf8) })
    try test.expectSound()
  }

  @Test(arguments: [AssetCreationRequest.DuplicatePolicy.keep, .skip])
  func an_import_does_not_move_the_librarys_own_file(
    duplicates: AssetCreationRequest.DuplicatePolicy
  ) async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let own = try #require(try test.library.fetchAssets().firstObject?.fileURL)
    var options = ImportOptions()
    options.moves = true
    options.duplicates = duplicates
    let report = try await test.library.importFiles([own], options: options)
    #expect(report.imported.isEmpty)
    #expect(report.failures.map(\.code) == ["fileInUse"])
    #expect(report.failures.first?.message.hasPrefix(own.path + ": ") == true)
    try test.expectSound()
  }

  @Test(arguments: [true, false])
  func a_name_the_disk_rejects_is_reported_with_its_character(isReported: Bool) async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    calls.arm(.fatNames(isReported: isReported))
    try test.library.open()
    let names = ["12:30.png", "good.png"] + (isReported ? ["dot.png."] : [])
    let files = try names.enumerated().map { seed, name in
      try test.folder.write(TestMedia.png(seed: seed), "Card/" + name)
    }
    let report = try await test.library.importFiles(files)
    #expect(report.imported.map(\.path) == [files[1].path])
    let messages = report.failures.map(\.message)
    #expect(
      messages.first?.contains("'12:30.png'") == true && messages.first?.contains("':'") == true)
    #expect(!messages.contains { $0.contains("staging") })
    #expect(messages.count == (isReported ? 2 : 1))
    if isReported {
      #expect(messages.last?.contains("dot at the end") == true)
      // A name is checked in the same way before a recording begins.
      #expect(throws: MediaLibraryError.self) {
        try test.library.checkAdding(fileNamed: "12:30.mov")
      }
    }
    try test.expectSound()
  }

  @Test(arguments: [(0xEF53, "a"), (0x2011_BAB0, "a-2")])
  func names_differing_in_case_stay_distinct_on_every_disk(type: Int, stem: String) async throws {
    let test = try TestLibrary(calls: FaultyFileCalls(fileSystem: type))
    let files = try ["A.png", "a.png"].enumerated().map { index, name in
      try test.folder.write(TestMedia.png(seed: index), name)
    }
    try await test.library.performChanges {
      for file in files {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
      }
    }
    let names = test.originals.compactMap { $0.split(separator: "/").last.map(String.init) }
    #expect(names.sorted() == ["A.png", stem + ".png"].sorted())
  }

  @Test func both_files_of_a_rejected_photo_pair_are_reported() async throws {
    let test = try TestLibrary()
    let names = ["new\nline.dng", "new\nline.png"]
    try test.folder.write(TestMedia.dng(), "Card/" + names[0])
    try test.folder.write(TestMedia.png(), "Card/" + names[1])
    let report = try await test.library.importFiles([test.folder.url("Card")])
    #expect(report.imported.isEmpty)
    #expect(Set(report.failures.map { URL(filePath: $0.path).lastPathComponent }) == Set(names))
  }

  /// Identical messages are reported once; two files of the same name in different folders are both reported.
  @Test func an_invalid_name_is_reported_with_its_folder() async throws {
    let test = try TestLibrary()
    for (seed, folder) in ["A001", "A002"].enumerated() {
      try test.folder.write(TestMedia.png(seed: seed), "Card/\(folder)/new\nline.png")
    }
    let report = try await test.library.importFiles([test.folder.url("Card")])
    #expect(report.failures.count == 2)
    for failure in report.failures {
      #expect(failure.message.hasPrefix(failure.path + ": "), "\(failure.message)")
    }
  }

  @Test func only_links_given_explicitly_are_followed_to_folders() async throws {
    let test = try TestLibrary()
    try test.folder.write(TestMedia.png(), "Card/a.png")
    try test.folder.makeFolder("Other")
    for link in ["link", "Other/link"] {
      try FileManager.default.createSymbolicLink(
        atPath: test.folder.path(link), withDestinationPath: test.folder.path("Card"))
    }
    let inside = try await test.library.importFiles([test.folder.url("Other")])
    #expect(inside.imported.isEmpty && inside.ignored.count == 1)
    let named = try await test.library.importFiles([URL(filePath: test.folder.path("link"))])
    #expect(named.imported.map(\.path) == [test.folder.path("link/a.png")])
    // The library is not imported into itself, by whatever name.
    try FileManager.default.createSymbolicLink(
      atPath: test.folder.path("own"), withDestinationPath: test.root)
    let own = try await test.library.importFiles([URL(filePath: test.folder.path("own"))])
    #expect(own.imported.isEmpty && own.duplicates.isEmpty && own.failures.isEmpty)
    #expect(own.ignored == [test.folder.path("own")])
  }

  @Test func progress_ends_with_all_files_and_bytes() async throws {
    let test = try TestLibrary()
    let files = try (0..<5).map { seed in
      try test.folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png")
    }
    let last = Mutex<LibraryProgress?>(nil)
    _ = try await test.library.importFiles(files) { progress in last.withLock { $0 = progress } }
    let imported = try #require(last.withLock { $0 })
    #expect(imported.fileCount == 5 && imported.totalFileCount == 5)
    #expect(imported.byteCount == imported.totalByteCount && imported.byteCount > 0)
    _ = try await test.library.verify { progress in last.withLock { $0 = progress } }
    #expect(last.withLock { $0 } == imported)
    test.library.close()
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary")
    _ = try test.library.rebuild { progress in last.withLock { $0 = progress } }
    #expect(last.withLock { $0 } == imported)
  }

  @Test func verification_during_an_import_reports_no_damage() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "a.png"))
    let other = try test.another()
    let file = try test.folder.write(TestMedia.png(seed: 2), "b.png")
    let isFirst = Mutex(true)
    let verification = try await test.library.verify { _ in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      // A complete import by another process.
      let done = DispatchSemaphore(value: 0)
      Task {
        _ = try? await other.library.importFiles([file])
        done.signal()
      }
      done.wait()
    }
    #expect(try test.library.fetchAssets().count == 2)
    #expect(verification.isSound, "\(verification)")
  }

  @Test func a_bad_file_is_reported_and_the_others_imported() async throws {
    let test = try TestLibrary()
    let good = try test.folder.write(TestMedia.png(), "a.png")
    let bad = try test.folder.write([UInt8]("no".utf8), "b.mov")
    let none = test.folder.url.appending(path: "c.mov")
    let report = try await test.library.importFiles([good, bad, none])
    #expect(report.imported.map(\.path) == [good.path])
    #expect(report.failures.map(\.path) == [bad.path, none.path])
    #expect(report.failures.map(\.code) == ["invalidResource", "fileNotFound"])
    try test.expectSound()
  }

  @Test func each_companion_is_imported_with_exactly_one_asset() async throws {
    let test = try TestLibrary()
    try FileManager.default.createDirectory(
      at: test.folder.url.appending(path: "Card"), withIntermediateDirectories: true)
    try TestMedia.movie(test.folder.url.appending(path: "Card/a.mov"))
    try test.folder.write(TestMedia.png(seed: 1), "Card/a.png")
    try test.folder.write([1], "Card/a.mov.json")
    try test.folder.write([2], "Card/a.xxh64")
    try test.folder.write(TestMedia.png(seed: 2), "Card/b.png")
    try test.folder.write(TestMedia.dng(seed: 2), "Card/b.dng")
    try test.folder.write([3], "Card/b.xmp")
    try test.folder.write([4], "Card/b.dng.xmp")
    var options = ImportOptions()
    options.moves = true
    let card = test.folder.url.appending(path: "Card")
    let files = try FileManager.default.contentsOfDirectory(atPath: card.path)
    let report = try await test.library.importFiles(
      files.map { card.appending(path: $0) }, options: options)
    #expect(report.failures.isEmpty && report.ignored.isEmpty)
    let names = try test.library.fetchAssets().allObjects().map { asset in
      asset.resources.map(\.originalFilename).sorted()
    }
    let wanted: Set = [
      ["a.mov", "a.mov.json", "a.xxh64"], ["a.png"], ["b.dng", "b.dng.xmp", "b.png", "b.xmp"],
    ]
    #expect(Set(names) == wanted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: card.path).isEmpty)
    try test.expectSound()
  }

  /// Anyone who formats the card must know everything that is not in the library.
  @Test func hidden_files_are_reported_except_system_leftovers() async throws {
    let test = try TestLibrary()
    try test.folder.write(TestMedia.png(seed: 1), "Card/a.png")
    try test.folder.write(TestMedia.png(seed: 2), "Card/.b.png")
    try test.folder.write(TestMedia.png(seed: 3), "Card/.more/c.png")
    // Like a take begun under a hidden name.
    try test.folder.write([], "Card/DCIM/.take.mov")
    let left = [
      ".DS_Store", "._a.png", "DCIM/._.take.mov", ".Trashes/501/d.png", ".Trash-1000/files/e.png",
      ".Spotlight-V100/store", ".fseventsd/log", ".TemporaryItems/f.png", ".medialibrary/journal",
    ]
    for name in left { try test.folder.write(TestMedia.png(seed: 9), "Card/" + name) }
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card, card])
    #expect(report.imported.map(\.path) == [card.path + "/a.png"] && report.failures.isEmpty)
    let reported = [".b.png", ".more", "DCIM/.take.mov"].map { card.path + "/" + $0 }
    #expect(report.ignored.sorted() == reported)
    // Hidden items named in addition are not skipped.
    let named = [card, card.appending(path: ".b.png"), card.appending(path: ".more")]
    let again = try await test.library.importFiles(named)
    #expect(again.imported.map(\.path) == [card.path + "/.more/c.png"])
    #expect(again.failures.map(\.path) == [card.path + "/.b.png"], "hidden files are not accepted")
    #expect(again.ignored == [card.path + "/DCIM/.take.mov"])
  }

  /// As for a scanned print.
  @Test func a_photo_dated_before_1970_is_stored_under_its_year() async throws {
    let test = try TestLibrary()
    let photo = try test.folder.write(TestMedia.png(), "Card/print.png")
    let date = Date(timeIntervalSince1970: -312_000_000)  // 1960-02-11
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: photo.path)
    _ = try await test.library.importFiles([photo])
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.creationDate == date)
    #expect(test.originals == ["1960/02/print.png"])
    try test.expectSound()
  }

  @Test func a_file_that_fails_late_does_not_block_the_others() async throws {
    let test = try TestLibrary()
    for seed in 0..<11 { try test.folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png") }
    // Too long: the library's names are limited to fewer bytes.
    let long = String(repeating: "o", count: 245) + ".png"
    try test.folder.write(TestMedia.png(seed: 99), "Card/\(long)")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 11)
    #expect(report.failures.map(\.code) == ["invalidPath"])
    try test.expectSound()
  }
}
