import AVFoundationCompat
import ImageFiles
import Synchronization
import TestSupport
import Testing

/// What an image manager delivers besides files: images, exports, and information about them.
@Suite(.timeLimit(.minutes(10))) struct ImageManagerTests {
  private let folder: TemporaryFolder
  private let library: PhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = PhotoLibrary(at: folder.url("Library"))
    library.hookSelection = .none
  }

  private func asset(_ url: URL, isMovie: Bool = false) async throws -> PHAsset {
    try await library.performChanges {
      if isMovie {
        PHAssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: url)
      } else {
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
      }
    }
    return PHAsset(try #require(try library.fetchAssets().allObjects().first))
  }

  private func size(
    of asset: PHAsset, _ width: CGFloat, _ height: CGFloat, _ mode: PHImageContentMode,
    _ options: PHImageRequestOptions? = nil
  ) -> [Int]? {
    var size: [Int]?
    let number = PHCachingImageManager().requestImage(
      for: asset, targetSize: CGSize(width: width, height: height), contentMode: mode,
      options: options
    ) { image, info in
      size = image.map { [$0.width, $0.height] }
      #expect((info?[PHImageErrorKey] != nil) == (image == nil))
    }
    return number == PHInvalidImageRequestID ? size : nil
  }

  @Test func a_photo_keeps_its_color_space() async throws {
    let samples = [UInt8](repeating: 200, count: 16 * 16 * 3)
    let bitmap = RenderedImage(
      width: 16, height: 16, samples: .uint8(samples), colorSpace: .displayP3)
    let file = try ImageFileWriter(ImageFileSettings(format: .jpeg)).encode(
      ImageContent(bitmap))
    let asset = try await asset(try folder.write(file.bytes, "a.jpg"))
    var space: CGColorSpace?
    PHImageManager().requestImage(
      for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: nil
    ) { image, _ in space = image?.colorSpace }
    #expect(space?.name == CGColorSpace.displayP3)
  }

  @Test func a_raw_photo_is_rendered_at_the_requested_size_but_never_enlarged() async throws {
    // 96x64, stored on its side.
    let url = try folder.write([UInt8](ImageTests.photo(orientation: .right)), "a.dng")
    let asset = try await asset(url)
    let whole = PHImageManagerMaximumSize
    #expect(size(of: asset, whole.width, whole.height, .default) == [64, 96])
    #expect(size(of: asset, 32, 32, .aspectFit) == [21, 32])
    #expect(size(of: asset, 32, 32, .aspectFill) == [32, 48])
    #expect(size(of: asset, 640, 640, .aspectFit) == [64, 96])
    for most in [CGFloat.greatestFiniteMagnitude, .infinity] {
      #expect(size(of: asset, most, most, .aspectFit) == [64, 96])
    }
    let options = PHImageRequestOptions()
    options.normalizedCropRect = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.25)
    #expect(size(of: asset, whole.width, whole.height, .aspectFit, options) == [32, 24])
    options.normalizedCropRect = CGRect(x: 2, y: 2, width: 1, height: 1)
    #expect(size(of: asset, 32, 32, .aspectFit, options) == nil)
  }

  @Test func an_image_request_reports_progress_and_result_info() async throws {
    let url = try folder.write([UInt8](ImageTests.photo()), "a.dng")
    let asset = try await asset(url)
    let options = PHImageRequestOptions()
    var progress: [Double] = []
    let handler: PHAssetImageProgressHandler = { share, error, stop, _ in
      progress.append(share)
      #expect(error == nil && !stop.pointee.boolValue)
    }
    options.progressHandler = handler
    let manager = PHImageManager()
    manager.requestImageData(for: asset, options: options) { data, type, orientation, info in
      #expect(data?.isEmpty == false && type == "com.adobe.raw-image" && orientation == .up)
      #expect(info?[PHImageResultIsDegradedKey] as? Bool == false)
      #expect(info?[PHImageCancelledKey] as? Bool == false)
      #expect(info?[PHImageResultIsInCloudKey] as? Bool == false)
      #expect(info?[PHImageResultRequestIDKey] as? PHImageRequestID == PHInvalidImageRequestID)
    }
    #expect(size(of: asset, 8, 8, .aspectFit, options) == [8, 5])
    #expect(progress == [1, 1])
    manager.requestExportSession(
      forVideo: asset, options: nil, exportPreset: AVAssetExportPresetPassthrough
    ) { session, info in
      #expect(session == nil && info?[PHImageErrorKey] is PHPhotosError)
    }
    let caching = PHCachingImageManager()
    caching.allowsCachingHighQualityImages = true
    let side = CGSize(width: 8, height: 8)
    caching.startCachingImages(for: [asset], targetSize: side, contentMode: .default, options: nil)
    caching.stopCachingImages(for: [asset], targetSize: side, contentMode: .default, options: nil)
    caching.stopCachingImagesForAllAssets()
    #expect(!caching.allowsCachingHighQualityImages)
  }

  @Test func an_image_manager_delivers_movies_as_image_and_export_session() async throws {
    let rig = try ReadingRig()
    let movie = try await rig.makeMovie()
    let asset = try await asset(movie.url, isMovie: true)
    #expect(size(of: asset, 160, 160, .aspectFit) == [160, 90])
    let options = PHVideoRequestOptions()
    var progress: [Double] = []
    let handler: PHAssetVideoProgressHandler = { share, _, _, _ in progress.append(share) }
    options.progressHandler = handler
    PHImageManager.default().requestExportSession(
      forVideo: asset, options: options, exportPreset: AVAssetExportPresetPassthrough
    ) { session, info in
      #expect(session?.presetName == AVAssetExportPresetPassthrough)
      #expect(info?[PHImageErrorKey] == nil)
    }
    PHImageManager.default().requestExportSession(
      forVideo: asset, options: nil, exportPreset: "none"
    ) { session, info in
      #expect(session == nil && "\(info?[PHImageErrorKey] ?? "")".contains("none"))
    }
    #expect(progress == [1])
  }

  @Test func a_fetch_result_is_enumerated_in_reverse_and_by_index() async throws {
    for name in ["a.dng", "b.dng", "c.dng"] {
      let photo = try ImageTests.photo() + [UInt8](name.utf8)
      _ = try await asset(folder.write([UInt8](photo), name))
    }
    let album = try await library.performAlbum(named: "A", of: library.fetchAssets().allObjects())
    let result = PHAsset.fetchAssets(in: album, options: nil)
    var places: [Int] = []
    result.enumerateObjects(options: .reverse) { asset, place, stop in
      #expect(asset == result.object(at: place))
      places.append(place)
      if place == 1 { stop.pointee = true }
    }
    #expect(places == [2, 1])
    result.enumerateObjects(at: [0, 2], options: []) { _, place, _ in places.append(place) }
    #expect(places == [2, 1, 0, 2])
  }

  @Test func unsupported_smart_albums_are_not_found() {
    let types: [PHAssetCollectionSubtype] = [
      .smartAlbumTimelapses, .smartAlbumCinematic, .smartAlbumSpatial, .smartAlbumScreenRecordings,
    ]
    for type in types {
      let found = PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: type, options: nil)
      #expect(found.count == 0)
    }
    let moments = PHAssetCollection.fetchAssetCollections(
      with: .moment, subtype: .any, options: nil)
    #expect(moments.count == 0 && moments.error == nil)
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
    let list = PHCollectionList.fetchTopLevelUserCollections(with: nil)
    #expect(list.count == albums.count)
  }
}

extension PhotoLibrary {
  fileprivate func performAlbum(named title: String, of assets: [Asset]) async throws
    -> PHAssetCollection
  {
    try await performChanges {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      album.addAssets(assets.map { PHAsset($0) })
    }
    return PHAssetCollection(try #require(try userAlbums().first))
  }
}
