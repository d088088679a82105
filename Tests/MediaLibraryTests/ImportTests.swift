import Foundation
import Glibc
import MediaLibrary
import Testing

@Suite struct ImportTests {
  @Test func a_folder_is_searched_and_each_file_is_what_it_is() async throws {
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

  @Test func on_a_full_disk_each_file_is_named_and_not_the_librarys_own() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    // More than one change block takes.
    let names = (0..<1030).map { "p\($0).png" }
    let files = try names.enumerated().map { seed, name in
      try test.folder.write(TestMedia.png(seed: seed), "Card/" + name)
    }
    calls.arm(.diskFull(after: 400))
    let report = try await test.library.importFiles(files)
    calls.arm(nil)
    #expect(report.imported.isEmpty)
    #expect(report.failures.map(\.file) == files.map(\.path))
    for failure in report.failures {
      #expect(failure.code == "diskFull")
      #expect(
        failure.message.hasPrefix("\(failure.file): the disk of the library \(test.root) is full"))
      #expect(!failure.message.contains(".medialibrary"))
    }
    // One alone, by a change of the program's own.
    calls.arm(.diskFull(after: 10))
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(files[0]) }
    #expect(error?.errno == ENOSPC)
    #expect(error?.message.hasPrefix(files[0].path + ": the disk") == true)
    calls.arm(nil)
    try test.expectSound()
  }

  @Test func a_bad_file_is_named_and_keeps_no_other_out() async throws {
    let test = try TestLibrary()
    let good = try test.folder.write(TestMedia.png(), "a.png")
    let bad = try test.folder.write([UInt8]("no".utf8), "b.mov")
    let none = test.folder.url.appending(path: "c.mov")
    let report = try await test.library.importFiles([good, bad, none])
    #expect(report.imported.map(\.file) == [good.path])
    #expect(report.failures.map(\.file) == [bad.path, none.path])
    #expect(report.failures.map(\.code) == ["invalidResource", "fileNotFound"])
    try test.expectSound()
  }

  @Test func what_lies_beside_a_file_goes_with_it_and_with_one_alone() async throws {
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

  @Test func a_file_that_fails_late_keeps_no_other_out() async throws {
    let test = try TestLibrary()
    for seed in 0..<11 { try test.folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png") }
    // Names of the library are shorter.
    let long = String(repeating: "o", count: 245) + ".png"
    try test.folder.write(TestMedia.png(seed: 99), "Card/\(long)")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 11)
    #expect(report.failures.map(\.code) == ["invalidPath"])
    try test.expectSound()
  }
}
