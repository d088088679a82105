import Foundation
package import TIFF

extension DNGFile {
  /// The photo's metadata: camera, exposure, times and location. Properties that the file does not state are nil.
  public var photoMetadata: PhotoMetadata {
    PhotoMetadata(root, isLittleEndian: isLittleEndian)
  }

  /// The XMP packet; nil if the file has none.
  public var xmpPacket: [UInt8]? {
    switch root[.xmp] {
    case .bytes(let packet), .undefined(let packet): packet.isEmpty ? nil : packet
    default: nil
    }
  }
}

extension PhotoMetadata {
  /// The metadata in a file's first directory and the EXIF and GPS directories below it. Properties not stated are
  /// nil.
  package init(_ root: TIFFDirectory, isLittleEndian: Bool) {
    var metadata = PhotoMetadata()
    let tags = PhotoTags(root: root)
    metadata.make = tags.text(.make)
    metadata.model = tags.text(.model) ?? tags.text(.uniqueCameraModel)
    metadata.serialNumber = tags.text(.bodySerialNumber) ?? tags.text(.cameraSerialNumber)
    metadata.lensModel = tags.text(.lensModel)
    metadata.artist = tags.text(.artist)
    metadata.copyright = tags.text(.copyright)
    metadata.imageDescription = tags.text(.imageDescription)
    metadata.exposureTime = tags.number(.exposureTime)
    metadata.fNumber = tags.number(.fNumber)
    metadata.isoSpeed = tags.number(.isoSpeed)
    // 65535 is the greatest 16-bit value: the true speed may be higher.
    if metadata.isoSpeed == 65_535 {
      metadata.isoSpeed = tags.number(.recommendedExposureIndex) ?? metadata.isoSpeed
    }
    metadata.focalLength = tags.number(.focalLength)
    metadata.exposureBias = tags.number(.exposureBias)
    metadata.orientation =
      root.integer(.orientation).flatMap { UInt16(exactly: $0) }
      .flatMap { PhotoMetadata.Orientation(rawValue: $0) } ?? .up
    metadata.location = root.linked[.gpsIFD].flatMap { PhotoMetadata.Location($0) }
    metadata.carried = Self.carriedEntries(of: root, isLittleEndian: isLittleEndian)
    metadata.takeTime(tags)
    self = metadata
  }

  /// The other entries of the directories, including a record of those that cannot be copied.
  private static func carriedEntries(
    of root: TIFFDirectory, isLittleEndian: Bool
  ) -> CarriedEntries {
    let gps = root.linked[.gpsIFD]
    var carried = CarriedEntries(
      exif: root.linked[.exifIFD], gps: gps, isLittleEndian: isLittleEndian)
    if let gps {
      for tag in PhotoMetadata.Location.unusable(in: gps) { carried.leave(gps: tag) }
    }
    for tag in CarriedEntries.words where root[tag].map(CarriedEntries.isMeaningful) == true {
      carried.leave(tag)
    }
    // Unreadable directories are noted, and otherwise ignored.
    for tag in [TIFFTag.exifIFD, .gpsIFD] where root[tag] != nil && root.linked[tag] == nil {
      carried.leave(tag)
    }
    return carried
  }
}

/// The tags of a photo, which programs write to the first directory or to the EXIF directory.
private struct PhotoTags {
  let root: TIFFDirectory
  let exif: TIFFDirectory

  init(root: TIFFDirectory) {
    self.root = root
    exif = root.linked[.exifIFD] ?? TIFFDirectory()
  }

  /// A text; nil if it is empty.
  func text(_ tag: TIFFTag) -> String? {
    let text = root[tag]?.text ?? exif[tag]?.text
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number; nil if it is not finite.
  func number(_ tag: TIFFTag) -> Double? {
    let value = exif[tag]?.firstNumber ?? root[tag]?.firstNumber
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension PhotoMetadata {
  /// Takes over the time of exposure and its time zone. Invalid parts are left out.
  fileprivate mutating func takeTime(_ tags: PhotoTags) {
    let exif = tags.exif
    let offset = (exif[.offsetTimeOriginal] ?? exif[.offsetTime])?.text
    let zone = offset.flatMap(EXIFZone.seconds).flatMap { TimeZone(secondsFromGMT: $0) }
    // EXIF writes blanks for an unknown offset.
    if zone == nil, offset?.contains(where: { !$0.isWhitespace && $0 != ":" }) == true {
      carried.leave(exif[.offsetTimeOriginal] == nil ? .offsetTime : .offsetTimeOriginal)
    }
    // A time without a zone is read and written in UTC, so it does not change.
    timeZone = zone ?? .gmt
    isTimeZoneKnown = zone != nil
    let time = tags.text(.dateTimeOriginal) ?? tags.text(.dateTime)
    date = time.flatMap { EXIFTime.date($0, in: timeZone) }?
      .addingTimeInterval(Self.fraction(exif[.subSecTimeOriginal]?.text))
    // For an unknown time, files have zeros or blanks.
    if date == nil, time?.contains(where: { ("1"..."9").contains($0) }) == true {
      carried.leave(tags.text(.dateTimeOriginal) == nil ? .dateTime : .dateTimeOriginal)
    }
  }

  /// The fraction of a second given by EXIF's digits; 0 if there are none.
  private static func fraction(_ digits: String?) -> TimeInterval {
    let digits = digits?.prefix { $0.isASCII && $0.isNumber } ?? ""
    return digits.isEmpty ? 0 : Double("0.\(digits)") ?? 0
  }
}
