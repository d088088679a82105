// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// The format of timed metadata.
public typealias CMMetadataFormatDescription = FormatDescription
/// The storage format of timed metadata.
public typealias CMMetadataFormatType = FourCharCode

/// Each item in a box, `mebx`.
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// Key in a specification: the key space and key of an item.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier = "MetadataIdentifier"
/// Key in a specification: the type of an item's values.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType = "MetadataDataType"
/// Key in a specification: the language of an item's text. It is not written.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag =
  "MetadataExtendedLanguageTag"

/// Bytes of unknown type.
public let kCMMetadataBaseDataType_RawData = "com.apple.metadata.datatype.raw-data"
public let kCMMetadataBaseDataType_SInt8 = "com.apple.metadata.datatype.int8"
public let kCMMetadataBaseDataType_SInt16 = "com.apple.metadata.datatype.int16"
public let kCMMetadataBaseDataType_SInt32 = "com.apple.metadata.datatype.int32"
public let kCMMetadataBaseDataType_SInt64 = "com.apple.metadata.datatype.int64"
public let kCMMetadataBaseDataType_UInt8 = "com.apple.metadata.datatype.uint8"
public let kCMMetadataBaseDataType_UInt16 = "com.apple.metadata.datatype.uint16"
public let kCMMetadataBaseDataType_UInt32 = "com.apple.metadata.datatype.uint32"
public let kCMMetadataBaseDataType_UInt64 = "com.apple.metadata.datatype.uint64"
public let kCMMetadataBaseDataType_Float32 = "com.apple.metadata.datatype.float32"
public let kCMMetadataBaseDataType_Float64 = "com.apple.metadata.datatype.float64"
/// A rectangle: origin and size as four 32-bit floats.
public let kCMMetadataBaseDataType_RectF32 = "com.apple.metadata.datatype.rectf32"
/// A location as ISO 6709 text.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 =
  "com.apple.metadata.datatype.location.ISO6709"

/// Creates a description of a track's timed metadata.
///
/// - Parameters:
///   - allocator: Ignored.
///   - metadataType: ``kCMMetadataFormatType_Boxed``.
///   - metadataSpecifications: A dictionary for each kind of item, with an identifier in the QuickTime metadata key
///     space and the type of the values.
///   - formatDescriptionOut: Set to the description; nil on failure.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for another type, for no specifications, and for one
///   without identifier or type.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
  allocator: CFAllocator?, metadataType: CMMetadataFormatType, metadataSpecifications: CFArray,
  formatDescriptionOut: inout CMMetadataFormatDescription?
) -> OSStatus {
  formatDescriptionOut = nil
  let keys = metadataSpecifications.compactMap(MetadataFormatDescription.Key.init(specification:))
  guard metadataType == kCMMetadataFormatType_Boxed, !keys.isEmpty,
    keys.count == metadataSpecifications.count
  else { return kCMFormatDescriptionError_InvalidParameter }
  formatDescriptionOut = .metadata(MetadataFormatDescription(keys: keys))
  return noErr
}

/// The identifiers of a timed metadata description; nil for video, audio and timecode.
public func CMMetadataFormatDescriptionGetIdentifiers(
  _ desc: CMMetadataFormatDescription
) -> CFArray? {
  guard case .metadata(let metadata) = desc else { return nil }
  return metadata.keys.map(\.identifier)
}

extension MetadataFormatDescription.Key {
  /// A key from one of Apple's dictionaries; nil without identifier or type.
  fileprivate init?(specification: Any) {
    var entries: [String: Any] = [:]
    switch specification {
    case let plain as [String: Any]: entries = plain
    case let native as NSDictionary:
      for (key, value) in native {
        if let name = key as? String ?? (key as? NSString)?.description { entries[name] = value }
      }
    default: return nil
    }
    func text(_ key: String) -> String? {
      switch entries[key] {
      case let text as String: text
      case let identifier as AVMetadataIdentifier: identifier.rawValue
      case let text as NSString: text.description
      default: nil
      }
    }
    guard let identifier = text(kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier),
      let type = text(kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType)
    else { return nil }
    self.init(identifier: identifier, dataType: type)
  }
}
