import Foundation
import MediaLibrary
import TestSupport
import Testing

/// Takes of several movies, and their slates.
@Suite struct TakeTests {
  private let test: TestLibrary
  private let card: URL

  init() throws {
    test = try TestLibrary()
    card = test.folder.url.appending(path: "Card")
    try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
  }

  /// Writes the movies of one take, each with a sidecar.
  @discardableResult
  private func take(_ names: [String], id: String, seed: UInt8 = 0) throws -> [URL] {
    try names.enumerated().map { index, name in
      let url = card.appending(path: name)
      try TestMedia.movie(
        url, seed: seed + UInt8(index) * 8, metadata: ["com.prores-recorder.take-id": id])
      try Data("\(name)".utf8).write(to: card.appending(path: name + ".json"))
      return url
    }
  }

  private func removeCatalogueAndJournal() throws {
    let folder = test.root + "/.medialibrary"
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where file.hasPrefix("catalogue") || file == "journal" {
      try FileManager.default.removeItem(atPath: folder + "/" + file)
    }
  }

  private func expectOneAsset(of names: [String]) throws -> Asset {
    let assets = try test.library.fetchAssets().allObjects()
    #expect(assets.count == 1)
    let asset = try #require(assets.first)
    let movies = asset.resources.filter { $0.type != .companion }
    #expect(movies.map(\.originalFilename) == names)
    #expect(
      movies.map(\.type) == [.video] + Array(repeating: .segment, count: names.count - 1))
    #expect(asset.facts.frameCount == 3 * names.count)
    #expect(abs(asset.duration - 0.12 * Double(names.count)) < 0.001)
    try test.expectSound()
    return asset
  }

  @Test func movies_of_one_take_are_saved_as_one_asset_with_all_sidecars() async throws {
    let movies = try take(["take-001.mov", "take-002.mov", "take-003.mov"], id: "T1")
    try await test.library.save(takes: [movies])
    let asset = try expectOneAsset(of: movies.map(\.lastPathComponent))
    #expect(asset.resources.count == 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: card.path).isEmpty)
  }

  @Test func an_import_groups_movies_by_take() async throws {
    // As for a take that continued after an interruption: the first movie has no number.
    try take(["a.mov", "a-002.mov", "a-003.mov"], id: "T1")
    try take(["b.mov"], id: "T2", seed: 100)
    try TestMedia.movie(card.appending(path: "c-001.mov"), seed: 150)
    try TestMedia.movie(card.appending(path: "c-002.mov"), seed: 200)
    let report = try await test.library.importFiles([card])
    #expect(report.failures.isEmpty && report.ignored.isEmpty)
    let takes = try test.library.fetchAssets().allObjects().map { asset in
      asset.resources.filter { $0.type != .companion }.map(\.originalFilename)
    }
    #expect(
      Set(takes) == [["a.mov", "a-002.mov", "a-003.mov"], ["b.mov"], ["c-001.mov"], ["c-002.mov"]])
    try test.expectSound()
  }

  @Test func an_import_does_not_treat_a_copy_as_part_of_the_take() async throws {
    try take(["a.mov", "a-002.mov"], id: "T1")
    for (name, copy) in [("a.mov", "a-copy.mov"), ("a-002.mov", "a-002-copy.mov")] {
      try FileManager.default.copyItem(
        at: card.appending(path: name), to: card.appending(path: copy))
    }
    let report = try await test.library.importFiles([card])
    #expect(report.failures.isEmpty)
    let reported = report.warnings.filter { $0.contains("not another part of its take") }
    #expect(
      reported.count == 2 && reported.contains { $0.contains("a-002-copy.mov: is a copy of ") },
      "\(reported)")
    let assets = try test.library.fetchAssets().allObjects()
    let whole = try #require(
      assets.first { $0.resources.contains { $0.originalFilename == "a-002.mov" } })
    #expect(whole.facts.frameCount == 6)
    #expect(
      whole.resources.filter { $0.type != .companion }.map(\.originalFilename)
        == ["a.mov", "a-002.mov"])
    let others = assets.filter { $0.localIdentifier != whole.localIdentifier }
    #expect(!others.isEmpty && others.allSatisfy { $0.facts.frameCount == 3 })
    try test.expectSound()
  }

  @Test func export_verification_and_removal_cover_all_movies_of_a_take() async throws {
    let names = ["take-001.mov", "take-002.mov"]
    try await test.library.save(takes: [try take(names, id: "T1")])
    let asset = try expectOneAsset(of: names)
    let copy = try test.folder.makeFolder("Copy")
    let export = try await test.library.export([asset], to: copy)
    #expect(export.failures.isEmpty && export.files.count == 4)
    #expect(try await test.library.verify().isSound)
    // Damage in a second movie is found.
    let second = try #require(asset.resources.first { $0.type == .segment })
    let handle = try FileHandle(forWritingTo: second.fileURL)
    try handle.seek(toOffset: 2000)
    try handle.write(contentsOf: Data([0xAA, 0x55]))
    try handle.close()
    let faults = try await test.library.verify()
    #expect(faults.damaged.map(\.path) == [second.relativePath])
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    #expect(test.originals == [])
  }

  @Test func a_rebuild_groups_the_movies_of_a_take() async throws {
    let names = ["take.mov", "take-002.mov"]
    try await test.library.save(takes: [try take(names, id: "T1")])
    try removeCatalogueAndJournal()
    let again = try test.another()
    _ = try again.library.rebuild()
    #expect(try again.library.fetchAssets().count == 1)
    let resources = try #require(try again.library.fetchAssets().firstObject).resources
    #expect(resources.filter { $0.type != .companion }.map(\.originalFilename) == names)
    try again.expectSound()
  }

  @Test func a_rebuild_does_not_treat_a_copy_as_part_of_the_take() async throws {
    let names = ["take.mov", "take-002.mov"]
    try await test.library.save(takes: [try take(names, id: "T1")])
    let second = try #require(test.originals.first { $0.hasSuffix("take-002.mov") })
    let copy = second.replacing("take-002.mov", with: "take-002-copy.mov")
    try FileManager.default.copyItem(
      atPath: test.root + "/" + second, toPath: test.root + "/" + copy)
    try removeCatalogueAndJournal()
    let again = try test.another()
    let report = try again.library.rebuild()
    #expect(report.problems.contains { $0.hasPrefix("\(copy): is a copy of \(second)") })
    let counts = try again.library.fetchAssets().allObjects().map(\.facts.frameCount)
    #expect(Set(counts) == [6, 3] && counts.count == 2)
    try again.expectSound()
  }

  @Test func segments_are_only_allowed_with_a_video() {
    #expect(AssetCreationRequest.supportsAssetResourceTypes([.video, .segment, .segment]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.photo, .segment]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.segment]))
  }

  @Test func a_search_finds_reel_scene_and_take() async throws {
    let slates = [("A001", "12", "3"), ("A001", "14", "3"), ("B007", "12", "4")]
    for (index, slate) in slates.enumerated() {
      let url = card.appending(path: "clip\(index).mov")
      try TestMedia.movie(
        url, seed: UInt8(index * 8),
        metadata: [
          "com.apple.proapps.reel": slate.0, "com.apple.proapps.scene": slate.1,
          "com.apple.proapps.take": slate.2,
        ])
    }
    _ = try await test.library.importFiles([card])
    func names(_ words: String) throws -> [String] {
      try test.library.fetchAssets(with: FetchOptions(predicate: .text(words))).allObjects()
        .map(\.originalFilename)
    }
    #expect(Set(try names("reel A001")) == ["clip0.mov", "clip1.mov"])
    #expect(Set(try names("B007 scene")) == ["clip2.mov"])
    let asset = try #require(
      try test.library.fetchAssets(with: FetchOptions(predicate: .text("B007"))).firstObject)
    #expect([asset.facts.reel, asset.facts.scene, asset.facts.take] == ["B007", "12", "4"])
  }
}
