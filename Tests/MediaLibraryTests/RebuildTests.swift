import Foundation
import Glibc
import MediaLibrary
import Testing

@Suite struct RebuildTests {
  @Test func files_without_an_entry_get_one_and_entries_without_a_file_go() async throws {
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
    // Another look finds nothing more to do.
    let again = try test.library.rebuild()
    #expect(again.adoptedFiles.isEmpty && again.missingFiles.isEmpty && again.assetCount == 3)
  }

  @Test func a_rebuild_keeps_what_only_the_journal_knows() async throws {
    let test = try TestLibrary()
    let raw = try test.folder.write(TestMedia.dng(), "a.dng")
    let ids = try await test.library.performChanges {
      let request = AssetCreationRequest.forAsset()
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

  @Test func a_library_without_its_hidden_folder_is_made_again_from_the_files() async throws {
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
}
