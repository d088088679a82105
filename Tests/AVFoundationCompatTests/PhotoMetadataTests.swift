import AVFoundationCompat
import TestSupport
import Testing

/// What a program sets about a photo, and what the photo says about itself.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PhotoMetadataTests {
  @Test(.tags(.judges), .enabled(if: ImageJudges.exiftoolIsPresent, "exiftool is not installed"))
  func location_artist_and_lens_are_written_to_the_files() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
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
    let processor = PhotoProcessor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    let processed = try #require(processor.processed)
    try processed.write(to: folder.url("a.jpg"))
    for file in [try #require(processor.rawFile), folder.url("a.jpg")] {
      let tags = try ImageJudges.tags(file.path)
      for (name, value) in [
        ("Composite:GPSLatitude", "-33.5"), ("Composite:GPSLongitude", "-70.25"),
        ("Composite:GPSAltitude", "-12"), ("IFD0:Artist", "A. Person"), ("IFD0:Copyright", "CC0"),
        ("IFD0:ImageDescription", "A test"), ("IFD0:Make", "Maker"), ("IFD0:Model", "Model 1"),
        ("IFD0:Software", "Program 2"), ("ExifIFD:LensModel", "Lens"), ("ExifIFD:FNumber", "2.8"),
        ("ExifIFD:FocalLength", "35"),
      ] { #expect(tags[name] == value, "\(name) of \(file.lastPathComponent)") }
    }
    let reported = try #require(processor.photos.first).metadata
    let place = reported[kCGImagePropertyGPSDictionary as String] as? [String: Any]
    #expect(place?[kCGImagePropertyGPSLatitudeRef as String] as? String == "S")
    let exposure = reported[kCGImagePropertyExifDictionary as String] as? [String: Any]
    #expect(exposure?[kCGImagePropertyExifExposureTime as String] is Double)
    #expect((exposure?[kCGImagePropertyExifISOSpeedRatings as String] as? [Int])?.count == 1)
    #expect(exposure?[kCGImagePropertyExifExposureBiasValue as String] == nil)
    #expect(reported[kCGImagePropertyOrientation as String] as? Int == 1)
  }

  @Test func an_invalid_location_is_refused() async throws {
    for (key, value) in [
      (kCGImagePropertyGPSLatitude as String, 91.0 as Any),
      (kCGImagePropertyGPSLongitudeRef as String, "X"),
      (kCGImagePropertyGPSLatitude as String, "1"),
    ] {
      var place: [String: Any] = [
        kCGImagePropertyGPSLatitude as String: 1.0, kCGImagePropertyGPSLongitude as String: 2.0,
      ]
      place[key] = value
      let camera = try PhotoCamera(proRAW: false)
      camera.session.startRunning()
      defer { camera.session.stopRunning() }
      let settings = AVCapturePhotoSettings()
      settings.metadata = [kCGImagePropertyGPSDictionary as String: place]
      let folder = try TemporaryFolder()
      let error = await PhotoProcessor(folder: folder.url).capture(settings, camera.output)
      #expect("\(error as Any)".contains(key), "\(error as Any)")
    }
  }
}
