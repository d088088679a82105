import Foundation
import TIFF

/// Reads the facts of images from their headers, without decoding.
enum ImageInspector {
  /// The facts of an image of a known kind; nil if the file is not an image.
  static func facts(
    _ kind: ContentKind, _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) -> MediaFacts? {
    var facts = MediaFacts()
    switch kind {
    case .other: return nil
    case .rawImage(let name):
      facts.container = name
      facts.codec = name
      facts.codecName = "RAW (\(name.uppercased()))"
      facts.isRAW = true
    case .image(let name):
      facts.container = name
      facts.codec = name
      facts.codecName = name == "heif" ? "HEIF" : name.uppercased()
      if name == "jpeg" { addJPEG(to: &facts, read) }
      if name == "png" { addPNG(to: &facts, read) }
      if name == "heif" { addHEIF(to: &facts, read) }
      if name == "jxl" { addJPEGXL(to: &facts, read) }
    case .tiff:
      guard let directory = try? TIFFFile(read).firstDirectory() else { return nil }
      addTIFF(directory, to: &facts)
    }
    return facts
  }

  private static func addTIFF(_ directory: TIFFFile.Directory, to facts: inout MediaFacts) {
    let isDNG = directory.has(.dngVersion)
    let all = [directory] + directory.directories(.subIFDs)
    // 32803 is a color filter array, in TIFF/EP and formats derived from it.
    let hasSensorData = all.contains { $0.numbers(.photometric).first == 32803 }
    facts.container = isDNG ? "dng" : "tiff"
    facts.codec = facts.container
    facts.isRAW = isDNG || hasSensorData
    // The main image has subfile type 0; a preview, 1.
    let main = all.filter { $0.numbers(.newSubFileType).first ?? 0 == 0 }
    // 34892 is DNG's LinearRaw.
    let isLinear = main.contains { $0.numbers(.photometric).first == 34892 }
    if isDNG { facts.isLinearRAW = isLinear && !hasSensorData }
    facts.codecName =
      isDNG
      ? facts.isLinearRAW == true ? "RAW (linear DNG)" : "RAW (DNG)"
      : facts.isRAW ? "RAW (TIFF/EP)" : "TIFF"
    for candidate in main.isEmpty ? all : main {
      let size = candidate.size
      guard size.width * size.height > facts.width * facts.height else { continue }
      (facts.width, facts.height) = size
    }
    addCamera(directory, to: &facts)
  }

  private static func addCamera(_ directory: TIFFFile.Directory, to facts: inout MediaFacts) {
    facts.make = directory.text(.make)
    facts.model = directory.text(.model)
    facts.software = directory.text(.software)
    let exif = directory.directories(.exifIFD).first
    let date = exif?.text(.dateTimeOriginal) ?? directory.text(.dateTime)
    let zone = (exif?.text(.offsetTimeOriginal) ?? exif?.text(.offsetTime))
      .flatMap(EXIFZone.seconds).flatMap { TimeZone(secondsFromGMT: $0) }
    // A time without a zone is taken to be in this machine's zone.
    facts.creationDate =
      date.flatMap { EXIFTime.date($0, in: zone ?? .current) }?
      .timeIntervalSince1970
    facts.location = directory.directories(.gpsIFD).first.flatMap(location)
  }

  /// The position in Exif's GPS directory: degrees, minutes and seconds, and the hemisphere.
  private static func location(_ directory: TIFFFile.Directory) -> GeographicLocation? {
    func degrees(_ tag: TIFFTag, _ half: String?, negative: String) -> Double? {
      let parts = directory.rationals(tag)
      guard parts.count == 3, let half else { return nil }
      let value = parts[0] + parts[1] / 60 + parts[2] / 3600
      return half.uppercased().hasPrefix(negative) ? -value : value
    }
    guard
      let latitude = degrees(.gpsLatitude, directory.text(.gpsLatitudeRef), negative: "S"),
      let longitude = degrees(.gpsLongitude, directory.text(.gpsLongitudeRef), negative: "W"),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    let isBelow = directory.numbers(.gpsAltitudeRef).first == 1
    return GeographicLocation(
      latitude: latitude, longitude: longitude,
      altitude: directory.rationals(.gpsAltitude).first.map { isBelow ? -$0 : $0 })
  }

  private static func addPNG(
    to facts: inout MediaFacts, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]
  ) {
    let header = read(16, 8)
    guard header.count == 8 else { return }
    facts.width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
    facts.height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func addHEIF(
    to facts: inout MediaFacts, _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) {
    guard let header = HEIFHeader(read) else { return }
    if let size = header.imageSize { (facts.width, facts.height) = size }
    addExif(at: header.exif, to: &facts, read)
  }

  private static func addJPEGXL(
    to facts: inout MediaFacts, _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) {
    let header = JPEGXLHeader(read)
    if let size = header.size { (facts.width, facts.height) = size }
    addExif(at: header.exif, to: &facts, read)
  }

  private static func addExif(
    at base: Int64?, to facts: inout MediaFacts,
    _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) {
    guard let base else { return }
    let file = try? TIFFFile { offset, count in
      let (place, isBeyond) = base.addingReportingOverflow(offset)
      return isBeyond ? [] : read(place, count)
    }
    guard let exif = try? file?.firstDirectory() else { return }
    addCamera(exif, to: &facts)
  }

  /// Walks a JPEG file's segments to the frame header, reading Exif on the way.
  private static func addJPEG(
    to facts: inout MediaFacts, _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) {
    var offset: Int64 = 2
    // A depth map in XMP takes hundreds of segments.
    for _ in 0..<4096 {
      let head = read(offset, 9)
      guard head.count == 9, head[0] == 0xFF else { return }
      // Fill bytes may precede a marker (B.1.1.2).
      if head[1] == 0xFF {
        offset += 1
        continue
      }
      let length = Int64(head[2]) << 8 | Int64(head[3])
      switch head[1] {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        facts.height = Int(head[5]) << 8 | Int(head[6])
        facts.width = Int(head[7]) << 8 | Int(head[8])
        return
      case 0xE1 where head[4...].elementsEqual("Exif\0".utf8):
        addExif(at: offset + 10, to: &facts, read)
      case 0xDA, 0xD9: return
      default: break
      }
      guard length >= 2 else { return }
      offset += 2 + length
    }
  }

  // MARK: Embedded images

  /// The place of a DNG file's largest preview, a complete JPEG file; nil if there is none.
  static func embeddedJPEG(
    _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
  ) -> (offset: Int64, count: Int)? {
    guard let directory = try? TIFFFile(read).firstDirectory(), directory.has(.dngVersion) else {
      return nil
    }
    var best: (area: Int, offset: Int64, count: Int)?
    for candidate in [directory] + directory.directories(.subIFDs) {
      // 7 is JPEG, 6 is YCbCr. Tiles of raw pixels are JPEG files of another kind.
      guard candidate.numbers(.compression).first == 7,
        candidate.numbers(.photometric).first == 6,
        let offset = candidate.numbers(.stripOffsets).first,
        let count = candidate.numbers(.stripByteCounts).first,
        candidate.numbers(.stripOffsets).count == 1, (4...(64 << 20)).contains(count)
      else { continue }
      let area = candidate.size.width * candidate.size.height
      if area > best?.area ?? 0 { best = (area, Int64(offset), count) }
    }
    return best.map { ($0.offset, $0.count) }
  }
}
