import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

/// Images made by FFmpeg's encoders, or put together by hand.
@Suite struct ForeignImageTests {
  /// A file written by FFmpeg, and its pixels as FFmpeg reads them.
  private func made(
    _ name: String, _ form: String, _ options: [String] = [], as layout: String
  ) throws -> (file: ImageFile, pixels: [UInt8]) {
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
    return (try ImageFile(bytes), [UInt8](pixels))
  }

  /// Interleaved bytes, with alpha if there is any.
  private func bytes(_ decoded: DecodedImage) -> [UInt8] {
    func join<Sample: FixedWidthInteger>(_ colors: [Sample], _ alpha: [Sample]?) -> [UInt8] {
      let all: [Sample] =
        alpha.map { alpha in
          alpha.indices.flatMap { colors[3 * $0..<3 * $0 + 3] + [alpha[$0]] }
        } ?? colors
      return all.withUnsafeBytes { Array($0) }
    }
    return switch (decoded.image.samples, decoded.opacity) {
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
  func pngs_of_any_layout_decode_as_in_ffmpeg(_ form: String, _ layout: String) throws {
    let (file, pixels) = try made("a.png", form, as: layout)
    #expect(bytes(try file.decoded(at: 0)) == pixels)
    #expect(file.images[0].colorModel == (["g", "m", "y"].contains(form.first) ? .gray : .rgb))
    #expect(file.images[0].isIndexed == (form == "pal8"))
  }

  @Test(arguments: ["raw", "lzw", "deflate", "packbits"])
  func tiffs_of_any_compression_decode_as_in_ffmpeg(_ compression: String) throws {
    for (form, layout) in [
      ("rgb24", "rgb24"), ("rgba", "rgba"), ("gray", "rgb24"), ("gray16le", "rgb48le"),
      ("rgb48le", "rgb48le"), ("rgba64le", "rgba64le"), ("pal8", "rgb24"), ("monow", "rgb24"),
    ] {
      let (file, pixels) = try made(
        "a.tif", form, ["-compression_algo", compression], as: layout)
      #expect(bytes(try file.decoded(at: 0)) == pixels, "\(form)")
    }
  }

  @Test func jpegs_decode_almost_as_in_ffmpeg() throws {
    for form in ["yuvj444p", "gray"] {
      let (file, pixels) = try made("a.jpg", form, ["-q:v", "2"], as: "rgb24")
      let decoded = bytes(try file.decoded(at: 0))
      #expect(decoded.count == pixels.count)
      // Both transforms round.
      #expect(zip(decoded, pixels).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    }
  }

  @Test func a_png_reports_its_resolution_and_texts() throws {
    var maker = PNGMaker()
    maker.isInterlaced = true
    maker.chunks =
      PNGMaker.chunk("tEXt", Array("Title\0A title".utf8))
      + PNGMaker.chunk("pHYs", PNGMaker.big(3937) + PNGMaker.big(3937) + [1])
    let facts = try ImageFile(try maker.file()).images[0]
    #expect(facts.isProgressive && facts.texts["Title"] == "A title")
    #expect(facts.resolution.map { abs($0.x - 100) < 0.01 } == true)
  }

  @Test func a_png_claiming_more_pixels_than_its_data_is_refused() throws {
    var bytes = try PNGMaker().file()
    // The header's width.
    bytes.replaceSubrange(16..<20, with: [0, 0xFF, 0xFF, 0xFF])
    let file = try ImageFile(bytes)
    #expect(throws: ImageFileError.self) { try file.decoded(at: 0) }
  }

  @Test(
    arguments: [
      ("GIF89a", "GIF"), ("GIF87a", "GIF"), ("RIFF\0\0\0\0WEBPVP8 ", "WebP"), ("8BPS", "Photoshop"),
      ("\0\0\0\u{18}ftypqt  \0\0\0\0", "movie"), ("%PDF-1.7", "PDF"), ("what is this", "unknown"),
    ])
  func unsupported_formats_are_named_in_the_error(_ start: String, _ name: String) {
    let error = #expect(throws: ImageFileError.self) { try ImageFile(Array(start.utf8)) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(name) == true && error?.message.contains("JPEG XL") == true)
  }

  @Test func unread_jpeg_segments_are_reported() throws {
    var settings = ImageFileSettings(format: .jpeg)
    settings.quality = 0.5
    let bytes = try ImageFileWriter(settings).encode(
      TestImages.content(TestImages.bytes())
    ).bytes
    #expect(try ImageFile(bytes).images[0].notes.isEmpty)
    for (marker, text, word) in [
      (0xED, "Photoshop 3.0\0", "IPTC"), (0xE1, "http://ns.adobe.com/xmp/extension/\0", "XMP"),
      (0xFE, "words", "comment"),
    ] as [(UInt8, String, String)] {
      let segment = try #require(JPEGSegments.segment(marker, Array(text.utf8)))
      let notes = try ImageFile(
        Array(bytes.prefix(2)) + segment + Array(bytes.dropFirst(2))
      ).images[0].notes
      #expect(notes.count == 1 && notes[0].contains(word), "\(notes)")
    }
  }

  @Test func icc_profiles_are_recognized_by_their_values() {
    for space in [ImageColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020, .linearSRGB] {
      #expect(ICCProfile.space(of: ICCProfile.bytes(space)) == space)
    }
    var other = ICCProfile.bytes(.sRGB)
    other.replaceSubrange(16..<20, with: Array("Lab ".utf8))
    #expect(ICCProfile.space(of: other) == nil)
    let color = ImageFileColor(profile: other, codePoints: nil)
    #expect(color.space == .sRGB && color.note?.contains("is unknown") == true)
  }

  @Test func heif_transforms_map_to_exif_orientations() {
    let reported = (0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: nil) }
    #expect(reported == [1, 8, 3, 6])
    #expect((0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: 0) } == [4, 5, 2, 7])
    #expect((0..<4).map { HEIFTransforms.orientation(quarters: $0, mirror: 1) } == [2, 7, 4, 5])
  }
}
