import DNG
import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

struct HEIFDecodingTests {
  private func file(
    _ image: RenderedImage, depth: Int = 8, range: ImageDynamicRange = .standard
  ) throws -> [UInt8] {
    var settings = ImageFileSettings(format: .heic)
    settings.bitDepth = depth
    settings.dynamicRange = range
    settings.quality = 0.95
    return try ImageFileWriter(settings).encode(TestImages.content(image)).bytes
  }

  /// Cancels the test if no decoder is installed.
  private func decoded(_ bytes: [UInt8]) throws -> RenderedImage {
    do {
      return try RenderedImage(heif: bytes)
    } catch {
      // Only if a decoder is missing, not if the image is refused.
      if error.code == .unsupported, error.message.contains("libde265") {
        try Test.cancel("\(error.message)")
      }
      throw error
    }
  }

  @Test(
    arguments: [
      (8, ImageColorSpace.sRGB), (10, .sRGB), (8, .displayP3), (10, .displayP3),
    ])
  func a_heic_file_decodes_close_to_its_source(
    _ depth: Int, _ space: ImageColorSpace
  ) throws {
    let image = try decoded(try file(TestImages.words(space), depth: depth))
    #expect(image.width == TestImages.width && image.height == TestImages.height)
    #expect(image.colorSpace == space)
    guard case .uint8(let samples) = image.samples,
      case .uint8(let wanted) = TestImages.bytes(space).samples
    else {
      Issue.record("samples are not 8-bit")
      return
    }
    let differences = zip(samples, wanted).map { abs(Int($0) - Int($1)) }
    #expect(differences.count == wanted.count)
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 1.5)
    #expect(differences.max() ?? .max < 24)
  }

  @Test func a_rotated_heic_is_decoded_unrotated() throws {
    var content = TestImages.content(TestImages.words())
    content.metadata.orientation = .right
    let bytes = try ImageFileWriter(ImageFileSettings(format: .heic)).encode(content).bytes
    let image = try decoded(bytes)
    #expect(
      image.width == TestImages.width && image.height == TestImages.height,
      "\(image.width)x\(image.height)")
  }

  @Test func high_dynamic_range_is_refused_by_name() throws {
    let bytes = try file(TestImages.floats(2), depth: 10, range: .pq)
    let error = #expect(throws: ImageFileError.self) { try RenderedImage(heif: bytes) }
    #expect(error?.code == .unsupported && error?.message.contains("dynamic range") == true)
  }

  @Test func damaged_heic_files_give_an_error_or_an_image() throws {
    let bytes = try file(TestImages.words())
    _ = try decoded(bytes)
    for count in stride(from: 0, to: bytes.count, by: bytes.count / 40) {
      #expect(throws: ImageFileError.self) {
        try RenderedImage(heif: Array(bytes.prefix(count / 2)))
      }
    }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      var damaged = bytes
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let image = try? RenderedImage(heif: damaged) else { continue }
      guard case .uint8(let samples) = image.samples else { continue }
      #expect(samples.count == image.width * image.height * 3)
    }
  }
}
