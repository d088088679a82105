import AVFoundationCompat
import ImageFiles
import TestSupport
import Testing

/// Losses between one image file and another, and errors: all of them are reported.
@Suite struct ImageLossTests {
  private func source(_ data: Data) throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(data, nil))
  }

  private func target(_ type: String) throws -> (CGImageDestination, NSMutableData) {
    let data = NSMutableData()
    return (try #require(CGImageDestinationCreateWithData(data, type, 1, nil)), data)
  }

  @Test func a_destination_without_an_image_reports_an_error() throws {
    let (empty, data) = try target("public.png")
    #expect(!CGImageDestinationFinalize(empty) && data.isEmpty)
    #expect((empty.error as? AVError)?.message.contains("no image") == true)
    CGImageDestinationAddImage(empty, try ImageFileTests.image(), nil)
    #expect(CGImageDestinationFinalize(empty) && empty.error == nil)
  }

  @Test func a_destination_reports_why_a_source_image_failed() throws {
    let png = try ImageFileTests.file(try ImageFileTests.image(), "public.png")
    // The first bytes of the deflated data.
    let place = try #require(png.range(of: Data("IDAT".utf8))).upperBound
    var damaged = png
    damaged.replaceSubrange(place..<place + 2, with: [0xFF, 0xFF])
    let (broken, _) = try target("public.jpeg")
    CGImageDestinationAddImageFromSource(broken, try source(damaged), 0, nil)
    #expect(!CGImageDestinationFinalize(broken))
    #expect((broken.error as? ImageFileError)?.code == .invalidFile)
  }

  @Test(arguments: [("GIF89a", "GIF"), ("RIFF\0\0\0\0WEBP", "WebP")])
  func unsupported_image_formats_are_named_in_the_error(_ start: String, _ name: String) throws {
    let source = try source(Data(start.utf8))
    #expect(CGImageSourceGetStatus(source) == .statusUnknownType)
    let error = try #require(source.error as? ImageFileError)
    #expect(error.message.contains(name) && error.message.contains("AVIF"))
  }

  @Test func a_dropped_gain_map_is_noted() throws {
    let light = (0..<32 * 16 * 3).map { Float($0 / 3 % 32 < 16 ? 0.5 : 3) }
    func image(_ numbers: [Float]) -> RenderedImage {
      RenderedImage(width: 32, height: 16, samples: .float(numbers), colorSpace: .linearSRGB)
    }
    let content = ImageContent(
      image(light.map { min($0, 1) }).converted(to: .sRGB, format: .uint8),
      highRange: image(light))
    let settings = ImageFileSettings(format: .gainMapJPEG)
    let file = Data(try ImageFileWriter(settings).encode(content).bytes)
    let (copy, data) = try target("public.jpeg")
    CGImageDestinationAddImageFromSource(copy, try source(file), 0, nil)
    #expect(CGImageDestinationFinalize(copy))
    #expect(copy.notes.contains { $0.contains("gain map") })
    #expect(try ImageFileSummary([UInt8](Data(referencing: data))).gainMap == nil)
  }

  @Test func ineffective_destination_options_are_noted() throws {
    let (made, _) = try target("public.jpeg")
    CGImageDestinationAddImage(
      made, try ImageFileTests.image(),
      [
        kCGImageDestinationEmbedThumbnail: true, kCGImageDestinationDateTime: "2026",
        kCGImageDestinationLossyCompressionQuality: 0.5,
      ])
    #expect(CGImageDestinationFinalize(made))
    #expect(made.notes.contains { $0.contains("thumbnail") })
    let left = try #require(made.notes.first { $0.hasPrefix("not stored") })
    #expect(left.contains(kCGImageDestinationDateTime) && !left.contains("Quality"))
  }

  /// Out-of-range numbers are refused or clamped: none stops the program.
  @Test func out_of_range_values_do_not_crash() throws {
    let image = try ImageFileTests.image(hasAlpha: true)
    for part in [-3, 7, .nan, .infinity] as [CGFloat] {
      let (made, _) = try target("public.png")
      let color = CGColor(red: part, green: part, blue: part, alpha: 1)
      CGImageDestinationAddImage(made, image, [kCGImageDestinationBackgroundColor: color])
      #expect(CGImageDestinationFinalize(made))
    }
    let provider = try #require(CGDataProvider(data: Data(count: 64)))
    let wide = CGImage(
      width: 2, height: 3, bitsPerComponent: 8, bitsPerPixel: 24, bytesPerRow: .max,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider,
      decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    #expect(wide == nil)
  }
}
