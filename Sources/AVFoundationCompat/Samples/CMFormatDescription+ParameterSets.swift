// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore
import Synchronization

extension VideoFormatDescription {
  /// H.264 or HEVC, also where parameter sets may be among the pictures; nil for other pictures.
  var interframeCodec: VideoCodecType? {
    switch mediaSubType {
    case "avc1", "avc3": .h264
    case "hvc1", "hev1": .hevc
    default: nil
    }
  }

  /// What a decoder of H.264 or HEVC is told before the first picture; nil for other pictures, and where it is told
  /// nothing.
  var decoder: DecoderConfiguration? {
    interframeCodec.flatMap { DecoderConfiguration($0, record: decoderConfiguration) }
  }
}

/// Parameter sets at addresses that never change, as Core Media's functions promise. Nothing is freed: a program has a
/// handful of them.
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

/// What was asked for is not known.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// One of the parameter sets of H.264, and how its pictures are cut into units.
///
/// - Parameters:
///   - videoDesc: What the pictures are, of a sample that an encoder gave, or made of parameter sets.
///   - parameterSetIndex: 0 for the first one.
///   - parameterSetPointerOut: Set to its address, which is good forever; nil for not asked.
///   - parameterSetSizeOut: Set to its bytes.
///   - parameterSetCountOut: Set to how many there are.
///   - nalUnitHeaderLengthOut: Set to the bytes of the length before each unit: 4 where an encoder here gave it.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for other pictures,
///   ``kCMFormatDescriptionError_ValueNotAvailable`` for another index.
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

/// One of the parameter sets of HEVC, as
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
  /// The parameter sets of H.264 and HEVC, in the order in which a decoder needs them; empty for other samples.
  public var parameterSets: [Data] {
    guard case .video(let video) = self else { return [] }
    return video.decoder?.parameterSets.map { Data($0) } ?? []
  }

  /// Bytes of the length before each unit of H.264 and HEVC; 0 for other samples.
  public var nalUnitHeaderLength: Int {
    guard case .video(let video) = self else { return 0 }
    return video.decoder?.lengthSize ?? 0
  }
}
