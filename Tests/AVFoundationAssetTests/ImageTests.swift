import AVFoundationCompat
import TestSupport
import Testing

/// Core Image's names around a RAW photo.
@Suite struct ImageTests {
  /// A photo like ProRAW: light rises from left to right and is lower in the bottom half, with a
  /// preview and two masks.
  static func photo(
    orientation: PhotoMetadata.Orientation = .up, model: String? = nil
  ) throws -> Data {
    let (width, height) = (96, 64)
    var light: [Float] = []
    for row in 0..<height {
      for column in 0..<width {
        let level = Float(column + 1) / Float(width) * (row < height / 2 ? 0.8 : 0.4)
        light += [level, level * 0.9, level * 0.6]
      }
    }
    var calibration = SensorCalibration.assumed(model: "Example", bitDepth: 12)
    calibration.neutral = [0.6, 1, 0.7]
    var metadata = PhotoMetadata()
    metadata.orientation = orientation
    metadata.model = model
    var negative = LinearNegative(
      image: LinearImage(width: width, height: height, samples: light), headroom: 1,
      noise: NoiseModel(scale: 1e-4, offset: 1e-6), displacements: [], calibration: calibration,
      metadata: metadata,
      recipe: RenderRecipe(
        baselineExposure: 0.5, storedScale: 1,
        gainMap: GainMap(
          columns: 2, rows: 2, count: 2, weights: [0.3, 0.6, 0.1, 0, 0],
          gains: [1.5, 1, 1.5, 1, 1.5, 1, 1.5, 1]),
        toneCurve: try ToneCurve(points: [(0, 0), (0.5, 0.6), (1, 1)])))
    let mask = try RawImage(
      width: 48, height: 32, bitDepth: 8,
      samples: (0..<48 * 32).map { UInt16($0 % 48 < 24 ? 255 : 0) })
    negative.masks = [
      .init(name: "com.example.skin", coverage: mask),
      .init(name: "com.example.sky", coverage: mask),
    ]
    let preview = try JPEGCodec.encode(
      [UInt8](repeating: 90, count: 3 * 48 * 32), width: 48, height: 32, quality: 0.9)
    return Data(try negative.dngFileData(preview: preview))
  }

  private func pixels(
    _ image: CIImage, _ format: CIFormat = .RGBAf, _ space: String = CGColorSpace.linearSRGB
  ) throws -> [Float] {
    let (width, height) = (Int(image.extent.width), Int(image.extent.height))
    var result = [Float](repeating: -1, count: 4 * width * height)
    try result.withUnsafeMutableBytes { bytes in
      let destination = CIRenderDestination(
        bitmapData: try #require(bytes.baseAddress), width: width, height: height,
        bytesPerRow: 16 * width, format: format)
      destination.colorSpace = CGColorSpace(name: space)
      try CIContext().startTask(toRender: image, to: destination).waitUntilCompleted()
    }
    return result
  }

  @Test func the_linear_space_filter_runs_before_tone_mapping() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    (filter.boostAmount, filter.localToneMapAmount, filter.shadowBias) = (0, 0, 0)
    filter.isGamutMappingEnabled = false
    filter.exposure = -1
    let darker = try pixels(try #require(filter.outputImage))
    filter.exposure = 0
    let brightness: CIExposureAdjust = .exposureAdjust()
    brightness.ev = -1
    filter.linearSpaceFilter = brightness
    let filtered = try pixels(try #require(filter.outputImage))
    #expect(zip(darker, filtered).allSatisfy { abs($0 - $1) < 2e-3 })
    let swap: CIColorMatrix = .colorMatrix()
    for key in ["inputRVector", "inputBVector"] {
      swap.setValue(CIVector(x: 0, y: 1, z: 0, w: 0), forKey: key)
    }
    #expect(swap.rVector == swap.gVector)
    filter.linearSpaceFilter = swap
    let gray = try pixels(try #require(filter.outputImage))
    #expect(abs(gray[4 * 40] - gray[4 * 40 + 1]) < 1e-3)
    filter.linearSpaceFilter = CIFilter.areaHistogram()
    #expect(filter.outputImage == nil && filter.error?.message.contains("CIColorMatrix") == true)
    filter.linearSpaceFilter = nil
    #expect(filter.outputImage != nil && filter.error == nil)
  }

  @Test func a_raw_filter_provides_preview_and_mattes() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    #expect(filter.nativeSize == CGSize(width: 96, height: 64))
    #expect(filter.previewImage?.extent == CGRect(x: 0, y: 0, width: 48, height: 32))
    let skin = try #require(filter.semanticSegmentationSkinMatte)
    let numbers = try pixels(skin)
    #expect(skin.extent.size == CGSize(width: 48, height: 32))
    #expect(numbers[4 * 10] > 0.99 && numbers[4 * 30] < 0.01 && numbers[3] == 1)
    #expect(filter.semanticSegmentationHairMatte == nil && filter.portraitEffectsMatte == nil)
    let option = CIImageOption.auxiliarySemanticSegmentationSkyMatte
    #expect(CIImage(data: try Self.photo(), options: [option: true])?.extent.width == 48)
    let teeth = CIImageOption.auxiliarySemanticSegmentationTeethMatte
    #expect(CIImage(data: try Self.photo(), options: [teeth: true]) == nil)
    #expect(CIRAWFilter(imageData: Data([1, 2, 3])) == nil)
  }

  @Test func core_image_renders_the_same_as_the_raw_filter() throws {
    let photo = try Self.photo()
    let filter = try #require(CIRAWFilter(imageData: photo))
    filter.exposure = 0.5
    var own = try RAWFilter(data: [UInt8](photo))
    own.exposure = 0.5
    own.colorSpace = .displayP3
    own.sampleFormat = .float
    let expected = try own.outputImage()
    let found = try pixels(
      try #require(filter.outputImage), .RGBAf, CGColorSpace.displayP3)
    for (row, column) in [(0, 0), (20, 90), (63, 95)] {
      for color in 0..<3 {
        #expect(found[4 * (row * 96 + column) + color] == expected[row, column, color])
      }
    }
  }

  @Test func an_output_image_keeps_the_filters_settings() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    let before = try #require(filter.outputImage)
    let usual = try pixels(before)
    filter.exposure = -1
    let darker = try pixels(try #require(filter.outputImage))
    #expect(try pixels(before) == usual)
    #expect(darker[4 * 40 + 1] < usual[4 * 40 + 1])
  }

  @Test func raw_filter_keys_set_the_matching_properties() throws {
    let filter = try #require(CIFilter(imageData: Self.photo()))
    filter.setValue(0.25, forKey: CIRAWFilterOption.exposure.rawValue)
    filter.setValue(true, forKey: CIRAWFilterOption.disableGamutMap.rawValue)
    #expect(filter.value(forKey: CIRAWFilterOption.exposure.rawValue) as? Float == 0.25)
    let same = try #require(CIRAWFilter(imageData: Self.photo()))
    same.exposure = 0.25
    same.isGamutMappingEnabled = false
    #expect(
      try pixels(try #require(filter.outputImage)) == pixels(try #require(same.outputImage)))
    filter.setValue(1, forKey: "inputExposur")
    #expect(filter.outputImage == nil)
    #expect(filter.error?.message.contains("inputExposur") == true)
    same.decoderVersion = CIRAWDecoderVersion(rawValue: "0")
    #expect(same.outputImage == nil && same.error != nil)
  }

  @Test func rectangles_start_at_the_lower_left_corner() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    let image = try #require(filter.outputImage)
    let context = CIContext()
    let whole = try #require(context.createCGImage(image, from: image.extent))
    let corner = CGRect(x: 80, y: 0, width: 16, height: 10)
    let part = try #require(context.createCGImage(image, from: corner))
    #expect(part.width == 16 && part.height == 10)
    #expect(part.image[9, 15, 1] == whole.image[63, 95, 1])
    var bytes = [UInt8](repeating: 7, count: 4 * 20 * 20)
    bytes.withUnsafeMutableBytes { memory in
      guard let address = memory.baseAddress else { return }
      let destination = CIRenderDestination(
        bitmapData: address, width: 20, height: 20, bytesPerRow: 80, format: .BGRA8)
      #expect(throws: Never.self) {
        try context.startTask(
          toRender: image, from: corner, to: destination, at: CGPoint(x: 4, y: 3))
      }
    }
    // Three rows remain below, and four columns to the left.
    let place = 4 * ((20 - 3 - 10) * 20 + 4)
    #expect(bytes[place - 1] == 7 && bytes[4 * (17 * 20 + 4)] == 7)
    #expect(Float(bytes[place + 1]) / 255 == whole.image[54, 80, 1])
    #expect(bytes[place + 3] == 255)
  }

  @Test func a_histogram_contains_normalized_bins() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    filter.baselineExposure = 0
    filter.shadowBias = 0
    filter.boostAmount = 0
    filter.localToneMapAmount = 0
    filter.isGamutMappingEnabled = false
    let histogram: CIAreaHistogram = CIFilter.areaHistogram()
    histogram.inputImage = filter.outputImage
    histogram.count = 32
    let bins = try #require(histogram.outputImage)
    #expect(bins.extent == CGRect(x: 0, y: 0, width: 32, height: 1))
    let shares = try pixels(bins, .RGBAf, CGColorSpace.linearITUR_2020)
    for color in 0..<3 {
      let sum = (0..<32).reduce(Float(0)) { $0 + shares[4 * $1 + color] }
      #expect(abs(sum - 1) < 1e-4)
    }
  }

  @Test func an_image_source_provides_preview_and_default_rendering() throws {
    let photo = try Self.photo()
    let source: CGImageSource = try #require(CGImageSourceCreateWithData(photo, nil))
    #expect(CGImageSourceGetCount(source) == 1)
    let preview: CGImage = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, nil))
    #expect(preview.width == 48 && preview.height == 32 && preview.bitsPerComponent == 8)
    #expect(preview.colorSpace == CGColorSpace(name: CGColorSpace.sRGB))
    #expect(CIImage(cgImage: preview).extent.width == 48)
    let options: [CIImageOption: Any] = [.applyOrientationProperty: true]
    #expect(CIImage(cgImage: preview, options: options).unpremultiplyingAlpha().extent.width == 48)
    #expect(CIImage(cgImage: preview).premultiplyingAlpha().extent.height == 32)
    let look = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(look.width == 96 && CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    #expect(CGImageSourceCreateWithURL(URL(filePath: "/nowhere.dng"), nil) == nil)
  }

  @Test func a_rotated_photo_is_rendered_rotated() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    let orientation: CGImagePropertyOrientation = .right
    filter.orientation = orientation
    filter.scaleFactor = 0.5
    let image = try #require(filter.outputImage)
    #expect(image.extent.size == CGSize(width: 32, height: 48))
    let context = CIContext(options: [CIContextOption(rawValue: "kCIContextName"): "test"])
    var pixels = [UInt8](repeating: 0, count: 32 * 48)
    try pixels.withUnsafeMutableBytes { bytes in
      let destination = CIRenderDestination(
        bitmapData: try #require(bytes.baseAddress), width: 32, height: 48, bytesPerRow: 32,
        format: .L8)
      let task: CIRenderTask = try context.startTask(toRender: image, to: destination)
      let info: CIRenderInfo = try task.waitUntilCompleted()
      #expect(info.pixelsProcessed == 32 * 48)
    }
    // Light rises to the right, which now points down.
    #expect(pixels[31] < pixels[47 * 32 + 31])
  }

  @Test func rendered_images_are_written_to_files() throws {
    let folder = try TemporaryFolder()
    let image = try #require(CIImage(data: try Self.photo()))
    let context = CIContext()
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    try context.writeHEIFRepresentation(
      of: image, to: folder.url("a.heic"), format: .RGBA8, colorSpace: space, options: [:])
    try context.writeHEIF10Representation(
      of: image, to: folder.url("b.heic"), format: .RGBA8, colorSpace: space, options: [:])
    let quality = CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality)
    try context.writeJPEGRepresentation(
      of: image, to: folder.url("c.jpg"), colorSpace: space, options: [quality: 0.5])
    try context.writePNGRepresentation(
      of: image, to: folder.url("d.png"), format: .RGBA16, colorSpace: space)
    try context.writeTIFFRepresentation(
      of: image, to: folder.url("e.tif"), format: .RGBA8, colorSpace: space)
    let bitmap = try #require(context.createCGImage(image, from: image.extent))
    let url = folder.url("f.png")
    let destination: CGImageDestination = try #require(
      CGImageDestinationCreateWithURL(url, "public.png", 1, nil))
    CGImageDestinationAddImage(destination, bitmap, nil)
    #expect(CGImageDestinationFinalize(destination) && destination.error == nil)
    #expect(CGImageDestinationCreateWithURL(url, "public.movie", 1, nil) == nil)
    let starts: [(String, Int, [UInt8])] = [
      ("a.heic", 4, Array("ftypheic".utf8)), ("b.heic", 4, Array("ftyp".utf8)),
      ("c.jpg", 0, [0xFF, 0xD8, 0xFF]), ("d.png", 0, [0x89, 0x50, 0x4E, 0x47]),
      ("e.tif", 0, [0x49, 0x49]), ("f.png", 0, [0x89, 0x50, 0x4E, 0x47]),
    ]
    for (name, place, start) in starts {
      let bytes = [UInt8](try Data(contentsOf: folder.url(name)))
      #expect(Array(bytes.dropFirst(place).prefix(start.count)) == start, "\(name)")
    }
  }

  @Test func linear_images_are_rendered_to_half_floats() throws {
    let filter = try #require(CIRAWFilter(imageData: Self.photo()))
    filter.boostAmount = 0
    let image = try #require(filter.outputImage)
    var halves = [UInt16](repeating: 0, count: 4 * 96 * 64)
    let failure = halves.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map {
        CIContext().render(
          image, toBitmap: $0, rowBytes: 8 * 96, bounds: image.extent, format: .RGBAh,
          colorSpace: CGColorSpace(name: CGColorSpace.extendedLinearITUR_2020))
      }
    }
    #expect(failure == .some(nil))
    #expect(halves[3] == 0x3C00)
    #expect(RenderedImage.number(half: halves[4 * 90]) > RenderedImage.number(half: halves[40]))
    #expect(CGColorSpace(name: "kCGColorSpaceNone") == nil)
  }

  @Test func the_edit_raw_example_writes_its_renderings() throws {
    let folder = try TemporaryFolder()
    let photo = folder.url("photo.dng")
    try Self.photo().write(to: photo)
    let program = URL(filePath: Bundle.main.bundlePath).appending(path: "edit-raw")
    try #require(FileManager.default.isExecutableFile(atPath: program.path))
    let process = Process()
    process.executableURL = program
    process.arguments = [photo.path, folder.url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForExit()
    #expect(process.terminationStatus == 0)
    #expect(
      text == """
        preview 48 32
        size 96 64
        matte skin 48 32
        matte sky 48 32
        skin by option true
        rendered look 96 64
        rendered brighter 96 64
        rendered adjusted 96 64
        exported 8-bit.heic and 10-bit.heic
        bins 16
        rendered linear 96 64
        rendered extended 96 64

        """)
    for (name, bytes) in [("look", 4), ("brighter", 4), ("adjusted", 8), ("linear", 8)] {
      let size = try Data(contentsOf: folder.url("\(name).rgba")).count
      #expect(size == 96 * 64 * bytes)
    }
  }
}
