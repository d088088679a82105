import Foundation
import TIFF

extension DNGFile {
  /// What the file says of the photo beyond its pixels: camera, exposure, times and place. What it does
  /// not say is nil.
  public var photoMetadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    let exif = root.linked[.exifIFD] ?? TIFFDirectory()
    func text(_ tag: TIFFTag) -> String? {
      let text = root[tag]?.text ?? exif[tag]?.text
      return text.flatMap { $0.isEmpty ? nil : $0 }
    }
    func number(_ tag: TIFFTag) -> Double? {
      let value = exif[tag]?.firstNumber ?? root[tag]?.firstNumber
      return value.flatMap { $0.isFinite ? $0 : nil }
    }
    metadata.make = text(.make)
    metadata.model = text(.model) ?? text(.uniqueCameraModel)
    metadata.serialNumber = text(.bodySerialNumber) ?? text(.cameraSerialNumber)
    metadata.lensModel = text(.lensModel)
    metadata.artist = text(.artist)
    metadata.copyright = text(.copyright)
    metadata.imageDescription = text(.imageDescription)
    metadata.exposureTime = number(.exposureTime)
    metadata.fNumber = number(.fNumber)
    metadata.isoSpeed = number(.isoSpeed)
    // 16 bits hold no more.
    if metadata.isoSpeed == 65_535 {
      metadata.isoSpeed = number(.recommendedExposureIndex) ?? metadata.isoSpeed
    }
    metadata.focalLength = number(.focalLength)
    metadata.exposureBias = number(.exposureBias)
    metadata.carried = CarriedEntries(
      exif: root.linked[.exifIFD], gps: root.linked[.gpsIFD], isLittleEndian: isLittleEndian)
    if let gps = root.linked[.gpsIFD] {
      metadata.location = PhotoMetadata.Location(gps)
      for tag in PhotoMetadata.Location.unusable(in: gps) { metadata.carried.leave(gps: tag) }
    }
    for tag in CarriedEntries.words where root[tag].map(CarriedEntries.saysSomething) == true {
      metadata.carried.leave(tag)
    }
    // Directories that cannot be read stop nothing else.
    for tag in [TIFFTag.exifIFD, .gpsIFD] where root[tag] != nil && root.linked[tag] == nil {
      metadata.carried.leave(tag)
    }
    metadata.orientation =
      root.integer(.orientation).flatMap { UInt16(exactly: $0) }
      .flatMap { PhotoMetadata.Orientation(rawValue: $0) } ?? .up
    let offset = (exif[.offsetTimeOriginal] ?? exif[.offsetTime])?.text
    let zone = offset.flatMap(EXIFZone.seconds).flatMap { TimeZone(secondsFromGMT: $0) }
    // EXIF writes blanks for an offset that is not known.
    if zone == nil, offset?.contains(where: { !$0.isWhitespace && $0 != ":" }) == true {
      metadata.carried.leave(exif[.offsetTimeOriginal] == nil ? .offsetTime : .offsetTimeOriginal)
    }
    // A time without a zone is written again as it was read, in any zone.
    metadata.timeZone = zone ?? .gmt
    metadata.isTimeZoneKnown = zone != nil
    let time = text(.dateTimeOriginal) ?? text(.dateTime)
    metadata.date = time.flatMap { EXIFTime.date($0, in: metadata.timeZone) }?
      .addingTimeInterval(Self.fraction(exif[.subSecTimeOriginal]?.text))
    // Of a time that is not known there are zeros or blanks.
    if metadata.date == nil, time?.contains(where: { ("1"..."9").contains($0) }) == true {
      metadata.carried.leave(text(.dateTimeOriginal) == nil ? .dateTime : .dateTimeOriginal)
    }
    return metadata
  }

  /// The XMP packet in the file; nil where it has none.
  public var xmpPacket: [UInt8]? {
    switch root[.xmp] {
    case .bytes(let packet), .undefined(let packet): packet.isEmpty ? nil : packet
    default: nil
    }
  }

  /// The part of a second that EXIF's digits tell; 0 where there are none.
  private static func fraction(_ digits: String?) -> TimeInterval {
    let digits = digits?.prefix { $0.isASCII && $0.isNumber } ?? ""
    return digits.isEmpty ? 0 : Double("0.\(digits)") ?? 0
  }
}
