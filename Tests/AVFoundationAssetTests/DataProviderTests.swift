import AVFoundationCompat
import TestSupport
import Testing

/// Images from a program's bytes.
@Suite struct DataProviderTests {
  private func source() throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(ImageTests.photo(), nil))
  }

  /// A photo of 96x64 as a file.
  private func file(_ type: CFString) throws -> Data {
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, type, 1, nil))
    CGImageDestinationAddImageFromSource(target, try source(), 0, nil)
    try #require(CGImageDestinationFinalize(target))
    return Data(referencing: data)
  }

  @Test func a_png_is_decoded_to_its_original_pixels() throws {
    let provider = try #require(CGDataProvider(data: try file("public.png")))
    let image = try #require(
      CGImage(
        pngDataProviderSource: provider, decode: nil, shouldInterpolate: false,
        intent: .defaultIntent))
    let original = try #require(CGImageSourceCreateImageAtIndex(try source(), 0, nil))
    #expect(image.size == CGSize(width: 96, height: 64) && image.cgImage === image)
    #expect(image.dataProvider?.data == original.dataProvider?.data)
    #expect(image.dataProvider?.data?.count == image.bytesPerRow * image.height)
  }

  @Test func a_jpeg_is_decoded_from_a_file() throws {
    let folder = try TemporaryFolder()
    let url = try folder.write([UInt8](file("public.jpeg")), "a.jpg")
    for provider in [CGDataProvider(url: url), CGDataProvider(filename: url.path)] {
      let image = CGImage(
        jpegDataProviderSource: try #require(provider), decode: nil, shouldInterpolate: true,
        intent: CGColorRenderingIntent.perceptual)
      #expect(image?.width == 96 && image?.height == 64)
    }
    #expect(CGDataProvider(url: folder.url("none.jpg")) == nil)
  }

  @Test func wrong_file_types_and_decode_arrays_yield_no_image() throws {
    let png = try #require(CGDataProvider(data: try file("public.png")))
    #expect(
      CGImage(
        jpegDataProviderSource: png, decode: nil, shouldInterpolate: false, intent: .saturation)
        == nil)
    let damaged = try #require(CGDataProvider(data: Data([0xFF, 0xD8, 0xFF, 0, 1, 2])))
    #expect(
      CGImage(
        jpegDataProviderSource: damaged, decode: nil, shouldInterpolate: false,
        intent: .relativeColorimetric) == nil)
    let turned: [CGFloat] = [1, 0, 1, 0, 1, 0]
    #expect(
      CGImage(
        pngDataProviderSource: png, decode: turned, shouldInterpolate: false, intent: .defaultIntent
      )
        == nil)
    #expect(CGColorRenderingIntent(rawValue: 1) == .absoluteColorimetric)
  }
}
