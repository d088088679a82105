import AVFoundationCompat
import PictureFiles
import TestSupport
import Testing

/// What Apple's articles on RAW and ProRAW do, written anew in their names.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PhotoTests {
  /// A session on a synthetic sensor.
  private struct Camera {
    let session = AVCaptureSession()
    let output = AVCapturePhotoOutput()

    init(proRAW: Bool) throws {
      let device = try AVCaptureDevice.device(identifier: "pattern:raw?pace=none")
      try device.lockForConfiguration()
      device.activeFormat = try #require(
        device.formats.first {
          $0.isHighestPhotoQualitySupported && $0.highResolutionStillImageDimensions.width == 640
        })
      device.unlockForConfiguration()
      session.beginConfiguration()
      let input = try AVCaptureDeviceInput(device: device)
      #expect(session.canAddInput(input))
      session.addInput(input)
      #expect(session.canAddOutput(output))
      session.addOutput(output)
      if proRAW { output.isAppleProRAWEnabled = output.isAppleProRAWSupported }
      session.commitConfiguration()
      #expect(session.outputs.contains { $0 == output })
    }
  }

  /// Keeps the files of a capture until it is over.
  private final class Processor: NSObject, AVCapturePhotoCaptureDelegate {
    var rawFile: URL?
    var processed: Data?
    var photos: [AVCapturePhoto] = []
    var calls: [String] = []
    private let folder: URL
    private var end: CheckedContinuation<(any Error)?, Never>?

    init(folder: URL) { self.folder = folder }

    func capture(
      _ settings: AVCapturePhotoSettings, _ output: AVCapturePhotoOutput
    ) async -> (any Error)? {
      await withCheckedContinuation { continuation in
        end = continuation
        output.capturePhoto(with: settings, delegate: self)
      }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { calls.append("begin") }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      calls.append("photo")
      photos.append(photo)
      guard error == nil, let data = photo.fileDataRepresentation() else { return }
      if photo.isRawPhoto {
        let file = folder.appendingPathComponent("\(photo.photoCount)")
          .appendingPathExtension("dng")
        if (try? data.write(to: file)) != nil { rawFile = file }
      } else {
        processed = data
      }
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
      calls.append("end")
      end?.resume(returning: error)
    }
  }

  @Test func a_bayer_photo_with_its_companion_becomes_one_asset() async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: false)
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
    let processor = Processor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.calls == ["begin", "photo", "photo", "end"])
    #expect(processor.photos.first?.pixelBuffer?.width == 640)
    #expect(processor.photos.first?.resolvedSettings.expectedPhotoCount == 2)
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
    #expect(!FileManager.default.fileExists(atPath: file.path), "it was moved")
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

  @Test(arguments: [false, true])
  func a_photo_becomes_an_image(isProRAW: Bool) async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: isProRAW)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(
      camera.output.availableRawPhotoPixelFormatTypes.first {
        AVCapturePhotoOutput.isAppleProRAWPixelFormat($0) == isProRAW
      })
    let settings = AVCapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    let processor = Processor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.photos.map(\.isRawPhoto) == [true, false])
    var means: [Double] = []
    for photo in processor.photos {
      let image = try #require(photo.cgImageRepresentation(), "\(photo.fileDataError as Any)")
      #expect(photo.fileDataError == nil && image.bitsPerComponent == 8)
      let sizes = photo.resolvedSettings
      let wanted = photo.isRawPhoto ? sizes.rawPhotoDimensions : sizes.photoDimensions
      // A sensor's edges are left out of what is developed.
      let least = photo.isRawPhoto ? 0.95 : 1
      #expect((least...1).contains(Double(image.width) / Double(wanted.width)))
      #expect((least...1).contains(Double(image.height) / Double(wanted.height)))
      guard case .uint8(let samples) = image.picture.samples else {
        Issue.record("not of 8 bits")
        continue
      }
      #expect(samples.count == image.width * image.height * 3 && Set(samples).count > 16)
      means.append(Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count))
    }
    // Both are of one exposure, and about as bright.
    #expect(abs(means[0] - means[1]) < 40, "\(means)")
  }

  /// Both are of one exposure.
  @Test func a_photo_of_heic_becomes_the_image_that_jpeg_becomes() async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: false)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    var means: [[Double]] = []
    for codec in [AVVideoCodecType.hevc, .jpeg] {
      let processor = Processor(folder: folder.url)
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
      #expect(await processor.capture(settings, camera.output) == nil)
      let photo = try #require(processor.photos.first)
      let decoded = photo.cgImageRepresentation()
      if (photo.fileDataError?.underlyingError as? PictureFileError)?.code == .unsupported {
        try Test.cancel("\(photo.fileDataError?.message ?? "")")
      }
      let image = try #require(decoded, "\(photo.fileDataError as Any)")
      #expect(photo.resolvedSettings.previewDimensions == CMVideoDimensions())
      let sizes = photo.resolvedSettings.photoDimensions
      #expect(image.width == Int(sizes.width) && image.height == Int(sizes.height))
      guard case .uint8(let samples) = image.picture.samples else {
        Issue.record("not of 8 bits")
        continue
      }
      means.append(
        (0..<3).map { channel in
          let values = stride(from: channel, to: samples.count, by: 3).map { Int(samples[$0]) }
          return Double(values.reduce(0, +)) / Double(values.count)
        })
    }
    #expect(zip(means[0], means[1]).allSatisfy { abs($0 - $1) < 3 }, "\(means)")
  }

  @Test(.tags(.judges), .enabled(if: PictureJudges.exiftoolIsPresent, "exiftool is not installed"))
  func place_photographer_and_lens_are_in_the_files() async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: false)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    let settings = AVCapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.metadata = [
      kCGImagePropertyGPSDictionary as String: [
        kCGImagePropertyGPSLatitude as String: 33.5, kCGImagePropertyGPSLatitudeRef as String: "S",
        kCGImagePropertyGPSLongitude as String: 70.25,
        kCGImagePropertyGPSLongitudeRef as String: "W",
        kCGImagePropertyGPSAltitude as String: 12, kCGImagePropertyGPSAltitudeRef as String: 1,
        "Speed": 3,
      ],
      kCGImagePropertyTIFFDictionary as String: [
        kCGImagePropertyTIFFArtist as String: "A. Person",
        kCGImagePropertyTIFFCopyright as String: "CC0",
        kCGImagePropertyTIFFImageDescription as String: "A test",
        kCGImagePropertyTIFFMake as String: "Maker", kCGImagePropertyTIFFModel as String: "Model 1",
        kCGImagePropertyTIFFSoftware as String: "Program 2",
      ],
      kCGImagePropertyExifDictionary as String: [
        kCGImagePropertyExifLensModel as String: "Lens", kCGImagePropertyExifFNumber as String: 2.8,
        kCGImagePropertyExifFocalLength as String: 35,
        kCGImagePropertyExifBodySerialNumber as String: "77",
        kCGImagePropertyExifExposureTime as String: 9,
      ],
      "{IPTC}": ["Keywords": "none"],
    ]
    #expect(settings.unwrittenMetadata == ["{Exif}.ExposureTime", "{GPS}.Speed", "{IPTC}"])
    let next = AVCapturePhotoSettings(from: settings)
    #expect(next.metadata[kCGImagePropertyGPSDictionary as String] != nil)
    next.metadata = [:]
    #expect(next.metadata[kCGImagePropertyGPSDictionary as String] == nil)
    #expect(next.unwrittenMetadata.isEmpty)
    let processor = Processor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    let processed = try #require(processor.processed)
    try processed.write(to: folder.url("a.jpg"))
    for file in [try #require(processor.rawFile), folder.url("a.jpg")] {
      let tags = try PictureJudges.tags(file.path)
      for (name, value) in [
        ("Composite:GPSLatitude", "-33.5"), ("Composite:GPSLongitude", "-70.25"),
        ("Composite:GPSAltitude", "-12"), ("IFD0:Artist", "A. Person"), ("IFD0:Copyright", "CC0"),
        ("IFD0:ImageDescription", "A test"), ("IFD0:Make", "Maker"), ("IFD0:Model", "Model 1"),
        ("IFD0:Software", "Program 2"), ("ExifIFD:LensModel", "Lens"), ("ExifIFD:FNumber", "2.8"),
        ("ExifIFD:FocalLength", "35"),
      ] { #expect(tags[name] == value, "\(name) of \(file.lastPathComponent)") }
    }
    let told = try #require(processor.photos.first).metadata
    let place = told[kCGImagePropertyGPSDictionary as String] as? [String: Any]
    #expect(place?[kCGImagePropertyGPSLatitudeRef as String] as? String == "S")
    let exposure = told[kCGImagePropertyExifDictionary as String] as? [String: Any]
    #expect(exposure?[kCGImagePropertyExifExposureTime as String] is Double)
    #expect((exposure?[kCGImagePropertyExifISOSpeedRatings as String] as? [Int])?.count == 1)
    #expect(exposure?[kCGImagePropertyExifExposureBiasValue as String] == nil)
    #expect(told[kCGImagePropertyOrientation as String] as? Int == 1)
  }

  @Test func a_place_that_is_none_is_a_mistake() async throws {
    for (key, value) in [
      (kCGImagePropertyGPSLatitude as String, 91.0 as Any),
      (kCGImagePropertyGPSLongitudeRef as String, "X"),
      (kCGImagePropertyGPSLatitude as String, "1"),
    ] {
      var place: [String: Any] = [
        kCGImagePropertyGPSLatitude as String: 1.0, kCGImagePropertyGPSLongitude as String: 2.0,
      ]
      place[key] = value
      let camera = try Camera(proRAW: false)
      camera.session.startRunning()
      defer { camera.session.stopRunning() }
      let settings = AVCapturePhotoSettings()
      settings.metadata = [kCGImagePropertyGPSDictionary as String: place]
      let folder = try TemporaryFolder()
      let error = await Processor(folder: folder.url).capture(settings, camera.output)
      #expect("\(error as Any)".contains(key), "\(error as Any)")
    }
  }

  /// Data that come in pieces, one after the other.
  private final class Whole: @unchecked Sendable {
    // Unchecked: the manager hands out the pieces in order, and the end after them.
    private(set) var data = Data()
    func append(_ piece: Data) { data.append(piece) }
  }

  /// Ten bits, and more or less loss.
  private struct Customizer: AVCapturePhotoFileDataRepresentationCustomizer {
    var settings: [String: Any]
    func replacementAppleProRAWCompressionSettings(
      for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any] {
      #expect(defaultSettings[AVVideoAppleProRAWBitDepthKey] as? Int == maximumBitDepth)
      return settings
    }
  }

  @Test func a_prores_raw_photo_has_its_thumbnail_and_the_customizers_file() async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: true)
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
    let processor = Processor(folder: folder.url)
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
    if case .uint8(let samples) = preview.picture.samples { #expect(samples[2] == blue) }
    // A thumbnail as large as the raw could be taken for it.
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
    let camera = try Camera(proRAW: false)
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
    let processor = Processor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.photos.map(\.sequenceCount) == [1, 2])
    #expect(processor.photos.last?.base.exposure.duration == 0.01)
    #expect(camera.output.maxBracketedCapturePhotoCount >= 2)
  }

  @Test func a_mistake_ends_the_capture_with_its_name() async throws {
    let folder = try TemporaryFolder()
    let camera = try Camera(proRAW: false)
    let raw = try #require(camera.output.availableRawPhotoPixelFormatTypes.first)
    func settings(_ processed: [String: Any]) -> AVCapturePhotoSettings {
      AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: processed)
    }
    func end(_ settings: AVCapturePhotoSettings) async -> AVError? {
      await Processor(folder: folder.url).capture(settings, camera.output) as? AVError
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
