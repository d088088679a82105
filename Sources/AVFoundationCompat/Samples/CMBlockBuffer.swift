// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Synchronization

/// An argument of a call on a block of bytes is out of its range.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
public let kCMBlockBufferNoErr: OSStatus = 0
/// What a block of bytes is made like.
public typealias CMBlockBufferFlags = UInt32
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2

/// A block of bytes. It owns its memory, which stays where it is for as long as it is held.
///
/// Unchecked: only who made a block may write to it, before others have it.
public final class CMBlockBuffer: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  /// A block of zeros.
  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// A copy of bytes.
  convenience init(copying source: some Collection<UInt8>) {
    self.init(count: source.count)
    bytes.copyBytes(from: source)
  }

  deinit { bytes.deallocate() }

  /// Bytes of the block.
  public var dataLength: Int { bytes.count }

  /// The bytes, as a copy.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func dataBytes() throws -> Data { Data(bytes) }
}

/// A block that has a copy of memory; of zeros where there is none.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for a length or place outside of the memory.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafeRawPointer?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: inout CMBlockBuffer?
) -> OSStatus {
  blockBufferOut = nil
  guard offsetToData >= 0, dataLength >= 0, blockLength >= 0,
    offsetToData <= blockLength - dataLength
  else { return kCMBlockBufferBadLengthParameterErr }
  let block = CMBlockBuffer(count: dataLength)
  if let memoryBlock {
    block.bytes.copyMemory(
      from: UnsafeRawBufferPointer(start: memoryBlock + offsetToData, count: dataLength))
  }
  blockBufferOut = block
  return noErr
}

/// Bytes of a block.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Where a block's bytes are.
///
/// - Returns: ``kCMBlockBufferBadOffsetParameterErr`` for a place outside of it.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int,
  lengthAtOffsetOut: UnsafeMutablePointer<Int>?, totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  guard offset >= 0, offset < theBuffer.dataLength, let base = theBuffer.bytes.baseAddress else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  lengthAtOffsetOut?.pointee = theBuffer.dataLength - offset
  totalLengthOut?.pointee = theBuffer.dataLength
  dataPointerOut?.pointee = (base + offset).assumingMemoryBound(to: CChar.self)
  return noErr
}

/// Copies bytes out of a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` where it has fewer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard let range = theSourceBuffer.range(offsetToData, dataLength) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  UnsafeMutableRawBufferPointer(start: destination, count: dataLength).copyMemory(
    from: UnsafeRawBufferPointer(rebasing: theSourceBuffer.bytes[range]))
  return noErr
}

/// Copies bytes into a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` where they go beyond its end.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  guard let range = blockBuffer.range(offsetIntoDestination, dataLength) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  UnsafeMutableRawBufferPointer(rebasing: blockBuffer.bytes[range]).copyMemory(
    from: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
  return noErr
}

extension CMBlockBuffer {
  fileprivate func range(_ offset: Int, _ count: Int) -> Range<Int>? {
    guard offset >= 0, count >= 0, offset <= dataLength, count <= dataLength - offset else {
      return nil
    }
    return offset..<offset + count
  }
}
