import DNG
import Foundation
import MediaCore
import TestSupport
import Testing

/// `recordctl photo sheet`: many photos on one page.
@Suite struct PhotoSheetTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let shots = try folder.makeFolder("shots")
    for (index, name) in ["a.dng", "b & b.dng", "c.DNG"].enumerated() {
      var metadata = PhotoMetadata()
      metadata.exposureTime = 1.0 / 250
      metadata.isoSpeed = 400
      let mosaic = try RawImage(
        width: 64, height: 48, bitDepth: 12,
        samples: [UInt16](repeating: UInt16(600 + 900 * index), count: 64 * 48))
      let bytes = try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
        metadata: metadata
      ).dngFileData()
      try Data(bytes).write(to: shots.appending(path: name))
    }
  }

  private func sheet(_ arguments: String..., status: Int32 = 0) throws -> Recordctl {
    let run = try Recordctl(["photo", "sheet"] + arguments, in: folder.url)
    #expect(run.status == status, "\(arguments): \(run.errors)")
    return run
  }

  @Test func a_page_embeds_every_photo_with_name_and_exposure() throws {
    let run = try sheet("shots", "-o", "sheet.html", "--thumbnail", "64")
    #expect(run.output == "sheet.html\n")
    let text = try String(contentsOf: folder.url("sheet.html"), encoding: .utf8)
    #expect(text.components(separatedBy: "data:image/jpeg;base64,").count == 4)
    #expect(text.contains("b &amp; b.dng") && text.contains("1/250 s  ISO 400"))
    #expect(text.contains("<h1>shots</h1>"))
    // The page loads nothing from elsewhere.
    for part in ["src=\"http", "<script", "<link", "url("] { #expect(!text.contains(part)) }
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func a_sheet_image_shows_every_photo_in_its_place() throws {
    _ = try sheet("shots", "-o", "sheet.png", "--thumbnail", "64", "--columns", "2", "--title", "")
    let found = try #require(try ImageJudges.read([folder.path("sheet.png")]).first)
    // Two columns and two rows of 64 pixels, gaps of 16, and three lines of captions.
    #expect(found.width == 2 * 80 + 16 && found.height == 2 * (64 + 30 + 16) + 16)
    func light(_ column: Int, _ row: Int) -> Float {
      found.pixels[3 * ((16 + row * 110 + 32) * found.width + 16 + column * 80 + 32) + 1]
    }
    #expect(
      light(0, 0) < light(1, 0) && light(1, 0) < light(0, 1), "each is brighter than the last")
    #expect(abs(light(1, 1) - 38 / 255) < 0.01, "the fourth place is empty")
  }

  @Test func a_failed_photo_leaves_an_empty_place_and_is_named() throws {
    try Data("no photo".utf8).write(to: folder.url("shots/d.dng"))
    let run = try sheet("shots", "-o", "sheet.html", "--thumbnail", "32", status: 1)
    #expect(run.errors.contains("d.dng"), "\(run.errors)")
    let text = try String(contentsOf: folder.url("sheet.html"), encoding: .utf8)
    #expect(text.components(separatedBy: "data:image/jpeg").count == 4)
    #expect(text.contains("not developed"))
  }

  /// Whatever the photo's path or extension.
  @Test func a_page_never_overwrites_its_own_photos() throws {
    let files = FileManager.default
    try files.copyItem(at: folder.url("shots/a.dng"), to: folder.url("real.tif"))
    try files.createSymbolicLink(
      atPath: folder.path("link.png"), withDestinationPath: "shots/a.dng")
    let before = try folder.bytes("real.tif")
    for (source, output) in [("real.tif", "./real.tif"), ("shots", "link.png")] {
      let run = try sheet(source, "-o", output, "--overwrite", status: 2)
      #expect(run.errors.contains("\(output) is one of the photos of the page"), "\(run.errors)")
    }
    #expect(try folder.bytes("real.tif") == before)
    #expect(try folder.bytes("shots/a.dng") == before)
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path("link.png")) == "shots/a.dng")
  }

  @Test func a_page_too_large_for_its_format_is_refused_early() throws {
    // A photo is 2048 pixels high, or 2124 with captions and a gap.
    for number in 0..<28 {
      try FileManager.default.copyItem(
        at: folder.url("shots/a.dng"), to: folder.url("shots/e\(number).dng"))
    }
    let large = ["--columns", "1", "--thumbnail", "2048"]
    let run = try Recordctl(["photo", "sheet", "shots", "-o", "s.jpg"] + large, in: folder.url)
    #expect(run.status == 2)
    #expect(run.errors.contains("31 photos, 1 in a row, make a page of 2080x65896 pixels"))
    #expect(run.errors.contains("jpeg has at most 65500"), "\(run.errors)")
  }

  @Test func a_mismatching_raw_digest_is_reported() throws {
    var bytes = try folder.bytes("shots/a.dng")
    // NewRawImageDigest: its tag, its length of sixteen bytes, and their offset.
    let entry: [UInt8] = [0xA7, 0xC7, 1, 0, 16, 0, 0, 0]
    let place = try #require(
      (0..<bytes.count - 12).first { bytes[$0..<$0 + 8].elementsEqual(entry) })
    let offset = (0..<4).reduce(0) { $0 | Int(bytes[place + 8 + $1]) << (8 * $1) }
    bytes[offset] ^= 1
    try folder.write(bytes, "shots/a.dng")
    let run = try sheet("shots", "-o", "sheet.html", "--thumbnail", "32", "--json")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    let reported = "the samples of shots/a.dng do not match the digest in the file"
    #expect(run.errors.contains(reported) && run.output.contains(reported), "\(run.errors)")
    #expect(run.output.contains("digestDisagrees"))
    let developed = try Recordctl(
      ["photo", "develop", "shots/a.dng", "-o", "a.jpg"], in: folder.url)
    #expect(developed.status == 0 && developed.output == "a.jpg\n")
    #expect(developed.errors.contains(reported), "\(developed.errors)")
  }

  @Test func invalid_sheet_arguments_keep_the_existing_page() throws {
    try Data("old".utf8).write(to: folder.url("sheet.html"))
    for arguments in [
      ["shots", "-o", "sheet.html"], ["shots", "-o", "sheet.gif"], ["nowhere", "-o", "a.html"],
      ["-o", "a.html"], ["shots", "-o", "a.html", "--thumbnail", "5"],
    ] {
      let run = try Recordctl(["photo", "sheet"] + arguments, in: folder.url)
      #expect(run.status == 2 && !run.errors.isEmpty, "\(arguments): \(run.errors)")
    }
    #expect(folder.contents == ["sheet.html", "shots"])
    #expect(try Data(contentsOf: folder.url("sheet.html")) == Data("old".utf8))
    _ = try sheet("shots", "-o", "sheet.html", "--thumbnail", "32", "--overwrite")
  }
}
