// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
import MediaCore

/// The encoders available to sessions.
enum VideoEncoderList {
  /// The codecs that can be encoded here.
  static var codecs: [VideoCodecType] {
    VideoCodecType.allProRes + EncoderCapabilities.current.interframeCodecs
  }

  /// The identifier of a codec's encoder.
  static func identifier(of codec: VideoCodecType) -> String {
    codec.isProRes ? "native.\(codec.rawValue)" : "libavcodec.\(codec.rawValue)"
  }

  /// The codec with a four-character code; nil if it cannot be encoded here.
  static func codec(_ code: CMVideoCodecType) -> VideoCodecType? {
    codecs.first { MediaCore.FourCharCode($0.rawValue)?.rawValue == code }
  }

  /// The codec whose encoder matches a specification; nil if none does.
  static func codec(_ code: CMVideoCodecType, as specification: CFDictionary?) -> VideoCodecType? {
    guard let codec = codec(code) else { return nil }
    let key = kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder
    var reader = SettingsReader(specification ?? [:], "encoder specification")
    let processor = kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID
    guard (try? reader.flag(key)) != true, specification?[processor] == nil else { return nil }
    let wanted = specification?[kVTVideoEncoderSpecification_EncoderID] as? String
    return wanted == nil || wanted == identifier(of: codec) ? codec : nil
  }

  static func entry(_ codec: VideoCodecType) -> [String: Any] {
    let encoder = codec.isProRes ? "native" : "libavcodec"
    return [
      kVTVideoEncoderList_CodecType: MediaCore.FourCharCode(codec.rawValue)?.rawValue ?? 0,
      kVTVideoEncoderList_CodecName: codec.displayName,
      kVTVideoEncoderList_EncoderID: identifier(of: codec),
      kVTVideoEncoderList_EncoderName: "\(codec.displayName) (\(encoder))",
      kVTVideoEncoderList_DisplayName: "\(codec.displayName) (\(encoder))",
      kVTVideoEncoderList_IsHardwareAccelerated: false,
    ]
  }

  /// The properties of sessions for a codec, and their allowed values.
  static func properties(of codec: VideoCodecType) -> [String: Any] {
    var all: [String: Any] = [:]
    for property in CompressionProperties.all(of: codec) {
      var facts: [String: Any] = [
        kVTPropertyReadWriteStatusKey: property.isReadOnly
          ? kVTPropertyReadWriteStatus_ReadOnly : kVTPropertyReadWriteStatus_ReadWrite
      ]
      if let type = property.type { facts[kVTPropertyTypeKey] = type }
      if !property.names.isEmpty { facts[kVTPropertySupportedValueListKey] = property.names }
      all[property.key] = facts
    }
    return all
  }
}

/// The allowed values of a property.
public let kVTPropertySupportedValueListKey = "SupportedValueList"

/// The available encoders: ProRes, and H.264 and HEVC if libavcodec has one.
///
/// - Parameters:
///   - options: Ignored.
///   - listOfVideoEncodersOut: Set to dictionaries with keys `kVTVideoEncoderList_…`.
@discardableResult
public func VTCopyVideoEncoderList(
  _ options: CFDictionary?, _ listOfVideoEncodersOut: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  listOfVideoEncodersOut.pointee = VideoEncoderList.codecs.map(VideoEncoderList.entry)
  return noErr
}

/// The properties that sessions for a codec support.
///
/// - Parameters:
///   - width: Ignored.
///   - height: Ignored.
///   - codecType: The codec.
///   - encoderSpecification: As for `VTCompressionSessionCreate`.
///   - encoderIDOut: Set to the encoder's identifier; may be nil.
///   - supportedPropertiesOut: Set to what
///     ``VTSessionCopySupportedPropertyDictionary(_:supportedPropertyDictionaryOut:)`` gives; may be nil.
/// - Returns: ``kVTCouldNotFindVideoEncoderErr`` if there is no such encoder.
@discardableResult
public func VTCopySupportedPropertyDictionaryForEncoder(
  width: Int32, height: Int32, codecType: CMVideoCodecType, encoderSpecification: CFDictionary?,
  encoderIDOut: UnsafeMutablePointer<CFString?>?,
  supportedPropertiesOut: UnsafeMutablePointer<CFDictionary?>?
) -> OSStatus {
  guard let codec = VideoEncoderList.codec(codecType, as: encoderSpecification) else {
    return kVTCouldNotFindVideoEncoderErr
  }
  encoderIDOut?.pointee = VideoEncoderList.identifier(of: codec)
  supportedPropertiesOut?.pointee = VideoEncoderList.properties(of: codec)
  return noErr
}
