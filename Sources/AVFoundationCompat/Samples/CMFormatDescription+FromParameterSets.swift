// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore

/// The description of H.264 or HEVC video from a stream's parameter sets; nil if a decoder cannot start with them.
private func described(
  _ codec: VideoCodecType, by sets: [[UInt8]], _ headerLength: Int
) -> CMVideoFormatDescription? {
  let isKnown = sets.allSatisfy {
    DecoderConfiguration.isParameterSet($0, of: codec)
      || DecoderConfiguration.isRemark($0, of: codec)
  }
  guard isKnown,
    let configuration = DecoderConfiguration(codec, parameterSets: sets, lengthSize: headerLength),
    let sequence = configuration.sequence, let code = MediaCore.FourCharCode(codec.rawValue)
  else { return nil }
  var video = VideoFormatDescription(
    codec: code, dimensions: sequence.dimensions, color: sequence.color,
    pixelAspectRatio: sequence.pixelAspectRatio)
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

/// Creates a description of H.264 video from the parameter sets of a stream. Size, color and pixel aspect ratio are
/// those of the first sequence parameter set. Supplemental enhancement information is accepted but dropped: the
/// description's atom cannot store it, and decoders do not need it.
///
/// - Parameters:
///   - allocator: Ignored.
///   - parameterSetCount: The number of sets: at least one sequence and one picture parameter set.
///   - parameterSetPointers: The sets, which are copied, each with its NAL unit header and no start code.
///   - parameterSetSizes: The sizes of the sets in bytes.
///   - nalUnitHeaderLength: The size in bytes of the length before each NAL unit in samples: 1, 2 or 4.
///   - formatDescriptionOut: Set to the description; nil on failure.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` if a set is missing or damaged, and for other NAL units.
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

/// Creates a description of HEVC video from its video, sequence and picture parameter sets, like
/// ``CMVideoFormatDescriptionCreateFromH264ParameterSets(allocator:parameterSetCount:parameterSetPointers:parameterSetSizes:nalUnitHeaderLength:formatDescriptionOut:)``.
/// Supplemental enhancement information is accepted; it is stored in the description's atom, but is not among the
/// sets that the description returns.
///
/// - Parameter extensions: Nil or empty: the parameter sets describe the video.
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
  /// A description of H.264 video from its parameter sets.
  ///
  /// - Parameters:
  ///   - h264ParameterSets: Sequence and picture parameter sets, without start codes. Supplemental enhancement
  ///     information is accepted but dropped.
  ///   - nalUnitHeaderLength: The size in bytes of the length before each NAL unit in samples: 1, 2 or 4.
  /// - Throws: ``AVError/Code/formatUnsupported`` if a set is missing or damaged, and for other NAL units.
  public init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
    self = try Self.described(.h264, by: h264ParameterSets, nalUnitHeaderLength)
  }

  /// A description of HEVC video from its parameter sets.
  ///
  /// - Parameters:
  ///   - hevcParameterSets: Video, sequence and picture parameter sets, without start codes. Supplemental enhancement
  ///     information is accepted and stored in the description's atom.
  ///   - nalUnitHeaderLength: The size in bytes of the length before each NAL unit in samples: 1, 2 or 4.
  ///   - extensions: Nil or empty: the parameter sets describe the video.
  /// - Throws: Same as ``init(h264ParameterSets:nalUnitHeaderLength:)``, and for extensions.
  public init(
    hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions? = nil
  ) throws {
    guard extensions?.isEmpty != false else {
      throw AVError(
        .formatUnsupported, "extensions are not supported in a description of HEVC")
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
        "these \(sets.count) units are not valid parameter sets that a decoder of \(codec) can start"
          + " with, or nalUnitHeaderLength \(headerLength) is not 1, 2 or 4")
    }
    return made
  }
}
