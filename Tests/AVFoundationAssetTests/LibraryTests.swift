import TestSupport
import Testing

@testable import AVFoundationCompat

/// The shared library, in a folder of these tests.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LibraryTests {
  private static let folder: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    setenv("RECORDCTL_LIBRARY", folder.url("Library").path, 1)
    // All tests share it, and it is removed when the process exits.
    atexit {
      if let folder = LibraryTests.folder { try? FileManager.default.removeItem(at: folder.url) }
    }
    // Do not run the user's hooks.
    PHPhotoLibrary.shared().hookSelection = .none
    return folder
  }()

  /// A short movie, made by a writer.
  private func movie(_ name: String, _ folder: TemporaryFolder) async throws -> URL {
    let url = folder.url(name)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422Proxy, AVVideoWidthKey: 64,
        AVVideoHeightKey: 48,
      ])
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    var memory = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48))
    memory.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      for index in bytes.indices { bytes[index] = 128 }
    }
    let image = memory.finish()
    for frame in 0..<2 {
      let time = CMTime(value: Int64(frame), timescale: 25)
      let isTaken = input.append(CMSampleBuffer(.video(image), presentationTimeStamp: time))
      #expect(isTaken, "\(writer.error.map { "\($0)" } ?? "")")
    }
    writer.endSession(atSourceTime: CMTime(value: 2, timescale: 25))
    await writer.finishWriting()
    #expect(writer.error == nil && writer.outputFileType == .mov)
    #expect(writer.availableMediaTypes.contains(.video))
    return url
  }

  @Test func a_change_block_needs_no_handler_and_may_be_synchronous() throws {
    _ = try #require(Self.folder)
    final class Count { var value = 0 }
    let count = Count()
    try PHPhotoLibrary.shared().performChangesAndWait { count.value += 1 }
    #expect(count.value == 1)
    PHPhotoLibrary.shared().performChanges({})
  }

  @Test func a_saved_movie_is_fetched_read_and_deleted() async throws {
    let folder = try #require(Self.folder)
    let status = await PHPhotoLibrary.requestAuthorization(for: PHAccessLevel.addOnly)
    #expect(status == .authorized && PHPhotoLibrary.authorizationStatus() == .authorized)
    #expect(PHAssetCreationRequest.supportsAssetResourceTypes([.photo, .alternatePhoto]))
    let url = try await movie("take.mov", folder)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: url)
      request?.creationDate = date
      request?.isFavorite = true
      request?.location = .init(latitude: 1, longitude: 2)
      let placeholder: PHObjectPlaceholder? = request?.placeholderForCreatedAsset
      #expect(placeholder?.localIdentifier.isEmpty == false)
    }
    let all: PHFetchResult<PHAsset> = PHAsset.fetchAssets(with: nil)
    #expect(all.count == 1 && all.error == nil)
    let asset = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
    #expect(asset == all.lastObject && asset == all.object(at: 0) && asset == all[0])
    #expect(asset.mediaType == PHAssetMediaType.video && asset.creationDate == date)
    #expect(asset.isFavorite && asset.modificationDate != nil && asset.duration == 0.08)
    #expect(asset.pixelWidth == 64 && asset.pixelHeight == 48 && asset.base.isProRes)
    #expect(PHAsset.fetchAssets(with: .image, options: nil).count == 0)
    let identifiers = [asset.localIdentifier]
    #expect(PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil).count == 1)
    let options = PHFetchOptions()
    options.assetPredicate = .not(.isProRes(true))
    options.assetSortDescriptors = [AssetSortDescriptor(key: .duration, ascending: true)]
    options.fetchLimit = 5
    #expect(PHAsset.fetchAssets(with: options).count == 0)
    let textual = PHFetchOptions()
    textual.predicate = NSPredicate(
      format: "mediaType == %d AND isFavorite == YES AND creationDate <= %@",
      PHAssetMediaType.video.rawValue, date as NSDate)
    textual.sortDescriptors = [
      NSSortDescriptor(key: "creationDate", ascending: false),
      NSSortDescriptor(key: "duration", ascending: true),
    ]
    textual.fetchLimit = 1
    #expect(PHAsset.fetchAssets(with: textual).firstObject == asset)
    textual.predicate = NSPredicate(format: "pixelWidth > 64")
    #expect(PHAsset.fetchAssets(with: textual).count == 0)
    for mistake in ["iso > 100", "pixelWidth >"] {
      textual.predicate = NSPredicate(format: mistake)
      let none = PHAsset.fetchAssets(with: textual)
      #expect(none.count == 0 && none.error?.message.contains("predicate") == true)
    }
    #expect(all.objects(at: IndexSet(integer: 0)) == [asset])
    var seen = 0
    all.enumerateObjects { object, index, stop in
      seen += object == asset && index == 0 ? 1 : 0
      stop.pointee = true
    }
    #expect(seen == 1)

    for (subtype, count) in [
      (PHAssetCollectionSubtype.smartAlbumVideos, 1), (.smartAlbumFavorites, 1),
      (.smartAlbumRecentlyAdded, 1), (.smartAlbumUserLibrary, 1), (.smartAlbumRAW, 0),
    ] {
      let albums = PHAssetCollection.fetchAssetCollections(
        with: PHAssetCollectionType.smartAlbum, subtype: subtype, options: nil)
      let album = try #require(albums.firstObject)
      #expect(albums.count == 1 && album.assetCollectionSubtype == subtype)
      #expect(album.localizedTitle?.isEmpty == false && album.estimatedAssetCount == count)
      #expect(PHAsset.fetchAssets(in: album, options: nil).count == count)
    }

    #expect(
      PHAssetCollection.fetchAssetCollections(
        with: PHAssetCollectionType.smartAlbum, subtype: .smartAlbumAllHidden, options: nil
      ).count == 0)

    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    #expect(resource.type == PHAssetResourceType.video && resource.originalFilename == "take.mov")
    #expect(resource.uniformTypeIdentifier == "com.apple.quicktime-movie")
    let copy = folder.url("copy.mov")
    let wanted = PHAssetResourceRequestOptions()
    wanted.isNetworkAccessAllowed = true
    wanted.progressHandler = { #expect($0 <= 1) }
    for expected: PHPhotosError.Code? in [nil, .invalidResource] {
      let error: (any Error)? = await withCheckedContinuation { continuation in
        PHAssetResourceManager.default().writeData(
          for: resource, toFile: copy, options: wanted
        ) { continuation.resume(returning: $0) }
      }
      #expect((error as? PHPhotosError)?.code == expected)
    }
    #expect(try Data(contentsOf: copy) == Data(contentsOf: url))

    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: asset).isFavorite = false
      PHAssetChangeRequest.deleteAssets([asset])
    }
    #expect(PHAsset.fetchAssets(with: nil).count == 0)
    await withCheckedContinuation { continuation in
      PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in
        guard status == .authorized else { return }
        continuation.resume()
      }
    }
    await withCheckedContinuation { continuation in
      PHPhotoLibrary.requestAuthorization { status in
        #expect(status == .authorized)
        continuation.resume()
      }
    }
  }

  @Test func an_edit_is_saved_resumed_and_reverted() async throws {
    let folder = try #require(Self.folder)
    let photo = folder.url("photo.dng")
    try ImageTests.photo().write(to: photo)
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: photo)
    }
    func asset() throws -> PHAsset {
      try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
    }
    func input(continues: Bool) throws -> PHContentEditingInput {
      let options = PHContentEditingInputRequestOptions()
      options.canHandleAdjustmentData = { data in
        continues && data.formatIdentifier == "com.example.editor" && data.formatVersion == "2"
      }
      var found: PHContentEditingInput?
      let number: PHContentEditingInputRequestID = try asset().requestContentEditingInput(
        with: options
      ) { input, _ in found = input }
      try asset().cancelContentEditingInputRequest(number)
      return try #require(found)
    }
    let first = try input(continues: true)
    #expect(first.adjustmentData == nil && first.mediaType == .image && first.creationDate != nil)
    let original = try Data(contentsOf: try #require(first.fullSizeImageURL))

    let output = PHContentEditingOutput(contentEditingInput: first)
    let image = Data(
      try JPEGCodec.encode(
        [UInt8](repeating: 90, count: 3 * 48 * 32), width: 48, height: 32, quality: 0.9
      ).data)
    try image.write(to: output.renderedContentURL)
    nonisolated(unsafe) let edit = output
    // An edit without adjustment data is refused, because it could not be resumed.
    let edited = try asset()
    await #expect(throws: PHPhotosError.self) {
      try await PHPhotoLibrary.shared().performChanges {
        PHAssetChangeRequest(for: edited).contentEditingOutput = edit
      }
      try await PHPhotoLibrary.shared().performChanges {}
    }
    output.adjustmentData = PHAdjustmentData(
      formatIdentifier: "com.example.editor", formatVersion: "2", data: Data("sepia".utf8))
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: edited).contentEditingOutput = edit
    }
    let again = try input(continues: true)
    #expect(again.adjustmentData?.data == Data("sepia".utf8))
    #expect(try Data(contentsOf: try #require(again.fullSizeImageURL)) == original)
    let flat = try input(continues: false)
    #expect(flat.adjustmentData == nil && flat.uniformTypeIdentifier == "public.jpeg")
    #expect(try Data(contentsOf: try #require(flat.fullSizeImageURL)) == image)

    let now = try asset()
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: now).revertAssetContentToOriginal()
    }
    let reverted = try input(continues: true)
    #expect(reverted.adjustmentData == nil)
    #expect(try Data(contentsOf: try #require(reverted.fullSizeImageURL)) == original)
    let left = try asset()
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([left]) }
  }

  @Test func a_request_outside_a_change_block_fails_the_next_block_once() throws {
    let requests = MisplacedRequests()
    requests.note { () throws(MediaLibraryError) in try AssetCreationRequest(unplaced: nil).join() }
    let error = #expect(throws: MediaLibraryError.self) { try requests.check() }
    #expect(error?.message.contains("performChanges") == true)
    try requests.check()
  }

  @Test func library_errors_map_to_photokit_errors() async throws {
    let folder = try #require(Self.folder)
    do {
      try await PHPhotoLibrary.shared().performChanges {
        PHAssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: folder.url("none.mov"))
      }
      Issue.record("a missing file was saved")
    } catch let error as PHPhotosError {
      #expect(error.code == PHPhotosError.missingResource && error.errorCode == 3303)
      #expect(PHPhotosError.errorDomain == PHPhotosErrorDomain)
    }
    let expected: [(MediaLibraryError.Code, PHPhotosError.Code)] = [
      (.catalogueFailed, PHPhotosError.internalError),
      (.assetNotFound, PHPhotosError.identifierNotFound),
      (.unsupportedResourceTypes, PHPhotosError.changeNotSupported),
      (.busy, PHPhotosError.operationInterrupted),
      (.fileInUse, PHPhotosError.invalidResource), (.diskFull, PHPhotosError.notEnoughSpace),
      (.accessDenied, PHPhotosError.accessRestricted),
    ]
    for (code, number) in expected {
      #expect(PHPhotosError(MediaLibraryError(code, "")).code == number)
    }
    let denied = PHPhotosError(MediaLibraryError(.accessDenied, "", errno: 13))
    #expect(denied.code == PHPhotosError.accessUserDenied)
  }
}
