import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// User albums and library observers, through PhotoKit's names.
@Suite(.timeLimit(.minutes(10))) struct AlbumTests {
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

  private func fetch() throws -> [PHAsset] {
    try library.fetchAssets().allObjects().map { PHAsset($0) }
  }

  private func albums() throws -> [PHAssetCollection] {
    try library.userAlbums().map { PHAssetCollection($0) }
  }

  @Test func an_album_is_created_filled_renamed_and_deleted() async throws {
    let (first, second) = (try photo(1), try photo(2))
    try await library.performChanges {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      let placeholder = album.placeholderForCreatedAssetCollection
      #expect(album.title == "A" && !placeholder.localIdentifier.isEmpty)
      for url in [first, second] {
        let request = PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
        album.addAssets([request?.placeholderForCreatedAsset as Any] as NSArray)
      }
    }
    let album = try #require(try albums().first)
    #expect(album.assetCollectionType == .album && album.localizedTitle == "A")
    #expect(album.assetCollectionSubtype == .albumRegular && album.estimatedAssetCount == 2)
    #expect(album.startDate != nil && album.endDate != nil && album.base == nil)
    #expect(album.canPerform(PHCollectionEditOperation.rename) && !album.canPerform(.createContent))
    let collection: any PHCollection = album
    let object: any PHObject = album
    #expect(collection.localizedTitle == "A" && object.localIdentifier == album.localIdentifier)
    let assets = PHAsset.fetchAssets(in: album, options: nil)
    let asset = try #require(assets.firstObject)
    #expect(assets.count == 2 && assets.contains(asset) && assets.index(of: asset) == 0)
    #expect(assets.countOfAssets(with: .image) == 2)
    #expect(
      PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: nil).count
        == 1)
    try await library.performChanges {
      let request = PHAssetCollectionChangeRequest(for: album, assets: assets)
      request?.title = "B"
      request?.removeAssets(NSSet(array: [asset]))
    }
    let renamed = try #require(try albums().first)
    #expect(renamed.localizedTitle == "B" && renamed.estimatedAssetCount == 1 && renamed != album)
    try await library.performChanges {
      let both: any NSFastEnumeration = [renamed]
      PHAssetCollectionChangeRequest.deleteAssetCollections(both)
    }
    #expect(try albums().isEmpty && fetch().count == 2)
    let smart = PHAssetCollection(AssetCollection(.favorites, in: library))
    #expect(PHAssetCollectionChangeRequest(for: smart) == nil && !smart.canPerform(.delete))
  }

  @Test func assets_are_inserted_moved_and_replaced_by_index() async throws {
    let urls = try (1...5).map { try photo(UInt8($0)) }
    for url in urls {
      try await library.performChanges {
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
    }
    let all = try fetch()
    let names = (0..<5).map { all[$0].localIdentifier }
    try await library.performChanges {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        .addAssets([all[0], all[1]])
    }
    func change(_ body: @escaping @Sendable (PHAssetCollectionChangeRequest) -> Void) async throws {
      let album = try #require(try albums().first)
      try await library.performChanges {
        if let request = PHAssetCollectionChangeRequest(for: album) { body(request) }
      }
    }
    func order() throws -> [Int] {
      let assets = PHAsset.fetchAssets(in: try #require(try albums().first), options: nil)
      return (0..<assets.count).compactMap { names.firstIndex(of: assets[$0].localIdentifier) }
    }
    let (second, third, fourth, fifth) = (all[1], all[2], all[3], all[4])
    try await change { $0.insertAssets([third, fourth], at: IndexSet([0, 2])) }
    #expect(try order() == [2, 0, 3, 1])
    try await change {
      // An asset that the album already has stays; indexes include the block's earlier changes.
      $0.removeAssets(at: IndexSet(integer: 0))
      $0.insertAssets([second, fifth], at: IndexSet([0, 1]))
    }
    #expect(try order() == [0, 4, 3, 1])
    try await change { $0.moveAssets(at: IndexSet([0, 3]), to: 1) }
    #expect(try order() == [4, 0, 1, 3])
    try await change { $0.replaceAssets(at: IndexSet(integer: 1), withAssets: [third]) }
    #expect(try order() == [4, 2, 1, 3])
    for mistake in 0..<4 {
      await #expect(throws: PHPhotosError.self) {
        try await change { request in
          switch mistake {
          case 0: request.insertAssets([all[0]], at: IndexSet(integer: 9))
          case 1: request.removeAssets(at: IndexSet(integer: 4))
          case 2: request.replaceAssets(at: IndexSet(integer: 0), withAssets: [third])
          default: request.moveAssets(at: IndexSet(integer: 0), to: 4)
          }
        }
      }
    }
    #expect(try order() == [4, 2, 1, 3])
  }

  @Test func adding_an_object_that_is_not_an_asset_fails_the_block() async throws {
    await #expect(throws: PHPhotosError.self) {
      try await library.performChanges {
        let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        album.addAssets(["text"])
      }
    }
    #expect(try albums().isEmpty)
  }

  private final class Observer: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    let changes = Mutex<[PHChange]>([])
    func photoLibraryDidChange(_ changeInstance: PHChange) {
      changes.withLock { $0.append(changeInstance) }
    }
    var last: PHChange? { changes.withLock { $0.last } }
    var count: Int { changes.withLock { $0.count } }
  }

  @Test func an_observer_receives_changes_of_assets_and_albums() async throws {
    let observer = Observer()
    library.register(observer)
    let url = try photo(1)
    try await library.performChanges {
      PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
    }
    try await eventually("the asset is reported") { observer.count == 1 }
    let asset = try #require(try fetch().first)
    #expect(observer.last?.base.inserted == [asset.localIdentifier])
    #expect(observer.last?.changeDetails(for: asset) == nil, "the asset has not changed since")

    try await library.performChanges { PHAssetChangeRequest(for: asset).isFavorite = true }
    try await eventually("the change is reported") { observer.count == 2 }
    let details: PHObjectChangeDetails<PHAsset> = try #require(
      observer.last?.changeDetails(for: asset))
    #expect(details.objectAfterChanges?.isFavorite == true && !details.objectWasDeleted)
    #expect(details.objectBeforeChanges == asset && !details.assetContentChanged)

    try await library.performChanges {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
    }
    // Changes that have not been reported yet are reported as one.
    try await eventually("the album is reported") { observer.count == 3 }
    let album = try #require(try albums().first)
    try await library.performChanges {
      PHAssetCollectionChangeRequest(for: album)?.addAssets([asset])
      PHAssetChangeRequest.deleteAssets([asset] as NSArray)
    }
    try await eventually("the deletion is reported") { observer.count == 4 }
    #expect(observer.last?.changeDetails(for: asset)?.objectWasDeleted == true)
    #expect(observer.last?.changeDetails(for: album)?.objectAfterChanges != nil)
    library.unregisterChangeObserver(observer)
    try await library.performChanges {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "B")
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(observer.count == 4, "an unregistered observer was called")
  }

  @Test func change_details_of_a_fetch_list_removals_insertions_and_moves() async throws {
    let urls = try (1...3).map { try photo(UInt8($0)) }
    for url in urls {
      try await library.performChanges {
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
    }
    let all = try fetch()
    try await library.performChanges {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      album.addAssets(Array(all[0..<2]))
    }
    let album = try #require(try albums().first)
    let before = PHAsset.fetchAssets(in: album, options: nil)
    let change = PHChange(LibraryChange())
    #expect(change.changeDetails(for: before) == nil)
    try await library.performChanges {
      PHAssetChangeRequest(for: all[1]).isFavorite = true
      let request = PHAssetCollectionChangeRequest(for: album)
      request?.removeAssets([all[0]])
      request?.addAssets([all[2]])
    }
    let details: PHFetchResultChangeDetails<PHAsset> = try #require(
      change.changeDetails(for: before))
    #expect(details.removedIndexes == IndexSet([0]) && details.removedObjects == [all[0]])
    #expect(details.insertedIndexes == IndexSet([1]))
    #expect(details.insertedObjects.map(\.localIdentifier) == [all[2].localIdentifier])
    #expect(details.changedIndexes == IndexSet([0]) && details.changedObjects.count == 1)
    #expect(details.hasIncrementalChanges && !details.hasMoves)
    #expect(
      details.fetchResultBeforeChanges.count == 2 && details.fetchResultAfterChanges.count == 2)
    // The first asset is removed and comes back after the other.
    let middle = details.fetchResultAfterChanges
    try await library.performChanges {
      let request = PHAssetCollectionChangeRequest(for: album)
      request?.removeAssets([all[1]])
      request?.addAssets([all[1]])
    }
    let moved = try #require(change.changeDetails(for: middle))
    var moves: [[Int]] = []
    moved.enumerateMoves { moves.append([$0, $1]) }
    #expect(moved.hasMoves && moves == [[1, 0]] && moved.insertedIndexes == nil)
  }

  @Test func an_unreadable_library_reports_no_deletions() async throws {
    let url = try photo(1)
    try await library.performChanges {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
      album.addAssets([
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)?
          .placeholderForCreatedAsset as Any
      ])
    }
    let (asset, album) = (try #require(try fetch().first), try #require(try albums().first))
    let answer = PHAsset.fetchAssets(in: album, options: nil)
    var settings = try library.settings
    settings.access = .addOnly
    try library.setSettings(settings)
    let change = PHChange(LibraryChange())
    #expect(change.changeDetails(for: asset) == nil && change.error != nil)
    #expect(PHChange(LibraryChange()).error == nil)
    #expect(change.changeDetails(for: album) == nil && change.error != nil)
    #expect(change.changeDetails(for: answer) == nil && change.error != nil)
    settings.access = .readWrite
    try library.setSettings(settings)
    #expect(change.changeDetails(for: asset) == nil && change.error == nil)
    try await library.performChanges { PHAssetChangeRequest.deleteAssets([asset]) }
    #expect(change.changeDetails(for: asset)?.objectWasDeleted == true)
    #expect(change.changeDetails(for: answer)?.removedIndexes == IndexSet([0]))
  }

  private final class EndObserver: NSObject, PHPhotoLibraryAvailabilityObserver, Sendable {
    let calls = Atomic(0)
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {
      calls.add(1, ordering: .relaxed)
    }
  }

  @Test func an_availability_observer_is_registered_and_unregistered() async throws {
    let observer = EndObserver()
    library.register(observer)
    library.unregisterAvailabilityObserver(observer)
    #expect(observer.calls.load(ordering: .relaxed) == 0)
  }

  @Test func an_image_manager_delivers_file_data() async throws {
    let url = try photo(1)
    try await library.performChanges {
      PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
    }
    let asset = try #require(try fetch().first)
    let options = PHImageRequestOptions()
    options.isNetworkAccessAllowed = true
    var bytes: Data?
    let number: PHImageRequestID = PHImageManager.default().requestImageDataAndOrientation(
      for: asset, options: options
    ) { data, type, orientation, _ in
      bytes = data
      #expect(type == "com.adobe.raw-image" && orientation == .up)
    }
    #expect(try bytes == Data(contentsOf: url) && options.isSynchronous)
    #expect(number == PHInvalidImageRequestID)
    let movie = PHVideoRequestOptions()
    movie.isNetworkAccessAllowed = true
    movie.version = PHVideoRequestOptionsVersion.original
    movie.deliveryMode = PHVideoRequestOptionsDeliveryMode.highQualityFormat
    options.version = PHImageRequestOptionsVersion.original
    options.deliveryMode = PHImageRequestOptionsDeliveryMode.fastFormat
    options.resizeMode = PHImageRequestOptionsResizeMode.exact
    PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
      data, _, _, _ in
      #expect(data == bytes)
    }
    PHImageManager.default().requestAVAsset(forVideo: asset, options: movie) {
      (found, mix: AVAudioMix?, info) in
      #expect(found == nil && mix == nil && info?[PHImageErrorKey] is PHPhotosError)
    }
    PHImageManager.default().cancelImageRequest(number)
    #expect(asset.playbackStyle == .image && asset.mediaSubtypes == PHAssetMediaSubtype())
    #expect(asset.sourceType == PHAssetSourceType.typeUserLibrary && !asset.isHidden)
    #expect(!asset.representsBurst && asset.burstIdentifier == nil && asset.location == nil)
    #expect(asset.burstSelectionTypes == PHAssetBurstSelectionType())
    #expect(asset.canPerform(PHAssetEditOperation.content))
  }

  @Test(arguments: CGImagePropertyOrientation.allCases)
  func an_image_manager_reports_the_orientation_of_a_photo(orientation: CGImagePropertyOrientation)
    async throws
  {
    let number = UInt8(orientation.rawValue)
    let negative = try ImageTests.photo(orientation: orientation.base)
    // EXIF data with this one entry, after the marker at the start of the file.
    let exif: [UInt8] =
      [0xFF, 0xE1, 0, 34] + [UInt8]("Exif\0\0".utf8) + [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
      + [0x12, 0x01, 3, 0, 1, 0, 0, 0, number, 0, 0, 0] + [0, 0, 0, 0]
    let image = try JPEGCodec.encode(
      [UInt8](repeating: 90, count: 3 * 48 * 32), width: 48, height: 32, quality: 0.9
    ).data
    let urls = [
      try folder.write([UInt8](negative), "a.dng"),
      try folder.write(Array(image[..<2]) + exif + Array(image[2...]), "a.jpg"),
    ]
    for url in urls {
      try await library.performChanges {
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
    }
    let assets = try fetch()
    #expect(assets.count == 2)
    for asset in assets {
      PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) {
        data, type, found, info in
        #expect(data != nil && found == orientation, "\(type ?? "none"): \(info ?? [:])")
      }
    }
  }
}
