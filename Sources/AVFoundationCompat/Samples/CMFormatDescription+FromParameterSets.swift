// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore

/// What pictures of H.264 or HEVC are, from the parameter sets that a program received; nil for those that no decoder
/// can begin with.
private func described(
  _ codec: VideoCodecType, by sets: [[UInt8]], _ headerLength: Int
) -> CMVideoFormatDescription? {
  let isKnown = sets.allSatisfy {
    DecoderConfiguration.isParameterSet($0, of: codec)
      || DecoderConfiguration.isRemark($0, of: codec)
  }
  guard isKnown,
    let configuration = DecoderConfiguration(codec, parameterSets: sets, lengthSize: headerLength),
    let pictures = configuration.sequence, let code = MediaCore.FourCharCode(codec.rawValue)
  else { return nil }
  var video = VideoFormatDescription(
    codec: code, dimensions: pictures.dimensions, color: pictures.color,
    pixelAspectRatio: pictures.pixelAspectRatio)
  video.decoderConfiguration = configuration.record
  return .video(video)
}

private func make(
  _ codec: VideoCodecType, _ count: Int, _ pointers: UnsafePointer<UnsafePointer<UInt8>>,
  _ sizes: UnsafePointer<Int>, _ headerLength: Int32,
  _ made: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  made.pointee = nil
  guard (1...0xFF).contains(count), (0..<count).allSatisfy({ (1...0xFFFF).contains(sizes[$0]) })
  else { return kCMFormatDescriptionError_InvalidParameter }
  let sets = (0..<count).map { index in
    Array(UnsafeBufferPointer(start: pointers[index], count: sizes[index]))
  }
  made.pointee = described(codec, by: sets, Int(headerLength))
  return made.pointee == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}

/// Describes pictures of H.264 by their parameter sets, as streams bring them: size, color and the shape of a pixel are
/// those that the first sequence parameter set says. Supplemental enhancement information may be among them and is left
/// out: the description's atom has no place for it, and a decoder can do without.
///
/// - Parameters:
///   - allocator: Ignored.
///   - parameterSetCount: Sets: one or more for the sequence, and one or more for pictures.
///   - parameterSetPointers: Their addresses; they are copied. Each has its unit's header, and no start code.
///   - parameterSetSizes: Their bytes.
///   - nalUnitHeaderLength: Bytes of the length before each unit of the samples: 1, 2 or 4.
///   - formatDescriptionOut: Set to the description; nil if there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` where a set is missing or damaged, and for another unit
///   than these.
@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int,
  parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
  nalUnitHeaderLength: Int32, formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  make(
    .h264, parameterSetCount, parameterSetPointers, parameterSetSizes, nalUnitHeaderLength,
    formatDescriptionOut)
}

/// Describes pictures of HEVC by their parameter sets, as
/// ``CMVideoFormatDescriptionCreateFromH264ParameterSets(allocator:parameterSetCount:parameterSetPointers:parameterSetSizes:nalUnitHeaderLength:formatDescriptionOut:)``:
/// of the stream, of the sequence and of pictures. Supplemental enhancement information may be among them; it goes
/// into the description's atom, and is not among the sets that the description gives back.
///
/// - Parameter extensions: Nil or empty: what is known of the pictures is in the sets.
@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int,
  parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
  nalUnitHeaderLength: Int32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard extensions?.isEmpty != false else { return kCMFormatDescriptionError_InvalidParameter }
  return make(
    .hevc, parameterSetCount, parameterSetPointers, parameterSetSizes, nalUnitHeaderLength,
    formatDescriptionOut)
}

extension FormatDescription {
  /// The description of pictures of H.264 by their parameter sets.
  ///
  /// - Parameters:
  ///   - h264ParameterSets: Of the sequence and of pictures, without start codes; supplemental enhancement information
  ///     may be among them, and is left out.
  ///   - nalUnitHeaderLength: Bytes of the length before each unit of the samples: 1, 2 or 4.
  /// - Throws: ``AVError/Code/formatUnsupported`` where a set is missing or damaged, and for another unit than these.
  public init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
    self = try Self.described(.h264, by: h264ParameterSets, nalUnitHeaderLength)
  }

  /// The description of pictures of HEVC by their parameter sets.
  ///
  /// - Parameters:
  ///   - hevcParameterSets: Of the stream, of the sequence and of pictures, without start codes; supplemental
  ///     enhancement information may be among them, and goes into the description's atom.
  ///   - nalUnitHeaderLength: Bytes of the length before each unit of the samples: 1, 2 or 4.
  ///   - extensions: Nil or empty: what is known of the pictures is in the sets.
  /// - Throws: As ``init(h264ParameterSets:nalUnitHeaderLength:)``, and for extensions.
  public init(
    hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions? = nil
  ) throws {
    guard extensions?.isEmpty != false else {
      throw AVError(
        .formatUnsupported, "a description of HEVC is made of parameter sets, without extensions")
    }
    self = try Self.described(.hevc, by: hevcParameterSets, nalUnitHeaderLength)
  }

  private static func described(
    _ codec: VideoCodecType, by sets: [Data], _ headerLength: Int
  ) throws(AVError) -> FormatDescription {
    let made = AVFoundationCompat.described(codec, by: sets.map { [UInt8]($0) }, headerLength)
    guard let made else {
      throw AVError(
        .formatUnsupported,
        "these \(sets.count) units are not sound parameter sets that a decoder of \(codec) can begin"
          + " with, or lengths of \(headerLength) bytes are not 1, 2 or 4")
    }
    return made
  }
}
