// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import PhotoDevelopment

/// Among the options of ``CGImageMetadataEnumerateTagsUsingBlock(_:_:_:_:)``: whether parts of properties are given, too.
/// Changes nothing: a list is given as a whole.
public let kCGImageMetadataEnumerateRecursively: CFString = "kCGImageMetadataEnumerateRecursively"

/// Calls a block with each property and its path, until it returns false.
///
/// - Parameters:
///   - metadata: The properties.
///   - rootPath: Nil for all; the path of one, for it alone.
///   - options: Nothing is asked of them.
///   - block: Given a path such as `tiff:Make`, and the property.
public func CGImageMetadataEnumerateTagsUsingBlock(
  _ metadata: CGImageMetadata, _ rootPath: CFString?, _ options: CFDictionary?,
  _ block: (CFString, CGImageMetadataTag) -> Bool
) {
  let tags = rootPath.map { metadata.tag($0).map { [$0] } ?? [] } ?? metadata.tags
  for tag in tags {
    let path = "\(tag.path.namespace.prefix):\(tag.path.name)"
    guard block(rootPath ?? path, tag) else { return }
  }
}

/// The property of XMP that says what a key of TIFF's, EXIF's, GPS's or IPTC's dictionary says; nil if there is none, and for
/// a key that has none.
public func CGImageMetadataCopyTagMatchingImageProperty(
  _ metadata: CGImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString
) -> CGImageMetadataTag? {
  MatchingProperty.path(dictionaryName, propertyName).flatMap(metadata.tag)
}

/// Sets the property of XMP that says what a key of TIFF's, EXIF's, GPS's or IPTC's dictionary says; false for a key that has
/// none, and for a value of another type than ``CGImageMetadataSetValueWithPath(_:_:_:_:)`` takes.
@discardableResult
public func CGImageMetadataSetValueMatchingImageProperty(
  _ metadata: CGMutableImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString,
  _ value: CFTypeRef
) -> Bool {
  guard let path = MatchingProperty.path(dictionaryName, propertyName) else { return false }
  return CGImageMetadataSetValueWithPath(metadata, nil, path, value)
}

/// Which property of XMP a key of Image I/O's is (XMP's specification, part 2, and EXIF 2.32 for XMP).
private enum MatchingProperty {
  static func path(_ dictionary: CFString, _ key: CFString) -> CFString? {
    switch dictionary {
    case kCGImagePropertyTIFFDictionary:
      tiff[key] ?? (ImageProperty.tiff.contains { $0.name == key } ? "tiff:\(key)" : nil)
    case kCGImagePropertyExifDictionary:
      exif[key] ?? (ImageProperty.exif.contains { $0.name == key } ? "exif:\(key)" : nil)
    case kCGImagePropertyGPSDictionary:
      ImageProperty.gps.contains { $0.name == key } && key != kCGImagePropertyGPSVersion
        ? "exif:GPS\(key)" : nil
    case kCGImagePropertyIPTCDictionary: iptc[key]
    default: nil
    }
  }

  private static let tiff: [String: String] = [
    kCGImagePropertyTIFFArtist: "dc:creator", kCGImagePropertyTIFFCopyright: "dc:rights",
    kCGImagePropertyTIFFImageDescription: "dc:description",
    kCGImagePropertyTIFFSoftware: "xmp:CreatorTool", kCGImagePropertyTIFFDateTime: "xmp:ModifyDate",
  ]

  private static let exif: [String: String] = [
    kCGImagePropertyExifLensModel: "exifEX:LensModel",
    kCGImagePropertyExifLensMake: "exifEX:LensMake",
    kCGImagePropertyExifLensSpecification: "exifEX:LensSpecification",
    kCGImagePropertyExifLensSerialNumber: "exifEX:LensSerialNumber",
    kCGImagePropertyExifBodySerialNumber: "exifEX:BodySerialNumber",
    kCGImagePropertyExifCameraOwnerName: "exifEX:CameraOwnerName",
    kCGImagePropertyExifDateTimeDigitized: "xmp:CreateDate",
    kCGImagePropertyExifFlashPixVersion: "exif:FlashpixVersion",
    kCGImagePropertyExifFocalLenIn35mmFilm: "exif:FocalLengthIn35mmFilm",
    kCGImagePropertyExifSubjectDistRange: "exif:SubjectDistanceRange",
  ]

  private static let iptc: [String: String] = [
    kCGImagePropertyIPTCKeywords: "dc:subject",
    kCGImagePropertyIPTCCaptionAbstract: "dc:description",
  ]
}
