import Foundation
package import TIFF

extension DNGFile {
  /// What the file says of the photo beyond its pixels: camera, exposure, times and place. What it does
  /// not say is nil.
  public var photoMetadata: PhotoMetadata {
    PhotoMetadata(root, isLittleEndian: isLittleEndian)
  }

  /// The XMP packet in the file; nil where it has none.
  public var xmpPacket: [UInt8]? {
    switch root[.xmp] {
    case .bytes(let packet), .undefined(let packet): packet.isEmpty ? nil : packet
    default: nil
    }
  }
}

extension PhotoMetadata {
  /// What a file's first directory, and those of EXIF and GPS below it, say of the photo. What they do not say is nil.
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
    // 16 bits hold no more.
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

  /// What the directories say beyond that, and what of it cannot be passed on.
  private static func carriedEntries(
    of root: TIFFDirectory, isLittleEndian: Bool
  ) -> CarriedEntries {
    let gps = root.linked[.gpsIFD]
    var carried = CarriedEntries(
      exif: root.linked[.exifIFD], gps: gps, isLittleEndian: isLittleEndian)
    if let gps {
      for tag in PhotoMetadata.Location.unusable(in: gps) { carried.leave(gps: tag) }
    }
    for tag in CarriedEntries.words where root[tag].map(CarriedEntries.saysSomething) == true {
      carried.leave(tag)
    }
    // Directories that cannot be read stop nothing else.
    for tag in [TIFFTag.exifIFD, .gpsIFD] where root[tag] != nil && root.linked[tag] == nil {
      carried.leave(tag)
    }
    return carried
  }
}

/// The tags of a photo, which programs write into the first directory or into that of EXIF.
private struct PhotoTags {
  let root: TIFFDirectory
  let exif: TIFFDirectory

  init(root: TIFFDirectory) {
    self.root = root
    exif = root.linked[.exifIFD] ?? TIFFDirectory()
  }

  /// A text that is not empty.
  func text(_ tag: TIFFTag) -> String? {
    let text = root[tag]?.text ?? exif[tag]?.text
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number that is finite.
  func number(_ tag: TIFFTag) -> Double? {
    let value = exif[tag]?.firstNumber ?? root[tag]?.firstNumber
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension PhotoMetadata {
  /// Takes when the photo was taken, and in which zone. What makes no sense of it is left out.
  fileprivate mutating func takeTime(_ tags: PhotoTags) {
    let exif = tags.exif
    let offset = (exif[.offsetTimeOriginal] ?? exif[.offsetTime])?.text
    let zone = offset.flatMap(EXIFZone.seconds).flatMap { TimeZone(secondsFromGMT: $0) }
    // EXIF writes blanks for an offset that is not known.
    if zone == nil, offset?.contains(where: { !$0.isWhitespace && $0 != ":" }) == true {
      carried.leave(exif[.offsetTimeOriginal] == nil ? .offsetTime : .offsetTimeOriginal)
    }
    // A time without a zone is written again as it was read, in any zone.
    timeZone = zone ?? .gmt
    isTimeZoneKnown = zone != nil
    let time = tags.text(.dateTimeOriginal) ?? tags.text(.dateTime)
    date = time.flatMap { EXIFTime.date($0, in: timeZone) }?
      .addingTimeInterval(Self.fraction(exif[.subSecTimeOriginal]?.text))
    // Of a time that is not known there are zeros or blanks.
    if date == nil, time?.contains(where: { ("1"..."9").contains($0) }) == true {
      carried.leave(tags.text(.dateTimeOriginal) == nil ? .dateTime : .dateTimeOriginal)
    }
  }

  /// The part of a second that EXIF's digits tell; 0 where there are none.
  private static func fraction(_ digits: String?) -> TimeInterval {
    let digits = digits?.prefix { $0.isASCII && $0.isNumber } ?? ""
    return digits.isEmpty ? 0 : Double("0.\(digits)") ?? 0
  }
}
