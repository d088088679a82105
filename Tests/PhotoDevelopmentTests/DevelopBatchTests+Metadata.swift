import DNG
import Foundation
import ImageFiles
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// What the camera says of a photo, passed on to the developed image.
extension DevelopBatchTests {
  /// exiftool helps to write the source, and also reads the images.
  @Test(
    .tags(.judges), .enabled(if: Judges.find("exiftool") != nil, "exiftool is not installed"),
    arguments: [ImageFileFormat.jpeg, .tiff, .png, .heic])
  func camera_metadata_is_passed_on(_ format: ImageFileFormat) throws {
    let source = try photo("c.dng")
    let facts = [
      "LensMake": "Maker", "LensModel": "A 50", "LensInfo": "24 70 2.8 4",
      "LensSerialNumber": "L7", "FocalLength": "50", "FocalLengthIn35mmFormat": "75", "Flash": "1",
      "MeteringMode": "5", "ExposureProgram": "3", "WhiteBalance": "1", "SubjectDistance": "3.5",
      "UserComment": "a comment", "OwnerName": "Somebody", "GPSLatitude": "47.5",
      "GPSLatitudeRef": "N", "GPSLongitude": "8.25", "GPSLongitudeRef": "E",
      "GPSImgDirection": "123.5", "GPSImgDirectionRef": "T", "GPSSpeed": "4.5", "GPSSpeedRef": "K",
      "GPSHPositioningError": "6", "GPSDateStamp": "2026:11:21", "GPSTimeStamp": "10:00:00",
    ]
    let given = facts.map { "-EXIF:\($0)=\($1)" }
    let made = try Judges.run(
      "exiftool",
      ["-n", "-q", "-overwrite_original", "-FocalPlaneXResolution=100", "-TimeZoneOffset=2"] + given
        + [source])
    #expect(made.status == 0, "\(made.errors)")
    let result = try #require(try batch([source], to: nil, format).run().first)
    #expect(result.status == .developed)
    #expect(
      result.notes.filter { $0.kind == .metadataOmitted }.map(\.message)
        == ["omitted from EXIF: 0x882A"])
    func reported(_ path: String) throws -> [String] {
      try Judges.run(
        "exiftool", ["-n", "-s", "-a", "-G1"] + facts.keys.sorted().map { "-\($0)" } + [path]
      )
      .output.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("[ExifIFD]") || $0.hasPrefix("[GPS]") }.sorted()
    }
    let wanted = try reported(source)
    #expect(wanted.count == facts.count, "\(wanted)")
    #expect(try reported(try #require(result.path)) == wanted)
  }

  /// Cameras before EXIF 2.31 record no zone, and a sensitivity may be any number.
  @Test func no_time_zone_is_invented_and_any_sensitivity_is_accepted() throws {
    func exif(_ speed: Double, zone: Bool) throws -> [TIFFFile.Directory] {
      let mosaic = try RawImage(
        width: 64, height: 48, bitDepth: 12, samples: (0..<64 * 48).map { 900 + UInt16($0 % 64) })
      var metadata = PhotoMetadata()
      metadata.date = Date(timeIntervalSince1970: 1_700_000_000.123)
      metadata.isTimeZoneKnown = zone
      metadata.timeZone = .gmt
      metadata.isoSpeed = speed
      let bytes = try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
        metadata: metadata
      ).dngFileData()
      try folder.write(bytes, "z.dng")
      let read = try DNGFile(bytes).photoMetadata
      #expect(read.isTimeZoneKnown == zone && read.isoSpeed == min(speed, 4_294_967_295))
      var batch = try batch([folder.path("z.dng")], to: nil, .tiff)
      batch.replacesFiles = true
      #expect(batch.run().first?.status == .developed)
      return try [bytes, [UInt8](Data(contentsOf: folder.url("z.tif")))].map {
        try #require(try TIFFFile($0).firstDirectory().directories(.exifIFD).first)
      }
    }
    for speed in [100, 102_400, 1.7e308] {
      for zone in [true, false] {
        for directory in try exif(speed, zone: zone) {
          func value(_ tag: TIFFTag) -> TIFFValue? { try? directory.value(tag, byteLimit: 1000) }
          #expect(directory.has(.offsetTimeOriginal) == zone)
          #expect(value(.subSecTimeOriginal)?.text == "123")
          #expect(value(.isoSpeed)?.integers == [Int(min(speed, 65_535))])
        }
      }
    }
  }

  @Test(arguments: [nil, 1] as [Int?])
  func the_sensitivity_type_given_by_the_camera_is_kept(kind: Int?) throws {
    let standard = TIFFTag(rawValue: 0x8831)
    var metadata = PhotoMetadata()
    metadata.isoSpeed = 400
    if let kind {
      metadata.carried.exif = [.sensitivityType: .short(kind), standard: .long(400)]
    }
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: [UInt16](repeating: 900, count: 64 * 48))
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
        metadata: metadata
      ).dngFileData(), "iso.dng")
    #expect(try batch([folder.path("iso.dng")], to: nil, .tiff).run().first?.status == .developed)
    let file = try TIFFFile([UInt8](Data(contentsOf: folder.url("iso.tif"))))
    let exif = try #require(try file.firstDirectory().directories(.exifIFD).first)
    #expect(try exif.value(.sensitivityType, byteLimit: 100)?.integers == [kind ?? 2])
    #expect(exif.has(standard) == (kind != nil))
  }

  @Test func exif_data_unsupported_by_openexr_is_reported() throws {
    var metadata = PhotoMetadata()
    metadata.exposureBias = -1
    metadata.carried.exif = [TIFFTag(rawValue: 0x9209): .short(16)]
    metadata.carried.gps = [TIFFTag(rawValue: 0x11): .rationals([.init(12)])]
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: [UInt16](repeating: 900, count: 64 * 48))
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
        metadata: metadata
      ).dngFileData(), "flash.dng")
    let photo = try #require(batch([folder.path("flash.dng")], to: nil, .openEXR).run().first)
    let notes = photo.notes.filter { $0.kind == .metadataOmitted }.map(\.message)
    #expect(notes.contains { $0.contains("exposure bias, 0x9209, GPS 0x11") }, "\(notes)")
  }
}
