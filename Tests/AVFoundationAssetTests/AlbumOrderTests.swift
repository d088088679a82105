import AVFoundationCompat
import TestSupport
import Testing

/// The order in which albums and their assets are fetched.
@Suite(.timeLimit(.minutes(10))) struct AlbumOrderTests {
  private let folder: TemporaryFolder
  private let library: PhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = PhotoLibrary(at: folder.url("Library"))
    library.hookSelection = .none
  }

  private func photo(_ seed: UInt8) throws -> URL {
    try folder.write(try ImageTests.photo() + [seed], "p\(seed).dng")
  }

  @Test func albums_are_sorted_by_their_own_keys() async throws {
    let url = try photo(1)
    try await library.performChanges {
      let asset = PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)?
        .placeholderForCreatedAsset
      for title in ["B", "C", "A"] {
        PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
          .addAssets([asset as Any])
      }
    }
    let asset = PHAsset(try #require(try library.fetchAssets().allObjects().first))
    func titles(_ order: [NSSortDescriptor], limit: Int = 0) -> PHFetchResult<PHAssetCollection> {
      let options = PHFetchOptions()
      options.sortDescriptors = order
      options.fetchLimit = limit
      return PHAssetCollection.fetchAssetCollectionsContaining(
        asset, with: .album, options: options)
    }
    let byTitle = NSSortDescriptor(key: "localizedTitle", ascending: false)
    for (order, limit, wanted) in [
      ([byTitle], 0, ["C", "B", "A"]), ([byTitle], 2, ["C", "B"]),
      // The first key is the same for all.
      (
        [
          NSSortDescriptor(key: "estimatedAssetCount", ascending: true),
          NSSortDescriptor(key: "title", ascending: true),
        ], 0, ["A", "B", "C"]
      ),
    ] {
      let found = titles(order, limit: limit)
      #expect((0..<found.count).map { found[$0].localizedTitle } == wanted)
    }
    for mistake in [
      NSSortDescriptor(key: "pixelWidth", ascending: true),
      NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: true),
    ] {
      let none = titles([byTitle, mistake])
      #expect(none.count == 0 && none.error?.message.contains("sort descriptor") == true)
    }
  }

  @Test func the_key_asset_of_an_album_follows_the_fetch_options() async throws {
    let urls = try (1...3).map { try photo(UInt8($0)) }
    try await library.performChanges {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      for url in urls {
        let request = PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
        album.addAssets([request?.placeholderForCreatedAsset as Any])
      }
    }
    let album = PHAssetCollection(try #require(try library.userAlbums().first))
    let all = PHAsset.fetchAssets(in: album, options: nil)
    let last = try #require(all.lastObject)
    try await library.performChanges { PHAssetChangeRequest(for: last).isFavorite = true }
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "isFavorite == YES")
    let favorites = try #require(PHAsset.fetchKeyAssets(in: album, options: options))
    #expect(favorites.count == 1 && favorites[0].localIdentifier == last.localIdentifier)
    options.predicate = nil
    let names = (0..<3).map { all[$0].localIdentifier }
    for descriptor in [
      NSSortDescriptor(key: "localIdentifier", ascending: false),
      NSSortDescriptor(keyPath: \PHAsset.localIdentifier, ascending: false),
    ] {
      options.sortDescriptors = [descriptor]
      let key = PHAsset.fetchKeyAssets(in: album, options: options)
      #expect(key?.count == 1 && key?.firstObject?.localIdentifier == names.max())
    }
    options.sortDescriptors = [NSSortDescriptor(key: "iso", ascending: true)]
    let none = PHAsset.fetchKeyAssets(in: album, options: options)
    #expect(none?.count == 0 && none?.error?.message.contains("'iso'") == true)
  }
}
