// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// What a stream of facts holds.
public typealias CMMetadataFormatDescription = FormatDescription
/// A way in which facts lie in samples.
public typealias CMMetadataFormatType = FourCharCode

/// Each fact in a box of its own, `mebx`.
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// The key space and the key of a fact, in a specification.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier = "MetadataIdentifier"
/// The type of a fact's values, in a specification.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType = "MetadataDataType"
/// The language of a fact's text, in a specification; not written.
public let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag =
  "MetadataExtendedLanguageTag"

/// Bytes of no known meaning.
public let kCMMetadataBaseDataType_RawData = "com.apple.metadata.datatype.raw-data"
/// A signed number of 8 bits.
public let kCMMetadataBaseDataType_SInt8 = "com.apple.metadata.datatype.int8"
/// A signed number of 16 bits.
public let kCMMetadataBaseDataType_SInt16 = "com.apple.metadata.datatype.int16"
/// A signed number of 32 bits.
public let kCMMetadataBaseDataType_SInt32 = "com.apple.metadata.datatype.int32"
/// A signed number of 64 bits.
public let kCMMetadataBaseDataType_SInt64 = "com.apple.metadata.datatype.int64"
/// A number of 8 bits.
public let kCMMetadataBaseDataType_UInt8 = "com.apple.metadata.datatype.uint8"
/// A number of 16 bits.
public let kCMMetadataBaseDataType_UInt16 = "com.apple.metadata.datatype.uint16"
/// A number of 32 bits.
public let kCMMetadataBaseDataType_UInt32 = "com.apple.metadata.datatype.uint32"
/// A number of 64 bits.
public let kCMMetadataBaseDataType_UInt64 = "com.apple.metadata.datatype.uint64"
/// A floating-point number of 32 bits.
public let kCMMetadataBaseDataType_Float32 = "com.apple.metadata.datatype.float32"
/// A floating-point number of 64 bits.
public let kCMMetadataBaseDataType_Float64 = "com.apple.metadata.datatype.float64"
/// A rectangle: origin and size as four floating-point numbers of 32 bits.
public let kCMMetadataBaseDataType_RectF32 = "com.apple.metadata.datatype.rectf32"
/// A place by ISO 6709, as text.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 =
  "com.apple.metadata.datatype.location.ISO6709"

/// Describes facts that a track has with their times.
///
/// - Parameters:
///   - allocator: Ignored.
///   - metadataType: ``kCMMetadataFormatType_Boxed``.
///   - metadataSpecifications: A dictionary for each, with an identifier of the QuickTime metadata key space and the
///     type of the values.
///   - formatDescriptionOut: Set to the description; nil if there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for another type, no specification, and one without
///   identifier or type.
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

/// The identifiers of the facts that a description names; nil for pictures, audio and timecode.
public func CMMetadataFormatDescriptionGetIdentifiers(
  _ desc: CMMetadataFormatDescription
) -> CFArray? {
  guard case .metadata(let metadata) = desc else { return nil }
  return metadata.keys.map(\.identifier)
}

extension MetadataFormatDescription.Key {
  /// A key from a dictionary of Apple's; nil without identifier or type.
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
