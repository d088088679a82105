import AVFoundationCompat
import TestSupport
import Testing

/// The code of Apple's articles on RAW and ProRAW, rewritten in the same names.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PhotoTests {
  @Test func a_bayer_photo_with_its_companion_becomes_one_asset() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(
      camera.output.availableRawPhotoPixelFormatTypes.first(where: {
        AVCapturePhotoOutput.isBayerRAWPixelFormat($0)
      }))
    let settings = AVCapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: [AVVideoCodecKey: AVVideoCodecType.hevc])
    settings.isAutoStillImageStabilizationEnabled = false
    #expect(settings.rawPhotoPixelFormatType == raw && settings.format != nil)
    let processor = PhotoProcessor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.calls == ["begin", "photo", "photo", "end"])
    #expect(processor.photos.first?.pixelBuffer?.width == 640)
    #expect(processor.photos.first?.resolvedSettings.expectedPhotoCount == 2)
    let standIn = processor.photos.first?.resolvedSettings.deferredPhotoProxyDimensions
    #expect(standIn == CMVideoDimensions())
    #expect(processor.photos.first?.resolvedSettings.uniqueID == settings.uniqueID)

    let file = try #require(processor.rawFile)
    let processed = try #require(processor.processed)
    let library = PHPhotoLibrary(at: folder.url("Library"))
    let status = await library.requestAuthorization(for: .addOnly)
    #expect(status == PHAuthorizationStatus.authorized)
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      library.performChanges {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: processed, options: nil)
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        request.addResource(with: .alternatePhoto, fileURL: file, options: options)
      } completionHandler: { success, error in
        continuation.resume(returning: success ? nil : error)
      }
    }
    #expect(failure == nil)
    #expect(!FileManager.default.fileExists(atPath: file.path), "the file was moved")
    let found = try #require(try library.fetchAssets(in: .userLibrary).firstObject)
    let asset = PHAsset(found)
    #expect(asset.mediaType == .image && asset.pixelWidth == 640 && asset.creationDate != nil)
    let resources = PHAssetResource.assetResources(for: asset)
    #expect(resources.map(\.type) == [.photo, .alternatePhoto])

    let resource = try #require(resources.last)
    let data: Data = await withCheckedContinuation { continuation in
      let whole = Whole()
      PHAssetResourceManager.default().requestData(for: resource, options: nil) { data in
        whole.append(data)
      } completionHandler: { error in
        #expect(error == nil)
        continuation.resume(returning: whole.data)
      }
    }
    #expect(data == (try Data(contentsOf: resource.fileURL)) && data.count > 1000)

    let missing: (any Error)? = await withCheckedContinuation { continuation in
      library.performChanges {
        PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
      } completionHandler: {
        continuation.resume(returning: $0 ? nil : $1)
      }
    }
    #expect((missing as? PHPhotosError)?.code == .missingResource)
  }

  /// Data received piece by piece.
  private final class Whole: @unchecked Sendable {
    // Unchecked: the manager delivers the pieces in order, and then the end.
    private(set) var data = Data()
    func append(_ piece: Data) { data.append(piece) }
  }

  /// Ten bits, with varying loss.
  private struct Customizer: AVCapturePhotoFileDataRepresentationCustomizer {
    var settings: [String: Any]
    func replacementAppleProRAWCompressionSettings(
      for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any] {
      #expect(defaultSettings[AVVideoAppleProRAWBitDepthKey] as? Int == maximumBitDepth)
      return settings
    }
  }

  @Test func a_proraw_photo_has_a_thumbnail_and_customized_file() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: true)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let query =
      camera.output.isAppleProRAWEnabled
      ? { AVCapturePhotoOutput.isAppleProRAWPixelFormat($0) }
      : { AVCapturePhotoOutput.isBayerRAWPixelFormat($0) }
    let format = try #require(
      camera.output.availableRawPhotoPixelFormatTypes.first(where: query))
    let settings = AVCapturePhotoSettings(rawPixelFormatType: format)
    settings.photoQualityPrioritization = .balanced
    camera.output.isHighResolutionCaptureEnabled = true
    settings.isHighResolutionPhotoEnabled = camera.output.isHighResolutionCaptureEnabled
    #expect(camera.output.maxPhotoDimensions.width == 640)
    #expect(camera.output.maxPhotoQualityPrioritization == .balanced)
    #expect(camera.output.availablePhotoCodecTypes == [AVVideoCodecType.jpeg, .hevc])
    let codec = try #require(settings.availableRawEmbeddedThumbnailPhotoCodecTypes.first)
    let size = settings.maxPhotoDimensions
    settings.rawEmbeddedThumbnailPhotoFormat = [
      AVVideoCodecKey: codec, AVVideoWidthKey: size.width, AVVideoHeightKey: size.height,
    ]
    if let preview = settings.availablePreviewPhotoPixelFormatTypes.first {
      settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: preview]
    }
    let processor = PhotoProcessor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    let photo = try #require(processor.photos.first)
    #expect(photo.timestamp.isNumeric && photo.photoCount == 1)
    #expect(photo.resolvedSettings.rawPhotoDimensions.width == 640)
    #expect(photo.resolvedSettings.photoDimensions == CMVideoDimensions())
    #expect(photo.isRawPhoto && photo.previewPixelBuffer?.width == 160)
    let preview = try #require(photo.previewCGImageRepresentation())
    #expect(preview.width == 160 && preview.height == photo.previewPixelBuffer?.height)
    #expect(
      photo.resolvedSettings.previewDimensions
        == CMVideoDimensions(width: 160, height: Int32(preview.height)))
    let blue = photo.previewPixelBuffer?.withUnsafeBytes(ofPlane: 0) { $0[0] }
    if case .uint8(let samples) = preview.image.samples { #expect(samples[2] == blue) }
    // A thumbnail as large as the raw image could be mistaken for it.
    #expect((600..<640).contains(photo.resolvedSettings.rawEmbeddedThumbnailDimensions.width))
    let lossless = try #require(
      photo.fileDataRepresentation(
        with: Customizer(settings: [AVVideoAppleProRAWBitDepthKey: 10, AVVideoQualityKey: 1.0])))
    let lossy = try #require(
      photo.fileDataRepresentation(
        with: Customizer(settings: [AVVideoAppleProRAWBitDepthKey: 8, AVVideoQualityKey: 0.9])))
    #expect(lossy.count < lossless.count && photo.fileDataError == nil)
    #expect(photo.fileDataRepresentation(with: Customizer(settings: ["Depth": 8])) == nil)
    #expect(photo.fileDataError?.message.contains("'Depth'") == true)
  }

  @Test func a_bracket_makes_a_photo_of_each_exposure() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let settings = AVCapturePhotoBracketSettings(
      rawPixelFormatType: raw, processedFormat: nil,
      bracketedSettings: [AVCaptureBracketedStillImageSettings]([
        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(
          exposureTargetBias: -1),
        AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
          exposureDuration: CMTime(value: 1, timescale: 100), iso: 100),
      ]))
    settings.isLensStabilizationEnabled = true
    #expect(!settings.isLensStabilizationEnabled)
    #expect(!camera.output.isLensStabilizationDuringBracketedCaptureSupported)
    let processor = PhotoProcessor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.photos.map(\.sequenceCount) == [1, 2])
    #expect(processor.photos.last?.base.exposure.duration == 0.01)
    #expect(camera.output.maxBracketedCapturePhotoCount >= 2)
  }

  @Test func an_invalid_capture_ends_with_an_error_naming_the_cause() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    func settings(_ processed: [String: Any]) -> AVCapturePhotoSettings {
      AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: processed)
    }
    func end(_ settings: AVCapturePhotoSettings) async -> AVError? {
      await PhotoProcessor(folder: folder.url).capture(settings, camera.output) as? AVError
    }
    #expect(await end(AVCapturePhotoSettings(rawPixelFormatType: raw))?.code == .sessionNotRunning)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    for (processed, word) in [
      ([AVVideoCodecKey: "heic"], "'heic'"), (["Codec": "jpeg"], AVVideoCodecKey),
      ([AVVideoCodecKey: "jpeg", AVVideoWidthKey: 9], AVVideoWidthKey),
    ] as [([String: Any], String)] {
      let error = await end(settings(processed))
      #expect(error?.code == .unsupportedOutputSettings)
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "none")")
    }
    let steady = AVCapturePhotoSettings()
    steady.isAutoStillImageStabilizationEnabled = true
    #expect(await end(steady)?.message.contains("isAutoStillImageStabilizationEnabled") == true)
    let small = AVCapturePhotoSettings()
    small.maxPhotoDimensions = CMVideoDimensions(width: 100, height: 100)
    #expect(await end(small)?.message.contains("maxPhotoDimensions") == true)
    let once = AVCapturePhotoSettings()
    #expect(await end(once) == nil)
    #expect(await end(once)?.code == .operationNotAllowed)
    #expect(await end(AVCapturePhotoSettings(from: once)) == nil)
  }
}
