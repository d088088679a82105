import DNG
import Foundation
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import ImageFiles

struct ImageFileSummaryTests {
  /// A film scan has its own time, to which the exposure's zone does not apply.
  @Test func digitizing_and_exposure_times_are_kept_apart() throws {
    func exif(_ digitized: String?) throws -> TIFFDirectory {
      var metadata = PhotoMetadata()
      metadata.timeZone = try #require(TimeZone(secondsFromGMT: 7200))
      metadata.date = Date(timeIntervalSince1970: 0.25)
      metadata.carried.exif[.dateTimeDigitized] = digitized.map { .ascii($0) }
      let content = ImageContent(TestImages.bytes(), metadata: metadata)
      return try #require(ImageEXIF.directory(content).linked[.exifIFD])
    }
    let scan = try exif("2020:05:05 10:00:00")
    #expect(scan[.dateTimeDigitized]?.text == "2020:05:05 10:00:00")
    #expect(scan[.offsetTimeDigitized] == nil && scan[.subSecTimeDigitized] == nil)
    #expect(scan[.offsetTime]?.text == "+02:00" && scan[.subSecTime]?.text == "250")
    for same in [nil, "1970:01:01 02:00:00"] {
      let photo = try exif(same)
      #expect(photo[.dateTimeDigitized]?.text == "1970:01:01 02:00:00")
      #expect(photo[.offsetTimeDigitized]?.text == "+02:00")
      #expect(photo[.subSecTimeDigitized]?.text == "250")
    }
  }

  private func file(
    _ format: ImageFileFormat, depth: Int? = nil, _ space: ImageColorSpace = .sRGB,
    quality: Double = 0.95
  ) throws -> [UInt8] {
    var settings = ImageFileSettings(format: format)
    settings.bitDepth = depth
    settings.quality = quality
    let high = format == .gainMapJPEG ? TestImages.floats(2) : nil
    return try ImageFileWriter(settings).encode(
      TestImages.content(TestImages.words(space), high: high)
    ).bytes
  }

  private func checkCamera(_ summary: ImageFileSummary) {
    #expect(summary.hasEXIF && summary.hasXMP && summary.orientation == 1)
    #expect(summary.camera == "Model 1" && summary.make == "Maker")
    #expect(summary.lens == "50mm F1.8" && summary.date == "2023:11:15 00:13:20")
    #expect(summary.exposureTime == 0.004 && summary.fNumber == 2.8 && summary.isoSpeed == 400)
    #expect(summary.width == TestImages.width && summary.height == TestImages.height)
  }

  @Test(arguments: [ImageFileFormat.jpeg, .gainMapJPEG])
  func a_truncated_jpeg_is_reported_in_its_summary(format: ImageFileFormat) throws {
    let bytes = try file(format)
    #expect(try ImageFileSummary(bytes).isWhole == true)
    // What cameras append is not part of the image.
    #expect(try ImageFileSummary(bytes + [0, 1, 0xFF]).isWhole == true)
    for cut in [1, 2, 3, 20] {
      #expect(try ImageFileSummary(Array(bytes.dropLast(cut))).isWhole == false, "\(cut)")
    }
  }

  @Test func a_jpeg_reports_its_sampling_profile_and_color_space() throws {
    let bytes = try file(.jpeg)
    let summary = try ImageFileSummary(bytes)
    checkCamera(summary)
    #expect(summary.kind == .jpeg && summary.bitDepth == 8 && summary.components == 3)
    #expect(summary.chroma == "4:4:4" && summary.profile == "sRGB" && summary.colorSpace == 1)
    #expect(summary.gainMap == nil && summary.colors == nil && summary.byteCount == bytes.count)
    let other = try ImageFileSummary(try file(.jpeg, .displayP3, quality: 0.5))
    #expect(other.chroma == "4:2:0" && other.profile == "Display P3")
    #expect(other.colorSpace == 65_535)
  }

  @Test func unknown_numbers_are_nil_and_large_sensitivities_are_found() throws {
    var (root, exif) = (TIFFDirectory(), TIFFDirectory())
    exif[.fNumber] = .rationals([.init(numerator: 0, denominator: 0)])
    exif[.focalLength] = .rationals([.init(50)])
    exif[.isoSpeed] = .shorts([65_535])
    exif[.recommendedExposureIndex] = .longs([204_800])
    root.linked[.exifIFD] = exif
    var summary = try ImageFileSummary(try file(.jpeg))
    summary.take(exif: try TIFFWriter.serialize(root))
    #expect(summary.fNumber == nil && summary.focalLength == 50 && summary.isoSpeed == 204_800)
  }

  @Test func a_gain_map_is_detected() throws {
    let summary = try ImageFileSummary(try file(.gainMapJPEG))
    #expect(summary.gainMap == .iso)
  }

  @Test(arguments: [8, 10]) func a_heic_reports_its_depth_code_points_and_profile(_ depth: Int)
    throws
  {
    let summary = try ImageFileSummary(try file(.heic, depth: depth))
    checkCamera(summary)
    #expect(summary.kind == .heic && summary.bitDepth == depth && summary.components == 3)
    #expect(summary.colors == "1-13-6" && summary.isFullRange == true && summary.profile == "sRGB")
  }

  @Test func an_avif_is_reported_as_avif() throws {
    let summary = try ImageFileSummary(try file(.avif, depth: 10))
    #expect(summary.kind == .avif && summary.bitDepth == 10 && summary.profile == "sRGB")
  }

  @Test(arguments: [ImageFileFormat.jpeg, .heic])
  func summaries_of_damaged_files_do_not_trap(_ format: ImageFileFormat) throws {
    let bytes = try file(format)
    // A part of a file is at worst refused; a JPEG cut within its image is still summarized in full.
    for count in stride(from: 0, to: min(bytes.count, 4000), by: 7) {
      _ = try? ImageFileSummary(Array(bytes.prefix(count)))
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<min(damaged.count, 3000), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? ImageFileSummary(damaged)
    }
    let error = #expect(throws: ImageFileError.self) {
      try ImageFileSummary(Array(bytes.prefix(20)))
    }
    #expect(error?.code == .invalidFile)
    #expect(!ImageFileSummary.recognizes([0x49, 0x49, 42, 0]))
  }

  @Test func thorough_effort_changes_the_heic() throws {
    var settings = ImageFileSettings(format: .heic)
    settings.bitDepth = 8
    let content = TestImages.content(TestImages.words())
    let fast = try ImageFileWriter(settings).encode(content).bytes
    settings.effort = .thorough
    #expect(try ImageFileWriter(settings).encode(content).bytes != fast)
  }
}
