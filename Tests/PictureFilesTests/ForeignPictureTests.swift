import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import PictureFiles

/// Pictures of FFmpeg's encoders, and of bytes put together by hand.
@Suite struct ForeignPictureTests {
  /// A file by FFmpeg, and its pixels by FFmpeg.
  private func made(
    _ name: String, _ form: String, _ options: [String] = [], as layout: String
  ) throws -> (file: PictureFile, pixels: [UInt8]) {
    guard Judges.arePresent else { try Test.cancel("\(Judges.absence)") }
    let folder = try TemporaryFolder()
    let path = folder.url(name).path
    let source =
      "testsrc2=s=67x35:d=1:r=1,format=rgba,"
      + "geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='mod(X*3+Y,256)'"
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", source, "-frames:v", "1", "-pix_fmt", form] + options + [path])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let pixels = try Judges.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", layout, "-"])
    return (try PictureFile(bytes), [UInt8](pixels))
  }

  /// Interleaved bytes, with alpha where there is some.
  private func bytes(_ decoded: DecodedPicture) -> [UInt8] {
    func join<Sample: FixedWidthInteger>(_ colors: [Sample], _ alpha: [Sample]?) -> [UInt8] {
      let all: [Sample] =
        alpha.map { alpha in
          alpha.indices.flatMap { colors[3 * $0..<3 * $0 + 3] + [alpha[$0]] }
        } ?? colors
      return all.withUnsafeBytes { Array($0) }
    }
    return switch (decoded.picture.samples, decoded.opacity) {
    case (.uint8(let colors), .uint8(let alpha)?): join(colors, alpha)
    case (.uint16(let colors), .uint16(let alpha)?): join(colors, alpha)
    case (.uint8(let colors), _): join(colors, nil)
    case (.uint16(let colors), _): join(colors, nil)
    default: []
    }
  }

  @Test(
    arguments: [
      ("rgb24", "rgb24"), ("rgba", "rgba"), ("gray", "rgb24"), ("ya8", "rgba"), ("pal8", "rgb24"),
      ("monob", "rgb24"), ("rgb48be", "rgb48le"), ("rgba64be", "rgba64le"),
      ("gray16be", "rgb48le"), ("ya16be", "rgba64le"),
    ])
  func a_png_of_any_layout_has_the_pixels_that_ffmpeg_finds(_ form: String, _ layout: String) throws
  {
    let (file, pixels) = try made("a.png", form, as: layout)
    #expect(bytes(try file.decoded(at: 0)) == pixels)
    #expect(file.pictures[0].colorModel == (["g", "m", "y"].contains(form.first) ? .gray : .rgb))
    #expect(file.pictures[0].isIndexed == (form == "pal8"))
  }

  @Test(arguments: ["raw", "lzw", "deflate", "packbits"])
  func a_tiff_of_any_compression_has_the_pixels_that_ffmpeg_finds(_ compression: String) throws {
    for (form, layout) in [
      ("rgb24", "rgb24"), ("rgba", "rgba"), ("gray", "rgb24"), ("gray16le", "rgb48le"),
      ("rgb48le", "rgb48le"), ("rgba64le", "rgba64le"), ("pal8", "rgb24"), ("monow", "rgb24"),
    ] {
      let (file, pixels) = try made(
        "a.tif", form, ["-compression_algo", compression], as: layout)
      #expect(bytes(try file.decoded(at: 0)) == pixels, "\(form)")
    }
  }

  @Test func a_jpeg_has_nearly_the_pixels_that_ffmpeg_finds() throws {
    for form in ["yuvj444p", "gray"] {
      let (file, pixels) = try made("a.jpg", form, ["-q:v", "2"], as: "rgb24")
      let decoded = bytes(try file.decoded(at: 0))
      #expect(decoded.count == pixels.count)
      // Two transforms that both round.
      #expect(zip(decoded, pixels).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    }
  }

  /// A PNG file in Adam7's passes, of gray of 8 bits.
  private func interlaced(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) throws
    -> [UInt8]
  {
    func big(_ number: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(number >> (8 * $0) & 255) }
    }
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      big(content.count) + Array(type.utf8) + content + big(0)
    }
    var rows: [UInt8] = []
    for (x, y, across, down) in [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ] where x < width {
      for row in stride(from: y, to: height, by: down) {
        rows += [0] + stride(from: x, to: width, by: across).map { value($0, row) }
      }
    }
    return try PNGReader.mark + chunk("IHDR", big(width) + big(height) + [8, 0, 0, 0, 1])
      + chunk("tEXt", Array("Title\0A title".utf8)) + chunk("pHYs", big(3937) + big(3937) + [1])
      + chunk("IDAT", Deflater.compress(rows)) + chunk("IEND", [])
  }

  @Test(arguments: [(1, 1), (3, 2), (8, 8), (17, 13)])
  func a_png_that_comes_in_passes_is_put_together(_ width: Int, _ height: Int) throws {
    let file = try PictureFile(try interlaced(width, height) { UInt8(($0 * 7 + $1 * 13) & 255) })
    let picture = try file.decoded(at: 0).picture
    for row in 0..<height {
      for column in 0..<width {
        #expect(picture[row, column, 1] == Float((column * 7 + row * 13) & 255) / 255)
      }
    }
    let facts = file.pictures[0]
    #expect(facts.isProgressive && facts.texts["Title"] == "A title")
    #expect(facts.resolution.map { abs($0.x - 100) < 0.01 } == true)
  }

  @Test func a_claim_of_more_pixels_than_there_are_data_for_is_refused() throws {
    var bytes = try interlaced(8, 8) { _, _ in 1 }
    // The width in the header.
    bytes.replaceSubrange(16..<20, with: [0, 0xFF, 0xFF, 0xFF])
    let file = try PictureFile(bytes)
    #expect(throws: PictureFileError.self) { try file.decoded(at: 0) }
  }

  @Test func profiles_are_known_by_their_figures() {
    for space in [PictureColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020, .linearSRGB] {
      #expect(ICCProfile.space(of: ICCProfile.bytes(space)) == space)
    }
    var other = ICCProfile.bytes(.sRGB)
    other.replaceSubrange(16..<20, with: Array("Lab ".utf8))
    #expect(ICCProfile.space(of: other) == nil)
    let color = PictureFileColor(profile: other, codePoints: nil)
    #expect(color.space == .sRGB && color.note?.contains("none that is known") == true)
  }

  @Test func the_turns_of_a_heif_file_are_exifs_numbers() {
    let told = (0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: nil) }
    #expect(told == [1, 8, 3, 6])
    #expect((0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: 0) } == [4, 5, 2, 7])
    #expect((0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: 1) } == [2, 7, 4, 5])
  }
}
