import DNG
import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import PictureFiles

struct HEIFDecodingTests {
  private func file(
    _ picture: RenderedPicture, depth: Int = 8, range: PictureDynamicRange = .standard
  ) throws -> [UInt8] {
    var settings = PictureFileSettings(format: .heic)
    settings.bitDepth = depth
    settings.dynamicRange = range
    settings.quality = 0.95
    return try PictureFileWriter(settings).encode(TestPictures.content(picture)).bytes
  }

  /// Cancels the test if no decoder is installed.
  private func decoded(_ bytes: [UInt8]) throws -> RenderedPicture {
    do {
      return try RenderedPicture(heif: bytes)
    } catch {
      // Only if a decoder is missing, not if the picture is refused.
      if error.code == .unsupported, error.message.contains("libde265") {
        try Test.cancel("\(error.message)")
      }
      throw error
    }
  }

  @Test(
    arguments: [
      (8, PictureColorSpace.sRGB), (10, .sRGB), (8, .displayP3), (10, .displayP3),
    ])
  func a_heic_file_decodes_close_to_its_source(
    _ depth: Int, _ space: PictureColorSpace
  ) throws {
    let picture = try decoded(try file(TestPictures.words(space), depth: depth))
    #expect(picture.width == TestPictures.width && picture.height == TestPictures.height)
    #expect(picture.colorSpace == space)
    guard case .uint8(let samples) = picture.samples,
      case .uint8(let wanted) = TestPictures.bytes(space).samples
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
    var content = TestPictures.content(TestPictures.words())
    content.metadata.orientation = .right
    let bytes = try PictureFileWriter(PictureFileSettings(format: .heic)).encode(content).bytes
    let picture = try decoded(bytes)
    #expect(
      picture.width == TestPictures.width && picture.height == TestPictures.height,
      "\(picture.width)x\(picture.height)")
  }

  @Test func high_dynamic_range_is_refused_by_name() throws {
    let bytes = try file(TestPictures.floats(2), depth: 10, range: .pq)
    let error = #expect(throws: PictureFileError.self) { try RenderedPicture(heif: bytes) }
    #expect(error?.code == .unsupported && error?.message.contains("dynamic range") == true)
  }

  @Test func damaged_heic_files_give_an_error_or_an_image() throws {
    let bytes = try file(TestPictures.words())
    _ = try decoded(bytes)
    for count in stride(from: 0, to: bytes.count, by: bytes.count / 40) {
      #expect(throws: PictureFileError.self) {
        try RenderedPicture(heif: Array(bytes.prefix(count / 2)))
      }
    }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      var damaged = bytes
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let picture = try? RenderedPicture(heif: damaged) else { continue }
      guard case .uint8(let samples) = picture.samples else { continue }
      #expect(samples.count == picture.width * picture.height * 3)
    }
  }
}
