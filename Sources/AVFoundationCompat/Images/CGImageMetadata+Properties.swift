// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import PhotoDevelopment

/// Option of ``CGImageMetadataEnumerateTagsUsingBlock(_:_:_:_:)``: whether to enumerate parts of properties too. Has no
/// effect: a list is passed as a whole.
public let kCGImageMetadataEnumerateRecursively: CFString = "kCGImageMetadataEnumerateRecursively"

/// Calls a block with each property and its path, until it returns false.
///
/// - Parameters:
///   - metadata: The properties.
///   - rootPath: Nil for all properties, or the path of one.
///   - options: Ignored.
///   - block: Receives a path such as `tiff:Make`, and the property.
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

/// The XMP property that corresponds to a TIFF, EXIF, GPS or IPTC key; nil if it is not set or the key has none.
public func CGImageMetadataCopyTagMatchingImageProperty(
  _ metadata: CGImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString
) -> CGImageMetadataTag? {
  MatchingProperty.path(dictionaryName, propertyName).flatMap(metadata.tag)
}

/// Sets the XMP property that corresponds to a TIFF, EXIF, GPS or IPTC key; false if the key has none, or for a value
/// type that ``CGImageMetadataSetValueWithPath(_:_:_:_:)`` does not accept.
@discardableResult
public func CGImageMetadataSetValueMatchingImageProperty(
  _ metadata: CGMutableImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString,
  _ value: CFTypeRef
) -> Bool {
  guard let path = MatchingProperty.path(dictionaryName, propertyName) else { return false }
  return CGImageMetadataSetValueWithPath(metadata, nil, path, value)
}

/// Maps Image I/O keys to XMP properties (XMP specification, part 2, and EXIF 2.32 for XMP).
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
