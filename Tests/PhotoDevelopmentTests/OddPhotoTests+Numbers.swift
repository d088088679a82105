import DNG
import Foundation
import ImageFiles
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Times, places and fractions that make no sense.
extension OddPhotoTests {
  @Test(arguments: ["+15:00", "-16:00", "+18:00", "+14:30", "-99:00", "Z"])
  func an_impossible_time_zone_is_dropped_and_reported(_ offset: String) throws {
    var (root, exif) = (root(), TIFFDirectory())
    exif[.dateTimeOriginal] = .ascii("2026:11:21 14:30:05")
    exif[.offsetTimeOriginal] = .ascii(offset)
    root.linked[.exifIFD] = exif
    let photo = try develop(root, to: folder.path("{date}_{time}"))
    #expect(photo.path == folder.path("2026-11-21_143005.png"), "\(photo)")
    let reported = "omitted from EXIF: the time zone, which is invalid"
    #expect(photo.notes.map(\.message) == [reported])
    #expect(try DNGFile(folder.bytes("odd.dng")).photoMetadata.isTimeZoneKnown == false)
  }

  @Test(arguments: [-18, -16, -15, -14, 14, 15, 16, 18])
  func names_use_the_date_in_the_time_zone_of_the_photo(_ hours: Int) throws {
    var metadata = PhotoMetadata()
    metadata.date = Date(timeIntervalSince1970: TimeInterval(1_700_000_000 - 3600 * hours))
    metadata.timeZone = try #require(TimeZone(secondsFromGMT: 3600 * hours))
    let path = try ImageName("/o/{date}-{time}").path(
      of: "/in/shot.dng", number: 1, metadata: metadata, format: .jpeg)
    #expect(path == "/o/2023-11-14-221320.jpg")
  }

  @Test(arguments: [
    ("2024:02:30 10:00:00", true), ("2026:11:21 24:00:00", true), ("yesterday at 9", true),
    ("0000:00:00 00:00:00", false), ("    :  :     :  :  ", false),
  ])
  func an_impossible_time_is_dropped_and_reported(_ time: String, isReported: Bool) throws {
    var (root, exif) = (root(), TIFFDirectory())
    exif[.dateTimeOriginal] = .ascii(time)
    root.linked[.exifIFD] = exif
    let photo = try develop(root)
    let reported = "omitted from EXIF: the time, which is invalid"
    #expect(photo.notes.map(\.message) == (isReported ? [reported] : []))
    #expect(try DNGFile(folder.bytes("odd.dng")).photoMetadata.date == nil)
  }

  private func gps(
    latitude: TIFFValue? = .rationals([.init(47), .init(30), .init(0)]),
    south: TIFFValue? = .ascii("S")
  ) -> TIFFDirectory {
    var gps = TIFFDirectory()
    (gps[.gpsLatitude], gps[.gpsLatitudeRef]) = (latitude, south)
    gps[.gpsLongitude] = .rationals([.init(8), .init(15), .init(0)])
    gps[.gpsLongitudeRef] = .ascii("E")
    return gps
  }

  @Test func an_unusable_location_is_dropped_and_reported() throws {
    for place in [
      gps(latitude: .rationals([.init(47), .init(30)])), gps(south: nil), gps(south: .ascii("?")),
      gps(latitude: .rationals([.init(95), .init(0), .init(0)])), gps(latitude: .ascii("47.5")),
      gps(latitude: .signedRationals([.init(-47), .init(0), .init(0)])),
    ] {
      var root = root()
      root.linked[.gpsIFD] = place
      let photo = try develop(root)
      #expect(photo.status == .developed)
      #expect(photo.notes.map(\.message) == ["omitted from EXIF: GPS 0x2, GPS 0x4"])
      #expect(try DNGFile(folder.bytes("odd.dng")).photoMetadata.location == nil)
    }
  }

  @Test(arguments: [(0, 520), (1, -520), (2, 520), (3, -520)] as [(Int, Double)])
  func an_altitude_below_sea_level_is_negative(reference: Int, altitude: Double) throws {
    var (root, place) = (root(), gps(south: .ascii(" south")))
    place[.gpsAltitude] = .rationals([.init(520)])
    place[.gpsAltitudeRef] = .bytes([UInt8(reference)])
    root.linked[.gpsIFD] = place
    let location = try DNGFile(TIFFWriter.serialize(root)).photoMetadata.location
    #expect(
      location == PhotoMetadata.Location(latitude: -47.5, longitude: 8.25, altitude: altitude))
    #expect(try develop(root).notes.isEmpty)
  }

  @Test func unsupported_descriptive_metadata_is_reported() throws {
    var root = root()
    root[TIFFTag(rawValue: 0x83BB)] = .undefined([0x1C, 2, 120, 0, 1, 65])
    root[TIFFTag(rawValue: 0x9C9B)] = .bytes([65, 0, 0, 0])
    root[TIFFTag(rawValue: 0x4746)] = .short(3)
    let photo = try develop(root)
    #expect(
      photo.notes.map(\.message) == ["omitted from EXIF: the rating, IPTC, Windows's title"])
  }

  @Test func an_unreadable_exif_directory_is_reported() throws {
    var root = root()
    // Beyond the end of the file.
    root[.exifIFD] = .longs([1 << 30])
    let photo = try develop(root)
    #expect(photo.status == .developed)
    #expect(photo.notes.map(\.message) == ["omitted from EXIF: all of EXIF, which cannot be read"])
  }

  @Test func invalid_fractions_in_metadata_give_no_values() throws {
    var (root, exif, gps) = (root(), TIFFDirectory(), TIFFDirectory())
    exif[.exposureTime] = .rationals([.init(numerator: 1, denominator: 0)])
    exif[.fNumber] = .rationals([.init(numerator: 0, denominator: 0)])
    exif[.exposureBias] = .signedRationals([.init(numerator: 0, denominator: 0)])
    exif[.focalLength] = .rationals([.init(numerator: 0, denominator: 1)])
    gps[.gpsLatitudeRef] = .ascii("N")
    gps[.gpsLongitudeRef] = .ascii("E")
    let unknown = TIFFValue.rationals(
      Array(repeating: .init(numerator: 0, denominator: 0), count: 3))
    (gps[.gpsLatitude], gps[.gpsLongitude]) = (unknown, unknown)
    (root.linked[.exifIFD], root.linked[.gpsIFD]) = (exif, gps)
    let metadata = try DNGFile(TIFFWriter.serialize(root)).photoMetadata
    #expect(metadata.exposureTime == nil && metadata.fNumber == nil)
    #expect(metadata.exposureBias == nil && metadata.location == nil)
    #expect(metadata.focalLength == 0)
    let photo = try develop(root, as: .tiff)
    #expect(photo.status == .developed && photo.notes.isEmpty, "\(photo.notes)")
    let file = try TIFFFile(folder.bytes("odd.tif"))
    let written = try #require(try file.firstDirectory().directories(.exifIFD).first)
    #expect(!written.has(.exposureTime) && !written.has(.fNumber) && written.has(.focalLength))
  }
}
