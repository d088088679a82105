import AVFoundationCompat
import TestSupport
import Testing

/// Asset resources, exported through PhotoKit's names.
@Suite(.timeLimit(.minutes(10))) struct ResourceWritingTests {
  private let folder: TemporaryFolder
  private let resource: PHAssetResource

  init() async throws {
    folder = try TemporaryFolder()
    let library = PHPhotoLibrary(at: folder.url("Library"))
    library.hookSelection = .none
    let url = try folder.write([UInt8](ImageTests.photo()), "p.dng")
    try await library.performChanges {
      PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
    }
    let assets = try library.fetchAssets().allObjects().map { PHAsset($0) }
    let asset = try #require(assets.first)
    resource = try #require(PHAssetResource.assetResources(for: asset).first)
  }

  @Test func a_resource_is_written_asynchronously() async throws {
    let manager = PHAssetResourceManager.default()
    let options = PHAssetResourceRequestOptions()
    options.isNetworkAccessAllowed = true
    let (first, second) = (folder.url("a.dng"), folder.url("b.dng"))
    try await manager.writeData(for: resource, toFile: first, options: options)
    try await manager.writeData(for: resource, toFile: second, options: nil)
    let bytes = try Data(contentsOf: first)
    #expect(try bytes == ImageTests.photo() && bytes == Data(contentsOf: second))
  }

  @Test func a_resource_reports_its_type_and_pixel_size() throws {
    let type: UTType = resource.contentType
    #expect(type.identifier == "com.adobe.raw-image" && type.conforms(to: .rawImage))
    let asset = try #require(
      try PHPhotoLibrary(at: folder.url("Library")).fetchAssets().allObjects().first)
    #expect(resource.pixelWidth > 64 && resource.pixelWidth == asset.pixelWidth)
    #expect(resource.pixelHeight > 32 && resource.pixelHeight == asset.pixelHeight)
    #expect(!resource.assetLocalIdentifier.isEmpty)
    // The values are read from the file.
    try FileManager.default.removeItem(at: resource.fileURL)
    #expect(resource.pixelWidth == 0 && resource.pixelHeight == 0)
  }

  @Test func an_existing_target_file_is_a_photokit_error() async throws {
    let target = try folder.write([1], "there.dng")
    var isApples = false
    do {
      try await PHAssetResourceManager.default().writeData(
        for: resource, toFile: target, options: nil)
    } catch is PHPhotosError { isApples = true }
    #expect(isApples)
    #expect(try Data(contentsOf: target) == Data([1]))
  }

  @Test func phone_albums_are_empty_and_have_apples_raw_values() {
    let albums: [(PHAssetCollectionSubtype, Int)] = [
      (.smartAlbumPanoramas, 201), (.smartAlbumBursts, 207), (.smartAlbumSlomoVideos, 208),
      (.smartAlbumSelfPortraits, 210), (.smartAlbumScreenshots, 211),
      (.smartAlbumDepthEffect, 212), (.smartAlbumLivePhotos, 213), (.smartAlbumAnimated, 214),
      (.smartAlbumLongExposures, 215), (.smartAlbumUnableToUpload, 216), (.albumSyncedEvent, 3),
      (.albumSyncedFaces, 4), (.albumSyncedAlbum, 5), (.albumImported, 6),
      (.albumMyPhotoStream, 100), (.albumCloudShared, 101),
    ]
    for (subtype, number) in albums {
      #expect(subtype.rawValue == number)
      let kind: PHAssetCollectionType = number > 200 ? .smartAlbum : .album
      let found = PHAssetCollection.fetchAssetCollections(
        with: kind, subtype: subtype, options: nil)
      #expect(found.count == 0)
    }
    #expect(PHAsset.fetchAssets(withBurstIdentifier: "a", options: nil).count == 0)
    let kinds: PHAssetMediaSubtype = [.photoDepthEffect, .spatialMedia, .videoCinematic]
    #expect(kinds.rawValue == 0x20_0410)
  }

  @Test func assets_have_file_names_and_albums_have_key_assets() async throws {
    let library = PHPhotoLibrary(at: folder.url("Library"))
    let asset = try #require(try library.fetchAssets().allObjects().map { PHAsset($0) }.first)
    #expect(asset.value(forKey: "filename") as? String == "p.dng")
    #expect(asset.value(forKey: "localIdentifier") as? String == asset.localIdentifier)
    #expect(asset.value(forKey: "nothing") == nil)
    let all = PHAssetCollection(AssetCollection(.userLibrary, in: library))
    #expect(PHAsset.fetchKeyAssets(in: all, options: nil)?.firstObject == asset)
    let favorites = PHAssetCollection(AssetCollection(.favorites, in: library))
    #expect(PHAsset.fetchKeyAssets(in: favorites, options: nil) == nil)
    let place = GeographicLocation(latitude: 1, longitude: 2)
    #expect(place.coordinate == CLLocationCoordinate2D(latitude: 1, longitude: 2))
    #expect(place.horizontalAccuracy < 0 && place.verticalAccuracy < 0)
    #expect(place.speed < 0 && place.course < 0)
  }

  @Test func unused_photokit_error_codes_have_names() {
    #expect(PHPhotosError.Code.userCancelled.rawValue == 3072)
    #expect(PHPhotosError.networkError.rawValue == 3169)
    #expect(PHPhotosError.userCancelled.rawValue == 3072)
    #expect(PHPhotosError.libraryVolumeOffline.rawValue == 3114)
    #expect(PHPhotosError.multipleIdentifiersFound.rawValue == 3202)
  }
}
