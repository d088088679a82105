import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// Edits of photos, which are stored beside untouched originals and can be reverted.
@Suite struct EditTests {
  private func photo(_ test: TestLibrary) async throws -> Asset {
    let file = try test.folder.write(TestMedia.dng(), "IMG_1.dng")
    let ids = try await test.add(file).createdAssets
    return try #require(try test.library.fetchAssets(withLocalIdentifiers: ids).first)
  }

  private func again(_ asset: Asset, in library: PhotoLibrary) throws -> Asset {
    try #require(
      try library.fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).first)
  }

  private func edit(_ asset: Asset, seed: Int, in test: TestLibrary) async throws {
    let image = try test.folder.write(TestMedia.png(seed: seed), "IMG_1.png")
    try await asset.library.performChanges {
      try AssetChangeRequest.setContent(
        of: asset,
        to: ContentEditingOutput(
          adjustmentData: Data("edit \(seed)".utf8), adjustmentName: "IMG_1.xmp",
          renderedContentURL: image))
    }
  }

  private func content(_ asset: Asset, _ type: AssetResourceType) throws -> Data? {
    try asset.resources.first { $0.type == type }.map { try Data(contentsOf: $0.fileURL) }
  }

  @Test func an_edit_is_stored_beside_the_untouched_original() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    try await edit(asset, seed: 5, in: test)
    let edited = try again(asset, in: test.library)
    #expect(edited.isEdited && !asset.isEdited)
    #expect(edited.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
    #expect(edited.resources.first == asset.resources.first)
    #expect(try content(edited, .photo) == Data(TestMedia.dng()))
    #expect(try content(edited, .fullSizePhoto) == Data(TestMedia.png(seed: 5)))
    #expect(try content(edited, .adjustmentData) == Data("edit 5".utf8))
    #expect(!FileManager.default.fileExists(atPath: test.folder.path("IMG_1.png")), "it was moved")
    try test.expectSound()
  }

  @Test func a_new_edit_replaces_the_old_one_and_a_revert_removes_it() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    for seed in [5, 6] { try await edit(try again(asset, in: test.library), seed: seed, in: test) }
    let edited = try again(asset, in: test.library)
    #expect(edited.resources.count == 3)
    #expect(try content(edited, .adjustmentData) == Data("edit 6".utf8))
    try test.expectSound()
    try await test.library.performChanges { try AssetChangeRequest.revertToOriginals([edited]) }
    let original = try again(asset, in: test.library)
    #expect(original.resources == asset.resources && !original.isEdited)
    #expect(test.originals.count == 1)
    try test.expectSound()
    // There is nothing left to revert.
    try await test.library.performChanges { try AssetChangeRequest.revertToOriginals([original]) }
    #expect(try again(asset, in: test.library).resources == asset.resources)
  }

  @Test func a_rebuilt_catalogue_contains_edits() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    try await edit(asset, seed: 5, in: test)
    let other = try test.another()
    _ = try other.library.rebuild()
    let found = try again(asset, in: other.library)
    #expect(found.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
    try test.expectSound()
  }

  @Test func a_search_finds_only_the_current_edit_by_name() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    func found(_ words: String) throws -> Int {
      try test.library.fetchAssets(with: FetchOptions(predicate: .text(words))).count
    }
    for name in ["warm.xmp", "cold.xmp"] {
      let image = try test.folder.write(TestMedia.png(seed: 7), "IMG_1.png")
      let present = try again(asset, in: test.library)
      try await test.library.performChanges {
        try AssetChangeRequest.setContent(
          of: present,
          to: ContentEditingOutput(
            adjustmentData: Data(name.utf8), adjustmentName: name, renderedContentURL: image))
      }
      #expect(try found(name) == 1 && found("IMG_1.dng") == 1)
    }
    #expect(try found("warm.xmp") == 0)
    let edited = try again(asset, in: test.library)
    try await test.library.performChanges { try AssetChangeRequest.revertToOriginals([edited]) }
    #expect(try found("cold.xmp") == 0 && found("IMG_1.png") == 0 && found("IMG_1.dng") == 1)
    // An asset could only be expunged if the text index matches the indexed text.
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([edited]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([edited]) }
    #expect(try found("IMG_1.dng") == 0)
    #expect(try await test.library.verify().isSound)
  }

  @Test func expunging_an_edited_photo_leaves_no_file() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    try await edit(asset, seed: 5, in: test)
    let edited = try again(asset, in: test.library)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([edited]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([edited]) }
    #expect(test.originals.isEmpty)
  }

  @Test func two_edits_of_one_photo_in_one_change_are_refused() async throws {
    let test = try TestLibrary()
    let asset = try await photo(test)
    let images = try (1...2).map { try test.folder.write(TestMedia.png(seed: $0), "\($0).png") }
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges {
        for image in images {
          try AssetChangeRequest.setContent(
            of: asset,
            to: ContentEditingOutput(
              adjustmentData: Data("x".utf8), adjustmentName: "x.xmp", renderedContentURL: image))
        }
      }
    }
    #expect(error?.code == .invalidArgument)
    #expect(try again(asset, in: test.library).resources == asset.resources)
    #expect(images.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    try test.expectSound()
  }

  @Test func a_process_killed_at_any_call_leaves_one_edit_or_the_other() async throws {
    var point = 0
    var isWhole = false
    while !isWhole, point < 1000 {
      let calls = FaultyFileCalls()
      let test = try TestLibrary(calls: calls)
      let asset = try await photo(test)
      try await edit(asset, seed: 5, in: test)
      calls.arm(.deadFrom(point))
      do {
        try await edit(try again(asset, in: test.library), seed: 6, in: test)
        isWhole = calls.trace.count <= point
      } catch {}
      let other = try test.another()
      try other.library.open()
      let found = try again(asset, in: other.library)
      let data = try content(found, .adjustmentData)
      let seed = data == Data("edit 6".utf8) ? 6 : 5
      #expect(data == Data("edit \(seed)".utf8), "call \(point)")
      #expect(
        try content(found, .fullSizePhoto) == Data(TestMedia.png(seed: seed)), "call \(point)")
      #expect(try content(found, .photo) == Data(TestMedia.dng()), "call \(point)")
      try test.expectSound()
      point += 1
    }
    #expect(point > 20)
  }
}
