import DNG
import Foundation
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import ImageFiles

/// Compares the pixels read from files with those the files were made of, or with FFmpeg's.
@Suite struct ImageFileReadingTests {
  private func file(
    _ format: ImageFileFormat, _ image: RenderedImage, depth: Int? = nil,
    range: ImageDynamicRange = .standard, _ orientation: PhotoMetadata.Orientation = .up
  ) throws -> ImageFile {
    var settings = ImageFileSettings(format: format)
    settings.bitDepth = depth
    settings.dynamicRange = range
    settings.quality = format == .jpegXL ? 1 : 0.97
    var content = TestImages.content(image)
    content.metadata.orientation = orientation
    return try ImageFile(try ImageFileWriter(settings).encode(content).bytes)
  }

  /// Cancels the test if libheif has no decoder.
  private func decoded(_ file: ImageFile, at index: Int = 0) throws -> DecodedImage {
    do throws(ImageFileError) { return try file.decoded(at: index) } catch {
      if error.message.contains("libde265") { try Test.cancel("\(error.message)") }
      throw error
    }
  }

  private func mean(_ first: RenderedImage, _ second: RenderedImage) -> Float {
    let (one, two) = (first.samples.numbers, second.samples.numbers)
    guard one.count == two.count else { return .infinity }
    return zip(one, two).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(one.count)
  }

  @Test(
    arguments: [
      (ImageFileFormat.png, 8), (.png, 16), (.tiff, 8), (.tiff, 16), (.jpegXL, 8), (.jpegXL, 16),
    ])
  func lossless_files_are_read_exactly(_ format: ImageFileFormat, _ depth: Int) throws {
    for space in [ImageColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020] {
      let image = depth == 8 ? TestImages.bytes(space) : TestImages.words(space)
      let file = try file(format, image, depth: depth)
      let decoded = try decoded(file)
      #expect(decoded.image == image && decoded.opacity == nil && decoded.notes.isEmpty)
      #expect(file.images[0].bitDepth == depth && !file.images[0].hasAlpha)
    }
  }

  @Test(
    arguments: [
      (ImageFileFormat.jpeg, 8), (.heic, 8), (.heic, 10), (.avif, 8), (.avif, 10),
    ])
  func lossy_files_are_read_approximately(_ format: ImageFileFormat, _ depth: Int)
    throws
  {
    for space in [ImageColorSpace.sRGB, .displayP3] {
      let file = try file(format, TestImages.words(space), depth: depth)
      let decoded = try decoded(file)
      #expect(decoded.image.colorSpace == space)
      #expect(file.images[0].bitDepth == depth)
      if case .uint8 = decoded.image.samples { #expect(depth == 8) } else { #expect(depth > 8) }
      #expect(mean(decoded.image, TestImages.words(space)) < 0.01)
    }
  }

  @Test(arguments: [ImageFileFormat.jpeg, .heic, .avif, .png, .tiff, .jpegXL])
  func orientation_is_reported_and_not_applied(_ format: ImageFileFormat) throws {
    for turn in PhotoMetadata.Orientation.allCases {
      let file = try file(format, TestImages.bytes(), depth: 8, turn)
      let facts = file.images[0]
      #expect(facts.orientation == Int(turn.rawValue), "\(turn)")
      #expect(facts.width == TestImages.width && facts.height == TestImages.height)
      #expect(facts.xmp.map { String(decoding: $0, as: UTF8.self) }?.contains("Rating") == true)
      #expect(facts.directory?.entries[.model]?.text == "Model 1")
      guard turn == .right || turn == .upMirrored else { continue }
      #expect(mean(try decoded(file).image, TestImages.bytes()) < 0.02)
    }
  }

  @Test(arguments: [ImageDynamicRange.pq, .hlg])
  func high_dynamic_range_is_decoded_to_linear_light(_ range: ImageDynamicRange) throws {
    let light = TestImages.floats(3, power: 2, .linearRec2020)
    for format in [ImageFileFormat.png, .avif] {
      let file = try file(format, light, range: range)
      let decoded = try decoded(file)
      #expect(decoded.image.colorSpace == .linearRec2020)
      #expect(decoded.notes.contains { $0.contains("203 nits") })
      #expect(mean(decoded.image, light) < 0.02)
    }
  }

  @Test func unknown_and_damaged_files_have_different_error_codes() throws {
    let png = try file(.png, TestImages.bytes()).bytes
    for (bytes, code) in [
      (Array("no picture at all".utf8), ImageFileError.Code.unsupported), ([], .unsupported),
      ([0xFF, 0xD8, 0xFF, 0, 1, 2], .invalidFile), (Array(png.prefix(20)), .invalidFile),
      (Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0], .invalidFile),
      (JPEGXLReader.codestream + [1, 2, 3], .invalidFile),
      ([0, 0, 0, 16] + Array("ftypavif".utf8) + [0, 0, 0, 0], .invalidFile),
      ([0, 0, 0, 16] + Array("ftypqt  ".utf8) + [0, 0, 0, 0], .unsupported),
    ] as [([UInt8], ImageFileError.Code)] {
      let error = #expect(throws: ImageFileError.self) { try ImageFile(bytes) }
      #expect(error?.code == code, "\(bytes.prefix(12))")
    }
  }

  @Test func a_truncated_image_is_decoded_and_reported() throws {
    for format in [ImageFileFormat.jpeg, .png] {
      let whole = try file(format, TestImages.bytes())
      #expect(whole.images[0].isWhole == true)
      let cut = try ImageFile(Array(whole.bytes.dropLast(whole.bytes.count / 8)))
      #expect(cut.images[0].isWhole == false)
      let decoded = try cut.decoded(at: 0)
      #expect(decoded.image.width == TestImages.width)
      #expect(decoded.notes.contains { $0.contains("ends before its image") })
    }
  }

  @Test func a_jpeg_is_decoded_at_reduced_size_if_sufficient() throws {
    let file = try file(.jpeg, TestImages.bytes())
    for (side, width) in [(320, 320), (161, 320), (160, 160), (50, 80), (1, 40)] {
      #expect(try file.decoded(at: 0, side: side).image.width == width)
    }
  }
}
