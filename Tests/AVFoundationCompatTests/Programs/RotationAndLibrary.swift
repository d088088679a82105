import AVFoundationCompat

/// Rotates video by the device's coordinator, and saves the movie to an album.
final class RotationAndLibrary {
  private let device: AVCaptureDevice
  private let coordinator: AVCaptureDevice.RotationCoordinator
  private var observation: NSKeyValueObservation?
  private(set) var angle: CGFloat = -1

  init(device: AVCaptureDevice) {
    self.device = device
    coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
    angle = coordinator.videoRotationAngleForHorizonLevelCapture
    observation = coordinator.observe(
      \.videoRotationAngleForHorizonLevelCapture, options: .new
    ) { _, change in
      if let angle = change.newValue { expect(angle == 0, "a device is rotated by \(angle)") }
    }
  }

  deinit { observation?.invalidate() }

  func apply(to output: AVCaptureOutput) {
    for connection in output.connections where connection.isVideoRotationAngleSupported(angle) {
      connection.videoRotationAngle = angle
    }
  }

  static func save(_ url: URL) {
    PHPhotoLibrary.shared().performChanges({
      PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url)
    })
  }

  static func save(_ url: URL, title: String) throws -> String? {
    var identifier: String?
    try PHPhotoLibrary.shared().performChangesAndWait {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      identifier = album.placeholderForCreatedAssetCollection.localIdentifier
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .video, fileURL: url, options: nil)
      if let placeholder = request.placeholderForCreatedAsset {
        album.addAssets([placeholder] as NSArray)
      }
    }
    return identifier
  }

  static func run() async throws {
    let program = RotationAndLibrary(device: try AVCaptureDevice.testCamera())
    expect(program.angle == 0, "the angle is \(program.angle)")
    program.apply(to: AVCaptureVideoDataOutput())
    let url = scratchURL("saved.mov")
    try await TurnedTrack.write(.landscape, to: url)
    guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized,
      let identifier = try save(url, title: "Dailies")
    else { throw PHPhotosError(.accessUserDenied) }
    let albums = PHAssetCollection.fetchAssetCollections(
      withLocalIdentifiers: [identifier], options: nil)
    guard let album = albums.firstObject else { throw PHPhotosError(.identifierNotFound) }
    expect(album.localizedTitle == "Dailies", "the album is \(album.localizedTitle ?? "nameless")")
    expect(PHAsset.fetchAssets(in: album, options: nil).count == 1, "the album is empty")
    save(url)
    let deadline = Date().addingTimeInterval(60)
    while PHAsset.fetchAssets(with: .video, options: nil).count < 2, Date() < deadline {
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    expect(PHAsset.fetchAssets(with: .video, options: nil).count == 2, "one movie is saved")
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "title = %@", "Dailies")
    let titled = PHAssetCollection.fetchAssetCollections(
      with: .album, subtype: .any, options: options)
    expect(titled.firstObject?.localIdentifier == identifier, "no album has the title")
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
      PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: .video, options: nil))
    }
    expect(PHAsset.fetchAssets(with: nil).count == 0, "an asset remains after its deletion")
    expect(FileManager.default.fileExists(atPath: url.path), "the movie was moved")
  }
}
