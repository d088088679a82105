import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// Files whose names differ only in the spelling of a letter: equal strings in Swift, two files on disk.
@Suite struct SpellingTests {
  private let test: TestLibrary
  private let card: URL
  private let composed = "Caf\u{E9}"
  private let decomposed = "Cafe\u{301}"

  init() throws {
    test = try TestLibrary()
    card = try test.folder.makeFolder("Card")
  }

  /// The original names of each asset's files, compared by bytes.
  private func assets() throws -> Set<Set<PathBytes>> {
    Set(
      try test.library.fetchAssets().allObjects().map { asset in
        Set(asset.resources.map { PathBytes($0.originalFilename) })
      })
  }

  private func names(_ stem: String, _ endings: [String]) -> Set<PathBytes> {
    Set(endings.map { PathBytes(stem + $0) })
  }

  private func writeMovies(in folder: URL) throws {
    for (seed, stem) in [composed, decomposed].enumerated() {
      try TestMedia.movie(folder.appending(path: stem + ".mov"), seed: UInt8(seed) * 8)
      for ending in [".json", ".xmp"] {
        try Data("\(seed)\(ending)".utf8).write(to: folder.appending(path: stem + ending))
      }
    }
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    try #require(written.count == 6, "the disk keeps both spellings")
  }

  @Test func movies_of_two_spellings_keep_their_own_companions() async throws {
    try writeMovies(in: card)
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 2 && report.failures.isEmpty && report.ignored.isEmpty)
    let endings = [".mov", ".json", ".xmp"]
    #expect(try assets() == [names(composed, endings), names(decomposed, endings)])
    for asset in try test.library.fetchAssets().allObjects() {
      let isComposed = PathBytes(asset.originalFilename) == PathBytes(composed + ".mov")
      let texts = try asset.resources.filter { $0.type == .companion }.map {
        String(decoding: try Data(contentsOf: $0.fileURL), as: UTF8.self)
      }
      #expect(Set(texts) == (isComposed ? ["0.json", "0.xmp"] : ["1.json", "1.xmp"]))
    }
    try test.expectSound()
  }

  @Test func a_saved_take_includes_only_its_own_companions() async throws {
    try writeMovies(in: card)
    try await test.library.save(movies: [card.appending(path: decomposed + ".mov")])
    #expect(try assets() == [names(decomposed, [".mov", ".json", ".xmp"])])
    let left = try FileManager.default.contentsOfDirectory(atPath: card.path)
    #expect(Set(left.map(PathBytes.init)) == names(composed, [".mov", ".json", ".xmp"]))
  }

  @Test func companions_in_the_other_spelling_are_used_if_unclaimed() async throws {
    try TestMedia.movie(card.appending(path: composed + ".mov"))
    try test.folder.write("{}", "Card/\(composed).json")
    try test.folder.write("<x/>", "Card/\(decomposed).xmp")
    try test.folder.write("0", "Card/\(decomposed).mov.xxh64")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 1 && report.ignored.isEmpty)
    let all = names(composed, [".mov", ".json"]).union(names(decomposed, [".xmp", ".mov.xxh64"]))
    #expect(try assets() == [all])
    try test.expectSound()
  }

  @Test func a_movie_leaves_companions_of_the_other_spelling_alone() async throws {
    for (seed, stem) in [decomposed, composed].enumerated() {
      try TestMedia.movie(card.appending(path: stem + ".mov"), seed: UInt8(seed) * 8)
    }
    try test.folder.write("{}", "Card/\(composed).json")
    // In the order that puts the other spelling first.
    let files = [decomposed + ".mov", composed + ".mov"].map { card.appending(path: $0) }
    let report = try await test.library.importFiles(files)
    #expect(report.imported.count == 2)
    #expect(
      try assets() == [names(decomposed, [".mov"]), names(composed, [".mov", ".json"])])
  }

  @Test func raw_and_processed_photos_are_paired_within_a_spelling() async throws {
    for (seed, stem) in [composed, decomposed].enumerated() {
      try test.folder.write(TestMedia.dng(seed: seed), "Card/\(stem).dng")
      try test.folder.write(TestMedia.png(seed: seed), "Card/\(stem).png")
    }
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 2 && report.failures.isEmpty)
    #expect(
      try assets() == [names(composed, [".dng", ".png"]), names(decomposed, [".dng", ".png"])])
  }

  @Test func raw_and_processed_photos_pair_across_spellings_but_not_folders() async throws {
    try test.folder.write(TestMedia.dng(seed: 1), "Card/\(composed).dng")
    try test.folder.write(TestMedia.png(seed: 1), "Card/\(decomposed).png")
    try test.folder.write(TestMedia.dng(seed: 2), "Card/\(composed)/b.dng")
    try test.folder.write(TestMedia.png(seed: 2), "Card/\(decomposed)/b.png")
    #expect(try await test.library.importFiles([card]).imported.count == 3)
    #expect(
      try assets() == [
        names(composed, [".dng"]).union(names(decomposed, [".png"])), names("b", [".dng"]),
        names("b", [".png"]),
      ])
  }

  @Test func a_rebuild_matches_companions_by_spelling() throws {
    try test.library.open()
    let folder = try test.folder.makeFolder("Library/2022/05")
    try writeMovies(in: folder)
    let report = try test.library.rebuild()
    #expect(report.adoptedFiles.count == 6 && report.problems.isEmpty)
    let endings = [".mov", ".json", ".xmp"]
    #expect(try assets() == [names(composed, endings), names(decomposed, endings)])
    try test.expectSound()
  }

  @Test func a_folder_named_like_the_library_in_another_spelling_is_searched() async throws {
    let library = PhotoLibrary(
      at: test.folder.url.appending(path: composed), calls: SystemLibraryFileCalls(),
      user: test.folder.user, now: { 1_700_000_000 })
    library.hookSelection = .none
    try test.folder.write(TestMedia.png(), "\(decomposed)/a.png")
    let report = try await library.importFiles([test.folder.url.appending(path: decomposed)])
    #expect(report.imported.count == 1)
    library.close()
  }
}
