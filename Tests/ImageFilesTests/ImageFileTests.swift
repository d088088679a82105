import DNG
import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

struct ImageFileTests {
  /// A file to write, and how far its numbers may be from the image's.
  struct Case: CustomTestStringConvertible {
    let format: ImageFileFormat
    let depth: Int
    let image: RenderedImage
    let tolerance: Float
    var quality = 0.95
    var compression = ImageFileSettings.Compression.deflate
    var testDescription: String {
      "\(format.rawValue) of \(depth) bits at \(quality), \(compression.rawValue)"
    }
  }

  static let cases: [Case] = [
    Case(format: .jpeg, depth: 8, image: TestImages.words(), tolerance: 4 / 255),
    Case(format: .heic, depth: 8, image: TestImages.bytes(.displayP3), tolerance: 6 / 255),
    Case(format: .heic, depth: 10, image: TestImages.words(.displayP3), tolerance: 6 / 255),
    Case(format: .avif, depth: 8, image: TestImages.bytes(), tolerance: 4 / 255),
    Case(format: .avif, depth: 10, image: TestImages.words(.displayP3), tolerance: 4 / 255),
    Case(format: .avif, depth: 12, image: TestImages.words(.rec2020), tolerance: 4 / 255),
    Case(format: .jpegXL, depth: 8, image: TestImages.bytes(), tolerance: 0, quality: 1),
    Case(format: .jpegXL, depth: 16, image: TestImages.words(), tolerance: 0, quality: 1),
    Case(format: .jpegXL, depth: 16, image: TestImages.words(.adobeRGB), tolerance: 8 / 255),
    Case(format: .jpegXL, depth: 32, image: TestImages.floats(4), tolerance: 0, quality: 1),
    Case(format: .jpegXL, depth: 16, image: TestImages.halves(), tolerance: 0, quality: 1),
    Case(format: .tiff, depth: 8, image: TestImages.bytes(), tolerance: 0),
    Case(format: .tiff, depth: 16, image: TestImages.words(.adobeRGB), tolerance: 0),
    Case(
      format: .tiff, depth: 16, image: TestImages.words(), tolerance: 0, compression: .none),
    Case(format: .tiff, depth: 16, image: TestImages.halves(), tolerance: 0),
    Case(format: .tiff, depth: 32, image: TestImages.floats(4), tolerance: 0),
    Case(
      format: .tiff, depth: 32, image: TestImages.floats(4), tolerance: 0, compression: .none),
    Case(format: .png, depth: 8, image: TestImages.bytes(), tolerance: 0),
    Case(format: .png, depth: 16, image: TestImages.words(.displayP3), tolerance: 0),
    Case(format: .openEXR, depth: 16, image: TestImages.halves(), tolerance: 0),
  ]

  private func settings(_ test: Case) -> ImageFileSettings {
    var settings = ImageFileSettings(format: test.format)
    settings.bitDepth = test.depth
    settings.quality = test.quality
    settings.compression = test.compression
    return settings
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func other_readers_find_each_formats_pixels_and_color() throws {
    let folder = try TemporaryFolder()
    let paths = try Self.cases.enumerated().map { index, test in
      let path = folder.path("\(index).\(test.format.fileExtension)")
      let writer = ImageFileWriter(settings(test))
      let written = try writer.write(TestImages.content(test.image), to: path)
      #expect(try Data(contentsOf: URL(filePath: path)).count == written.byteCount)
      return path
    }
    for (test, finding) in zip(Self.cases, try ImageJudges.read(paths)) {
      #expect(finding.width == TestImages.width && finding.height == TestImages.height)
      checkPixels(test, finding)
      checkColor(test, finding)
      if test.depth > 8 { #expect(finding.levels > 256, "\(test.testDescription)") }
    }
    #expect(folder.contents.allSatisfy { !$0.hasSuffix("unfinished") })
  }

  private func checkPixels(_ test: Case, _ finding: ImageJudges.Finding) {
    var line = [Float](repeating: 0, count: 3 * TestImages.width)
    var (worst, sum) = (Float(0), Float(0))
    for row in 0..<TestImages.height {
      line.withUnsafeMutableBufferPointer { target in
        if let start = target.baseAddress { test.image.readFloats(row, into: start) }
      }
      for (index, number) in line.enumerated() {
        let difference = abs(number - finding.pixels[row * line.count + index])
        worst = max(worst, difference)
        sum += difference
      }
    }
    #expect(worst <= test.tolerance, "\(test.testDescription): \(worst * 255) of 255 at most")
    let mean = sum / Float(finding.pixels.count)
    #expect(mean <= test.tolerance / 4, "\(test.testDescription): \(mean * 255) of 255 on average")
  }

  private func checkColor(_ test: Case, _ finding: ImageJudges.Finding) {
    let space = test.image.colorSpace
    if [.heic, .avif].contains(test.format) {
      let points = CodePoints(space, .standard)
      #expect(finding.nclx == [points.primaries, points.transfer, points.matrix, 1])
    }
    guard test.format != .jpegXL, test.format != .openEXR else { return }
    #expect(finding.profile.map(Array.init) == ICCProfile.bytes(space), "\(test.testDescription)")
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func lcms2_interprets_profiles_as_their_color_spaces() throws {
    let folder = try TemporaryFolder()
    // XYZ of green under D50, as in Adobe's and Apple's profiles, and in ICC's for BT.2020.
    let spaces: [(ImageColorSpace, green: [Double])] = [
      (.sRGB, [0.3851, 0.7169, 0.0971]), (.displayP3, [0.2920, 0.6922, 0.0419]),
      (.adobeRGB, [0.2053, 0.6257, 0.0609]), (.rec2020, [0.1657, 0.6753, 0.0300]),
      (.linearRec2020, [0.1657, 0.6753, 0.0300]),
    ]
    let paths = try spaces.enumerated().map { index, space in
      let path = folder.path("\(index).png")
      _ = try ImageFileWriter(ImageFileSettings(format: .png)).write(
        ImageContent(TestImages.words(space.0)), to: path)
      return path
    }
    for (space, finding) in zip(spaces, try ImageJudges.read(paths)) {
      let xyz = try #require(finding.xyz)
      let gray = space.0.curve.decode(0.5)
      let expected = space.green + [0.9642, 1, 0.8249] + [0.9642 * gray, gray, 0.8249 * gray]
      for (found, wanted) in zip(xyz[3..<6] + xyz[9..<15], expected) {
        #expect(abs(found - wanted) < 0.0012, "\(space.0): \(xyz)")
      }
    }
  }

  @Test(
    .tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence),
    arguments: [ImageDynamicRange.pq, .hlg])
  func pq_and_hlg_files_encode_the_source_light(_ range: ImageDynamicRange) throws {
    let folder = try TemporaryFolder()
    // Up to 4 times white: 812 nits.
    let image = TestImages.floats(4, power: 2, .linearDisplayP3)
    let formats: [ImageFileFormat] = [.heic, .avif, .png, .jpegXL]
    let paths = try formats.map { format in
      var settings = ImageFileSettings(format: format)
      settings.dynamicRange = range
      settings.quality = 1
      let path = folder.path("picture.\(format.fileExtension)")
      let written = try ImageFileWriter(settings).write(ImageContent(image), to: path)
      #expect(written.notes.isEmpty, "\(written.notes)")
      return path
    }
    let transfer = range == .pq ? 16 : 18
    for (format, finding) in zip(formats, try ImageJudges.read(paths)) {
      switch format {
      case .png: #expect(finding.nclx == [9, transfer, 0, 1])
      case .jpegXL: break
      default: #expect(finding.nclx == [9, transfer, 9, 1])
      }
      #expect(finding.levels > 256)
      // Gray in the first row: 8 bits of error in lossy codecs' 10 are 1 % of light.
      for column in stride(from: 60, to: TestImages.width, by: 20) {
        let light = pow(Double(column) / Double(TestImages.width - 1), 2) * 4 * 203
        let number = Double(finding.pixels[3 * column + 1])
        let nits = range == .pq ? Self.pqNits(number) : Self.hlgNits(number)
        #expect(abs(nits / light - 1) < 0.03, "\(format), column \(column): \(nits) of \(light)")
      }
    }
  }

  /// BT.2100 table 4.
  private static func pqNits(_ number: Double) -> Double {
    let power = pow(number, 1 / 78.84375)
    return 10_000
      * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  /// BT.2100 table 5, for gray on a display of 1000 nits.
  private static func hlgNits(_ number: Double) -> Double {
    let scene =
      number <= 0.5
      ? number * number / 3 : (exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return 1000 * pow(scene, 1.2)
  }

  @Test(
    .tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence),
    arguments: [1, 2])
  func libultrahdr_reconstructs_the_hdr_image_of_a_gain_map_jpeg(_ reduction: Int) throws {
    let folder = try TemporaryFolder()
    let high = TestImages.floats(6, power: 3, .linearDisplayP3)
    // The same image with its highlights compressed below white.
    let pressed = high.samples.floats.map { light in light * 1.4 / (1 + light * 1.4 / 1.1) / 1.1 }
    let curve = TransferCurve.sRGB
    let codes = pressed.map { UInt16((curve.encode(Double(min($0, 1))) * 65_535).rounded()) }
    let base = TestImages.image(.uint16(codes), .displayP3)
    var settings = ImageFileSettings(format: .gainMapJPEG)
    settings.quality = 0.98
    settings.gainMapReduction = reduction
    let path = folder.path("picture.uhdr")
    _ = try ImageFileWriter(settings).write(TestImages.content(base, high: high), to: path)
    let finding = try #require(try ImageJudges.read([path]).first)
    #expect(finding.width == TestImages.width && finding.height == TestImages.height)
    var (errors, count) = (0.0, 0.0)
    for (found, wanted) in zip(finding.pixels, high.samples.floats) where wanted > 0.05 {
      errors += Double(abs(found / wanted - 1))
      count += 1
    }
    // A map of half the size has one gain for four pixels.
    #expect(errors / count < 0.01 * Double(reduction), "\(errors / count * 100) % on average")
    let sum = zip(finding.pixels, high.samples.floats).reduce(SIMD2(0.0, 0.0)) {
      $0 + SIMD2(Double($1.0), Double($1.1))
    }
    #expect(abs(sum.x / sum.y - 1) < 0.01)
  }

  @Test(
    .tags(.judges), .enabled(if: ImageJudges.exiftoolIsPresent, "exiftool is not installed"),
    arguments: [ImageFileFormat.jpeg, .gainMapJPEG, .heic, .avif, .jpegXL, .tiff, .png])
  func exiftool_finds_the_metadata_in_each_format(_ format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.\(format.fileExtension)")
    let high = format == .gainMapJPEG ? TestImages.floats(2) : nil
    let written = try ImageFileWriter(ImageFileSettings(format: format)).write(
      TestImages.content(TestImages.words(), high: high), to: path)
    #expect(written.notes.allSatisfy { $0.kind == .fewerBits }, "\(written.notes)")
    let tags = try ImageJudges.tags(path)
    let expected = [
      "IFD0:Make": "Maker", "IFD0:Model": "Model 1", "IFD0:Artist": "A. Photographer",
      "IFD0:Orientation": "1", "ExifIFD:LensModel": "50mm F1.8", "ExifIFD:ExposureTime": "0.004",
      "ExifIFD:FNumber": "2.8", "ExifIFD:ISO": "400", "ExifIFD:FocalLength": "50",
      "ExifIFD:DateTimeOriginal": "2023:11:15 00:13:20", "ExifIFD:OffsetTimeOriginal": "+02:00",
      "ExifIFD:SubSecTimeOriginal": "250", "ExifIFD:CreateDate": "2023:11:15 00:13:20",
      "ExifIFD:ColorSpace": "1",
      "ExifIFD:SerialNumber": "1234", "GPS:GPSLatitude": "48.25", "GPS:GPSAltitude": "520",
    ]
    for (name, value) in expected { #expect(tags[name] == value, "\(name) of \(format)") }
    if format != .tiff {
      #expect(tags["ExifIFD:ExifImageWidth"] == "\(TestImages.width)", "\(format)")
    }
    #expect(tags["XMP-xmp:Rating"] == "4", "\(format)")
    if format == .gainMapJPEG {
      #expect(tags["XMP-hdrgm:HDRGMVersion"] != nil || tags["XMP-hdrgm:Version"] != nil)
      #expect(tags["MPF0:NumberOfImages"] == "2")
    }
    let warnings = try Judges.run("exiftool", ["-validate", "-warning", "-a", path]).output
    // Deflate is newer than TIFF 6.0's text, ISO's segment is newer than exiftool, and the method of
    // positioning is unknown.
    let known = ["0x0103 Compression", "Unknown APP2", "GPSProcessingMethod"]
    let lines = warnings.split(separator: "\n").filter { line in
      line.hasPrefix("Warning") && !known.contains { line.contains($0) }
    }
    #expect(lines.isEmpty, "\(format): \(warnings)")
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func openexr_has_light_chromaticities_and_camera_settings() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.exr")
    let written = try ImageFileWriter(ImageFileSettings(format: .openEXR)).write(
      TestImages.content(TestImages.words(.displayP3)), to: path)
    #expect(Set(written.notes.map(\.kind)) == [.linearized, .metadataOmitted])
    let finding = try #require(try ImageJudges.read([path]).first)
    let header = try #require(finding.header)
    #expect(header["cameraModel"] == "Model 1" && header["isoSpeed"] == "400.0")
    #expect(header["chromaticities"]?.contains("0.68") == true)
    for column in stride(from: 10, to: TestImages.width, by: 30) {
      let light = TransferCurve.sRGB.decode(TestImages.number(0, column, 1))
      #expect(abs(Double(finding.pixels[3 * column + 1]) / light - 1) < 0.002)
    }
  }
}

extension RenderedImage.Samples {
  /// The samples, if they are floats.
  var floats: [Float] { if case .float(let values) = self { values } else { [] } }
}
