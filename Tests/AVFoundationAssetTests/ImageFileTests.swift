import AVFoundationCompat
import TestSupport
import Testing

/// Image files through Image I/O's names.
@Suite struct ImageFileTests {
  /// A 16-bit or 8-bit image with a ramp in each color, and with alpha on request.
  static func image(_ width: Int = 24, _ height: Int = 10, hasAlpha: Bool = false) throws
    -> CGImage
  {
    let bytes = (0..<width * height).flatMap { place -> [UInt8] in
      let (row, column) = (place / width, place % width)
      let colors = [UInt8(column * 8), UInt8(row * 16), UInt8((row + column) * 4)]
      return colors + (hasAlpha ? [UInt8(column * 10)] : [])
    }
    let channels = hasAlpha ? 4 : 3
    let info: CGImageAlphaInfo = hasAlpha ? .last : .none
    let provider = try #require(CGDataProvider(data: Data(bytes)))
    return try #require(
      CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 8 * channels,
        bytesPerRow: width * channels, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: info.rawValue),
        provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent))
  }

  static func file(
    _ image: CGImage, _ type: String, _ properties: [String: Any] = [:]
  ) throws -> Data {
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, type, 1, nil))
    CGImageDestinationAddImage(target, image, properties)
    #expect(CGImageDestinationFinalize(target), "\(String(describing: target.error))")
    return Data(referencing: data)
  }

  private func source(_ data: Data) throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(data, nil))
  }

  private func bytes(_ image: CGImage) throws -> [UInt8] {
    [UInt8](try #require(image.dataProvider?.data))
  }

  /// Cancels the test if libheif has no decoder.
  private func image(_ source: CGImageSource) throws -> CGImage {
    let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    if image == nil, "\(String(describing: source.error))".contains("libde265") {
      try Test.cancel("libheif has no decoder of HEVC")
    }
    return try #require(image)
  }

  static var tags: [String: Any] {
    [
      kCGImagePropertyOrientation: 6,
      kCGImagePropertyTIFFDictionary: [
        kCGImagePropertyTIFFArtist: "A. Photographer", kCGImagePropertyTIFFMake: "Maker",
        kCGImagePropertyTIFFModel: "Model 1",
      ],
      kCGImagePropertyExifDictionary: [
        kCGImagePropertyExifDateTimeOriginal: "2024:05:06 07:08:09",
        kCGImagePropertyExifOffsetTimeOriginal: "+02:00", kCGImagePropertyExifFNumber: 2.8,
        kCGImagePropertyExifISOSpeedRatings: [200], kCGImagePropertyExifUserComment: "a comment",
        kCGImagePropertyExifLensMake: "Glass", kCGImagePropertyExifFlash: 16,
        kCGImagePropertyExifLensSpecification: [24, 70, 2.8, 2.8],
      ],
      kCGImagePropertyGPSDictionary: [
        kCGImagePropertyGPSLatitude: 48.5, kCGImagePropertyGPSLatitudeRef: "S",
        kCGImagePropertyGPSLongitude: 11.25, kCGImagePropertyGPSLongitudeRef: "W",
        kCGImagePropertyGPSTimeStamp: "10:11:12.5", kCGImagePropertyGPSDateStamp: "2024:05:06",
        kCGImagePropertyGPSImgDirection: 90.5, kCGImagePropertyGPSImgDirectionRef: "T",
      ],
    ]
  }

  @Test(
    arguments: [
      "public.jpeg", "public.heic", "public.avif", "public.png", "public.tiff", "public.jpeg-xl",
    ])
  func a_destination_writes_properties_without_rotating_the_image(_ type: String) throws {
    let whole = try Self.image()
    var asked = Self.tags
    asked[kCGImageDestinationLossyCompressionQuality] = 1.0
    let source = try source(try Self.file(whole, type, asked))
    #expect(CGImageSourceGetType(source) == type && CGImageSourceGetCount(source) == 1)
    #expect(CGImageSourceGetStatus(source) == .statusComplete)
    #expect(CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete)
    let facts = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    #expect(facts[kCGImagePropertyPixelWidth] as? Int == 24)
    #expect(facts[kCGImagePropertyPixelHeight] as? Int == 10)
    #expect(facts[kCGImagePropertyOrientation] as? Int == 6)
    #expect(facts[kCGImagePropertyDepth] as? Int == 8)
    #expect(facts[kCGImagePropertyColorModel] as? String == kCGImagePropertyColorModelRGB)
    #expect(facts[kCGImagePropertyHasAlpha] as? Bool == false)
    let tiff = try #require(facts[kCGImagePropertyTIFFDictionary] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFArtist] as? String == "A. Photographer")
    #expect(tiff[kCGImagePropertyTIFFModel] as? String == "Model 1")
    let exif = try #require(facts[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifDateTimeOriginal] as? String == "2024:05:06 07:08:09")
    #expect(exif[kCGImagePropertyExifOffsetTimeOriginal] as? String == "+02:00")
    #expect(exif[kCGImagePropertyExifFNumber] as? Double == 2.8)
    #expect((exif[kCGImagePropertyExifISOSpeedRatings] as? [Any])?.first as? Int == 200)
    #expect(exif[kCGImagePropertyExifUserComment] as? String == "a comment")
    #expect(exif[kCGImagePropertyExifLensMake] as? String == "Glass")
    #expect(exif[kCGImagePropertyExifFlash] as? Int == 16)
    #expect((exif[kCGImagePropertyExifLensSpecification] as? [Any])?.count == 4)
    let place = try #require(facts[kCGImagePropertyGPSDictionary] as? [String: Any])
    #expect(place[kCGImagePropertyGPSLatitude] as? Double ?? 0 > 48.4999)
    #expect(place[kCGImagePropertyGPSLatitudeRef] as? String == "S")
    #expect(place[kCGImagePropertyGPSLongitudeRef] as? String == "W")
    #expect(place[kCGImagePropertyGPSTimeStamp] as? String == "10:11:12.50")
    #expect(place[kCGImagePropertyGPSDateStamp] as? String == "2024:05:06")
    #expect(place[kCGImagePropertyGPSImgDirection] as? Double == 90.5)
    let metadata = try #require(CGImageSourceCopyMetadataAtIndex(source, 0, nil))
    func text(_ path: String) -> String? {
      CGImageMetadataCopyStringValueWithPath(metadata, nil, path)
    }
    #expect(text("tiff:Model") == "Model 1" && text("tiff:Orientation") == "6")
    #expect(text("exif:DateTimeOriginal") == "2024-05-06T07:08:09")
    let made = try image(source)
    #expect(made.width == 24 && made.height == 10 && made.utType == type)
    let (first, second) = (try bytes(made), try bytes(whole))
    #expect(zip(first, second).allSatisfy { abs(Int($0) - Int($1)) < 32 })
    if type == "public.png" || type == "public.tiff" { #expect(first == second) }
  }

  @Test func properties_that_cannot_be_stored_are_noted() throws {
    let target = try #require(
      CGImageDestinationCreateWithData(NSMutableData(), "public.png", 1, nil))
    let asked: [String: Any] = [
      kCGImagePropertyIPTCDictionary: [kCGImagePropertyIPTCKeywords: ["sea"]],
      kCGImagePropertyExifDictionary: [
        kCGImagePropertyExifFNumber: "wide", kCGImagePropertyExifPixelXDimension: 3,
      ],
      kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFHostComputer: "host"],
      kCGImagePropertyOrientation: 9,
    ]
    CGImageDestinationAddImage(target, try Self.image(), asked)
    #expect(CGImageDestinationFinalize(target))
    let note = try #require(target.notes.first { $0.hasPrefix("not stored: ") })
    for name in ["{IPTC}", "{Exif}.FNumber", "{TIFF}.HostComputer", "Orientation"] {
      #expect(note.contains(name), "\(name)")
    }
    #expect(!note.contains("PixelXDimension"))
  }

  @Test func an_image_added_from_a_source_keeps_its_properties() throws {
    let jpeg = try source(try Self.file(try Self.image(), "public.jpeg", Self.tags))
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    CGImageDestinationAddImageFromSource(
      target, jpeg, 0,
      [
        kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFArtist: "Another"],
        kCGImageMetadataShouldExcludeGPS: true, kCGImageMetadataShouldExcludeXMP: true,
      ])
    #expect(CGImageDestinationFinalize(target))
    let png = try source(Data(referencing: data))
    let facts = try #require(CGImageSourceCopyPropertiesAtIndex(png, 0, nil))
    #expect(facts[kCGImagePropertyPixelWidth] as? Int == 24)
    #expect(facts[kCGImagePropertyOrientation] as? Int == 6)
    #expect(facts[kCGImagePropertyGPSDictionary] == nil)
    let tiff = try #require(facts[kCGImagePropertyTIFFDictionary] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFArtist] as? String == "Another")
    #expect(tiff[kCGImagePropertyTIFFMake] as? String == "Maker")
    #expect(try bytes(try image(png)) == bytes(try image(jpeg)))
  }

  @Test func a_jpeg_thumbnail_has_the_requested_size_and_orientation() throws {
    let source = try source(try Self.file(try Self.image(), "public.jpeg", Self.tags))
    #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
    func size(_ options: [String: Any]) -> [Int]? {
      CGImageSourceCreateThumbnailAtIndex(source, 0, options).map { [$0.width, $0.height] }
    }
    let always = [kCGImageSourceCreateThumbnailFromImageAlways: true]
    #expect(size(always) == [24, 10])
    #expect(size([kCGImageSourceCreateThumbnailFromImageIfAbsent: true]) == [24, 10])
    var options: [String: Any] = always
    options[kCGImageSourceThumbnailMaxPixelSize] = 12
    #expect(size(options) == [12, 5])
    options[kCGImageSourceCreateThumbnailWithTransform] = true
    #expect(size(options) == [5, 12])
    options[kCGImageSourceThumbnailMaxPixelSize] = 500
    #expect(size(options) == [10, 24])
  }

  @Test func alpha_survives_drawing_and_is_flattened_in_files() throws {
    let whole = try Self.image(hasAlpha: true)
    #expect(whole.alphaInfo == .last && whole.bitsPerPixel == 32 && whole.bytesPerRow == 96)
    let part = try #require(whole.cropping(to: CGRect(x: 1, y: 2, width: 3, height: 4)))
    #expect(try bytes(part).starts(with: [8, 32, 12, 10]))
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    CGImageDestinationAddImage(target, whole, nil)
    #expect(CGImageDestinationFinalize(target))
    #expect(target.notes.contains { $0.contains("alpha is not written") })
    let made = try image(try source(Data(referencing: data)))
    // The first pixel is transparent, so it becomes white.
    #expect(try made.alphaInfo == .none && bytes(made).starts(with: [255, 255, 255]))
    let context = try #require(
      CGContext(
        data: nil, width: 24, height: 10, bitsPerComponent: 8, bytesPerRow: 96,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    context.draw(whole, in: CGRect(x: 0, y: 0, width: 24, height: 10))
    let memory = try #require(context.data)
    let drawn = (0..<8).map { memory.load(fromByteOffset: $0, as: UInt8.self) }
    #expect(drawn[3] == 0 && drawn[7] == 10 && drawn[4] == 0)
    let provider = try #require(CGDataProvider(data: Data(bytes: memory, count: 960)))
    let back = try #require(
      CGImage(
        width: 24, height: 10, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 96,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
        provider: provider,
        decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    // Colors multiplied by an alpha of 230 come back within its steps.
    #expect(
      try zip(bytes(back).suffix(4), bytes(whole).suffix(4)).allSatisfy {
        abs(Int($0) - Int($1)) < 3
      })
  }

  @Test func invalid_image_data_yields_no_image_and_a_status() throws {
    #expect(CGImageSourceCreateWithData(Data(), nil).map { _ in true } == nil)
    let text = try source(Data("no picture at all".utf8))
    #expect(CGImageSourceGetStatus(text) == .statusUnknownType && text.error != nil)
    #expect(CGImageSourceGetCount(text) == 0 && CGImageSourceGetType(text) == nil)
    #expect(CGImageSourceCreateImageAtIndex(text, 0, nil) == nil)
    #expect(CGImageSourceCopyPropertiesAtIndex(text, 0, nil) == nil)
    #expect(CGImageSourceCopyProperties(text, nil) == nil)
    let damaged = try source(Data([0xFF, 0xD8, 0xFF, 0, 1, 2]))
    #expect(CGImageSourceGetStatus(damaged) == .statusInvalidData)
    let jpeg = try Self.file(try Self.image(), "public.jpeg")
    let cut = try source(jpeg.dropLast(20))
    #expect(CGImageSourceGetStatus(cut) == .statusUnexpectedEOF)
    #expect(try image(cut).width == 24 && !cut.notes.isEmpty)
    #expect(CGImageSourceGetStatusAtIndex(cut, 1) == .statusUnknownType)
  }

  @Test func an_incremental_source_reports_its_status() throws {
    let jpeg = try Self.file(try Self.image(), "public.jpeg")
    let source = CGImageSourceCreateIncremental(nil)
    #expect(CGImageSourceGetStatus(source) == .statusReadingHeader)
    CGImageSourceUpdateData(source, jpeg.prefix(10), false)
    #expect(CGImageSourceGetStatus(source) == .statusReadingHeader)
    CGImageSourceUpdateData(source, jpeg.dropLast(20), false)
    #expect(CGImageSourceGetStatus(source) == .statusIncomplete)
    #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) != nil)
    let provider = try #require(CGDataProvider(data: jpeg))
    CGImageSourceUpdateDataProvider(source, provider, true)
    #expect(CGImageSourceGetStatus(source) == .statusComplete)
    let file = try #require(CGImageSourceCreateWithDataProvider(provider, nil))
    let facts = try #require(CGImageSourceCopyProperties(file, nil))
    #expect(facts[kCGImagePropertyFileSize] as? Int == jpeg.count)
    #expect(facts[kCGImagePropertyImageCount] as? Int == 1)
    CGImageSourceRemoveCacheAtIndex(file, 0)
  }

  @Test func readable_and_writable_image_types_are_listed() {
    let read = CGImageSourceCopyTypeIdentifiers() as? [String] ?? []
    #expect(read.contains("public.jpeg-xl") && read.contains("com.adobe.raw-image"))
    let written = CGImageDestinationCopyTypeIdentifiers() as? [String] ?? []
    #expect(written.contains("public.avif") && !written.contains("com.adobe.raw-image"))
  }

  @Test func core_image_applies_file_orientation_on_request() throws {
    let folder = try TemporaryFolder()
    let data = try Self.file(try Self.image(), "public.png", Self.tags)
    let url = try folder.write([UInt8](data), "a.png")
    #expect(CIImage(contentsOf: url)?.extent.size == CGSize(width: 24, height: 10))
    let turned = CIImage(data: data, options: [.applyOrientationProperty: true])
    #expect(turned?.extent.size == CGSize(width: 10, height: 24))
    #expect(CIImage(data: data, options: [.auxiliaryPortraitEffectsMatte: true]) == nil)
    #expect(CIImage(data: Data("none".utf8)) == nil)
    #expect(CGImageSourceCreateWithURL(url, nil).map(CGImageSourceGetType) == "public.png")
  }

  @Test func images_are_created_from_raw_pixels_of_several_layouts() throws {
    func first(
      _ bits: Int, _ pixel: Int, _ info: UInt32, _ bytes: [UInt8],
      _ space: CGColorSpace = CGColorSpaceCreateDeviceRGB()
    ) -> [Float]? {
      guard let provider = CGDataProvider(data: Data(bytes)) else { return nil }
      return CGImage(
        width: 1, height: 1, bitsPerComponent: bits, bitsPerPixel: pixel, bytesPerRow: pixel / 8,
        space: space, bitmapInfo: CGBitmapInfo(rawValue: info), provider: provider, decode: nil,
        shouldInterpolate: false, intent: .defaultIntent
      ).map { image in (0..<3).map { image.image[0, 0, $0] * 255 } }
    }
    let bgra =
      CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
    #expect(first(8, 32, bgra, [30, 20, 10, 0]) == [10, 20, 30])
    #expect(first(8, 32, CGImageAlphaInfo.noneSkipLast.rawValue, [10, 20, 30, 0]) == [10, 20, 30])
    #expect(first(8, 32, CGImageAlphaInfo.first.rawValue, [0, 10, 20, 30]) == [10, 20, 30])
    #expect(first(8, 8, 0, [40], CGColorSpaceCreateDeviceGray()) == [40, 40, 40])
    let words: [UInt8] = [10, 10, 20, 20, 30, 30]
    #expect(first(16, 48, 0, words)?.map { $0.rounded() } == [10, 20, 30])
    let floats = ([1, 0.5, 0] as [Float]).flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    let float =
      CGBitmapInfo.floatComponents.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
    #expect(first(32, 96, float, floats) == [255, 127.5, 0])
    #expect(first(8, 24, 0, [1, 2]) == nil && first(5, 16, 0, [1, 2]) == nil)
    let gray = CGColorSpaceCreateDeviceGray()
    let model: CGColorSpaceModel = gray.model
    #expect(model == .monochrome && gray.numberOfComponents == 1)
    let image = try Self.image()
    #expect(image.copy() === image && !image.isMask && image.shouldInterpolate)
    #expect(image.renderingIntent == .defaultIntent && image.byteOrderInfo == .orderDefault)
    let other = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    #expect(image.copy(colorSpace: other)?.colorSpace == other)
    #expect(CGImageSourceStatus(rawValue: -3) == .statusUnknownType)
    withUnsafeBytes(of: UInt32(0x0102_0304)) { bytes in
      var isReleased = false
      let provider = bytes.baseAddress.flatMap {
        CGDataProvider(dataInfo: nil, data: $0, size: 4) { _, _, _ in isReleased = true }
      }
      #expect(provider?.data?.count == 4 && isReleased)
    }
  }

  @Test func a_null_value_removes_file_properties() throws {
    let jpeg = try source(try Self.file(try Self.image(), "public.jpeg", Self.tags))
    let nothing: CFNull = try #require(kCFNull)
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
    CGImageDestinationAddImageFromSource(
      target, jpeg, 0,
      [
        kCGImagePropertyGPSDictionary: nothing,
        kCGImagePropertyExifDictionary: [kCGImagePropertyExifLensMake: nothing],
      ])
    #expect(CGImageDestinationFinalize(target))
    let facts = try #require(
      CGImageSourceCopyPropertiesAtIndex(try source(Data(referencing: data)), 0, nil))
    let exif = try #require(facts[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(
      exif[kCGImagePropertyExifLensMake] == nil && facts[kCGImagePropertyGPSDictionary] == nil)
    #expect(exif[kCGImagePropertyExifUserComment] as? String == "a comment")
    #expect(CFGetTypeID(jpeg) == CGImageSourceGetTypeID())
    #expect(CFGetTypeID(target) == CGImageDestinationGetTypeID())
    #expect(CFGetTypeID(try Self.image()) == CGImage.typeID)
    let image = try #require(CIImage(data: Data(referencing: data)))
    #expect(image.properties[kCGImagePropertyOrientation] as? Int == 6)
    #expect(CIImage(cgImage: try Self.image()).properties.isEmpty)
  }

  @Test func xmp_tags_are_found_by_image_property_keys() throws {
    let metadata = CGImageMetadataCreateMutable()
    for (dictionary, key, path) in [
      (kCGImagePropertyTIFFDictionary, kCGImagePropertyTIFFArtist, "dc:creator"),
      (kCGImagePropertyTIFFDictionary, kCGImagePropertyTIFFMake, "tiff:Make"),
      (kCGImagePropertyExifDictionary, kCGImagePropertyExifUserComment, "exif:UserComment"),
      (kCGImagePropertyExifDictionary, kCGImagePropertyExifLensModel, "exifEX:LensModel"),
      (kCGImagePropertyGPSDictionary, kCGImagePropertyGPSSpeed, "exif:GPSSpeed"),
      (kCGImagePropertyIPTCDictionary, kCGImagePropertyIPTCKeywords, "dc:subject"),
    ] {
      #expect(CGImageMetadataSetValueMatchingImageProperty(metadata, dictionary, key, "a"))
      #expect(CGImageMetadataCopyTagWithPath(metadata, nil, path) != nil, "\(path)")
      let tag = CGImageMetadataCopyTagMatchingImageProperty(metadata, dictionary, key)
      #expect(tag != nil, "\(path)")
    }
    #expect(!CGImageMetadataSetValueMatchingImageProperty(metadata, "{Own}", "Key", "a"))
    var paths: [String] = []
    let options = [kCGImageMetadataEnumerateRecursively: true]
    CGImageMetadataEnumerateTagsUsingBlock(metadata, nil, options) { path, _ in
      paths.append(path)
      return paths.count < 4
    }
    #expect(paths.count == 4 && Set(paths).count == 4)
    CGImageMetadataEnumerateTagsUsingBlock(metadata, "tiff:Make", nil) { path, tag in
      #expect(path == "tiff:Make" && CGImageMetadataTagCopyName(tag) == "Make")
      return true
    }
  }
}
