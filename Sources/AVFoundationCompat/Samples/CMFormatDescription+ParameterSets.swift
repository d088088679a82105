// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore
import Synchronization

extension VideoFormatDescription {
  /// H.264 or HEVC, including variants with in-band parameter sets; nil for other codecs.
  var interframeCodec: VideoCodecType? {
    switch mediaSubType {
    case "avc1", "avc3": .h264
    case "hvc1", "hev1": .hevc
    default: nil
    }
  }

  /// The decoder configuration of H.264 or HEVC; nil for other codecs, or if there is none.
  var decoder: DecoderConfiguration? {
    interframeCodec.flatMap { DecoderConfiguration($0, record: decoderConfiguration) }
  }
}

/// Parameter sets at addresses that stay valid, as Core Media's functions promise. They are never freed, because a
/// program has only a few.
private let lastingSets = Mutex<[[UInt8]: UInt]>([:])

private func lastingAddress(of set: [UInt8]) -> UnsafePointer<UInt8>? {
  let bits = lastingSets.withLock { sets in
    if let known = sets[set] { return known }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(set.count, 1))
    memory.update(from: set, count: set.count)
    sets[set] = UInt(bitPattern: memory)
    return UInt(bitPattern: memory)
  }
  return UnsafePointer(bitPattern: bits)
}

private func parameterSet(
  _ videoDesc: CMFormatDescription, _ codec: VideoCodecType, _ index: Int,
  _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
  _ count: UnsafeMutablePointer<Int>?, _ headerLength: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  guard case .video(let video) = videoDesc, video.interframeCodec == codec,
    let decoder = video.decoder
  else { return kCMFormatDescriptionError_InvalidParameter }
  count?.pointee = decoder.parameterSets.count
  headerLength?.pointee = Int32(decoder.lengthSize)
  guard pointer != nil || size != nil else { return noErr }
  guard decoder.parameterSets.indices.contains(index) else {
    return kCMFormatDescriptionError_ValueNotAvailable
  }
  let set = decoder.parameterSets[index]
  pointer?.pointee = lastingAddress(of: set)
  size?.pointee = set.count
  return noErr
}

/// The requested value is unknown.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// A parameter set of H.264 video, and the size of NAL unit lengths.
///
/// - Parameters:
///   - videoDesc: The description of an encoder's samples, or one made from parameter sets.
///   - parameterSetIndex: The index, from 0.
///   - parameterSetPointerOut: Set to the address of the set, which stays valid; may be nil.
///   - parameterSetSizeOut: Set to its size in bytes.
///   - parameterSetCountOut: Set to the number of sets.
///   - nalUnitHeaderLengthOut: Set to the size in bytes of the length before each NAL unit: 4 from encoders here.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for another codec,
///   ``kCMFormatDescriptionError_ValueNotAvailable`` for an index out of range.
@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  parameterSet(
    videoDesc, .h264, parameterSetIndex, parameterSetPointerOut,
    parameterSetSizeOut, parameterSetCountOut, nalUnitHeaderLengthOut)
}

/// A parameter set of HEVC video, like
/// ``CMVideoFormatDescriptionGetH264ParameterSetAtIndex(_:parameterSetIndex:parameterSetPointerOut:parameterSetSizeOut:parameterSetCountOut:nalUnitHeaderLengthOut:)``.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  parameterSet(
    videoDesc, .hevc, parameterSetIndex, parameterSetPointerOut,
    parameterSetSizeOut, parameterSetCountOut, nalUnitHeaderLengthOut)
}

extension FormatDescription {
  /// The parameter sets of H.264 and HEVC, in the order that a decoder needs; empty for other codecs.
  public var parameterSets: [Data] {
    guard case .video(let video) = self else { return [] }
    return video.decoder?.parameterSets.map { Data($0) } ?? []
  }

  /// The size in bytes of the length before each NAL unit of H.264 and HEVC; 0 for other codecs.
  public var nalUnitHeaderLength: Int {
    guard case .video(let video) = self else { return 0 }
    return video.decoder?.lengthSize ?? 0
  }
}
