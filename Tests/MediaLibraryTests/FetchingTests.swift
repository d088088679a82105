import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct FetchingTests {
  /// A library with two photos, one of them RAW, and two movies, one of them ProRes.
  private func filled() async throws -> (test: TestLibrary, ids: [String]) {
    let test = try TestLibrary()
    let dng = try test.folder.write(TestMedia.dng(), "IMG_1.dng")
    let png = try test.folder.write(TestMedia.png(), "picture.png")
    let proRes = test.folder.url.appending(path: "A001C003.mov")
    let other = test.folder.url.appending(path: "B002C001.mov")
    try TestMedia.movie(proRes)
    try TestMedia.movie(other, codec: .init(rawValue: "avc1"), frames: 50)
    var ids: [String] = []
    for (file, type) in [
      (dng, AssetResourceType.photo), (png, .photo), (proRes, .video), (other, .video),
    ] {
      ids += try await test.add(file, as: type).createdAssets
      test.time.advance(days: 1)
    }
    return (test, ids)
  }

  private func ids(
    _ test: TestLibrary, _ predicate: AssetPredicate
  ) throws -> Set<String> {
    let found = try test.library.fetchAssets(with: FetchOptions(predicate: predicate))
    return Set(try found.allObjects().map(\.localIdentifier))
  }

  @Test func smart_albums_contain_the_matching_assets() async throws {
    let (test, ids) = try await filled()
    func album(_ album: AssetCollection.SmartAlbum) throws -> Set<String> {
      let found = try test.library.fetchAssets(in: album)
      #expect(try test.library.assetCount(in: album) == found.count)
      return Set(try found.allObjects().map(\.localIdentifier))
    }
    #expect(try album(.userLibrary) == Set(ids))
    #expect(try album(.videos) == Set(ids[2...]))
    #expect(try album(.photos) == Set(ids[..<2]))
    #expect(try album(.proRes) == [ids[2]])
    #expect(try album(.raw) == [ids[0]])
    #expect(try album(.favorites) == [])
    #expect(try album(.recentlyDeleted) == [])
    let recent = try test.library.fetchAssets(in: .recentlyAdded).allObjects()
    #expect(recent.map(\.localIdentifier) == ids.reversed())
  }

  @Test func predicates_filter_by_every_property() async throws {
    let (test, all) = try await filled()
    #expect(try ids(test, .mediaType(.video)) == Set(all[2...]))
    #expect(try ids(test, .isProRes(false)) == Set([all[0], all[1], all[3]]))
    #expect(try ids(test, .codec("apch")) == [all[2]])
    #expect(try ids(test, .widthAtLeast(1921)) == [all[0]])
    #expect(try ids(test, .durationAtLeast(1)) == [all[3]])
    #expect(try ids(test, .all([.mediaType(.video), .durationAtMost(1)])) == [all[2]])
    #expect(try ids(test, .any([.isRAW(true), .isProRes(true)])) == [all[0], all[2]])
    #expect(try ids(test, .not(.mediaType(.video))) == Set(all[..<2]))
    #expect(try ids(test, .not(.codec("apch"))) == Set([all[0], all[1], all[3]]))
    let day = Date(timeIntervalSince1970: 1_653_350_400)
    #expect(try ids(test, .all([.createdSince(day), .isRAW(true)])) == [all[0]])
    #expect(try ids(test, .all([.createdBefore(day), .isRAW(true)])) == [])
  }

  @Test(arguments: [
    ("MÜLLER", [0]), ("mu\u{308}ller", [0]), ("MÜL", [0]), ("ü", [0]), ("GRÖẞE", [1]),
    ("größe müller", []), ("ÖSSE", []), ("größe png", [1]), ("ÉTÉ", []),
  ])
  func a_search_ignores_case_and_unicode_spelling(text: String, expected: [Int]) async throws {
    let test = try TestLibrary()
    var all: [String] = []
    for (index, name) in ["Müller.png", "Gro\u{308}ße.png", "plain.png"].enumerated() {
      let file = try test.folder.write(TestMedia.png(width: 10 + index), name)
      all += try await test.add(file, as: .photo).createdAssets
    }
    for broadness in [0, 30_000] {
      let library = try TestLibrary(in: test.folder, broadness: broadness)
      #expect(try ids(library, .text(text)) == Set(expected.map { all[$0] }))
    }
  }

  @Test func huge_searches_are_answered_or_refused_without_catalogue_repairs() async throws {
    let (test, all) = try await filled()
    let many = (0..<2000).map { $0.isMultiple(of: 2) ? "mo" : "ov" }.joined(separator: " ")
    #expect(try ids(test, .text(many)) == Set(all[2...]))
    #expect(try ids(test, .any((0..<3000).map { .durationAtLeast(Double($0)) })) == Set(all))
    #expect(throws: MediaLibraryError.self) {
      try ids(test, .text(String(repeating: "m", count: 60_000)))
    }
    let deep = (0..<3000).reduce(AssetPredicate.isRAW(true)) { part, _ in .not(part) }
    do {
      _ = try ids(test, deep)
    } catch let error as MediaLibraryError { #expect(error.code == .invalidArgument) }
    #expect(test.library.repairs.isEmpty)
  }

  @Test(arguments: [
    ("C003", [2]), ("a001", [2]), ("c00", [2, 3]), ("01", [2, 3]), ("camera 9", [2, 3]),
    ("Camera prores", [2]), ("1920x1080", [2, 3]), ("png", [1]), ("100%", []), ("_", [0]),
    ("\"", []), ("'", []), ("01:00:00:00", [2, 3]), ("zzz", []), ("", [0, 1, 2, 3]),
  ])
  func a_search_finds_parts_of_words(text: String, expected: [Int]) async throws {
    let (test, all) = try await filled()
    #expect(try ids(test, .text(text)) == Set(expected.map { all[$0] }))
    // A search with many matches uses another method and must find the same.
    let broad = try TestLibrary(in: test.folder, broadness: 0)
    #expect(try ids(broad, .text(text)) == Set(expected.map { all[$0] }))
  }

  @Test func sort_order_and_limit_are_respected() async throws {
    let (test, all) = try await filled()
    let byLength = FetchOptions(
      predicate: .mediaType(.video),
      sortDescriptors: [AssetSortDescriptor(key: .duration, ascending: false)], fetchLimit: 1)
    let found = try test.library.fetchAssets(with: byLength)
    #expect(found.count == 1)
    #expect(try found.firstObject?.localIdentifier == all[3])
    #expect(try found.object(at: 1) == nil)
    var oldest = FetchOptions()
    oldest.sortDescriptors = [AssetSortDescriptor(key: .additionDate, ascending: true)]
    let sorted = try test.library.fetchAssets(with: oldest).allObjects()
    #expect(sorted.map(\.localIdentifier) == all)
  }

  @Test func an_asset_is_found_by_its_identifier_prefix() async throws {
    let (test, all) = try await filled()
    let prefix = String(all[1].lowercased().prefix(8))
    #expect(
      try test.library.fetchAssets(withIdentifierPrefix: prefix).map(\.localIdentifier) == [all[1]])
    #expect(try test.library.fetchAssets(withIdentifierPrefix: "%").isEmpty)
  }

  @Test func resource_data_is_streamed_in_pieces_and_verified() async throws {
    let test = try TestLibrary()
    let bytes = TestMedia.png() + (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try test.folder.write(bytes, "large.png")
    let id = try await test.add(file).createdAssets
    let asset = try #require(try test.library.fetchAssets(withLocalIdentifiers: id).first)
    let resource = try #require(asset.resources.first)
    var pieces: [Data] = []
    for try await piece in AssetResourceManager.default().data(for: resource) {
      pieces.append(piece)
    }
    #expect(pieces.count == 3)
    #expect([UInt8](pieces.reduce(Data(), +)) == bytes)
    let copy = test.folder.url.appending(path: "copy.png")
    try await AssetResourceManager.default().writeData(for: resource, toFile: copy)
    #expect(try [UInt8](Data(contentsOf: copy)) == bytes)

    let handle = try FileHandle(forUpdating: resource.fileURL)
    try handle.seek(toOffset: 1_000_000)
    try handle.write(contentsOf: [0xFF, 0xFE])
    try handle.close()
    let second = test.folder.url.appending(path: "second.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await AssetResourceManager.default().writeData(for: resource, toFile: second)
    }
    #expect(error?.code == .verificationFailed)
    #expect(error?.message.contains(resource.relativePath) == true)
    #expect(!FileManager.default.fileExists(atPath: second.path))
  }
}
