// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The size of a block in bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// True for a block without bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.dataLength == 0 }

/// True if bytes of a block are contiguous in memory.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: The offset of the first byte.
///   - length: The number of bytes; 0 for all that follow.
/// - Returns: False also if the range is outside of the block.
public func CMBlockBufferIsRangeContiguous(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool {
  do throws(BlockFailure) {
    let length = try length == 0 ? theBuffer.length(from: offset) : length
    return try theBuffer.run(offset, length) != nil
  } catch { return false }
}

/// The address of a block's bytes. It is valid as long as the block, or another one that refers to the same memory,
/// is retained.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: The offset in the block.
///   - lengthAtOffsetOut: Set to the number of contiguous bytes from there, which may be less than the rest in a
///     block of several pieces.
///   - totalLengthOut: Set to the size of the block.
///   - dataPointerOut: Set to the address.
/// - Returns: ``kCMBlockBufferBadOffsetParameterErr`` for an offset outside of the block.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int,
  lengthAtOffsetOut: UnsafeMutablePointer<Int>?, totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    let run = try theBuffer.run(at: offset)
    lengthAtOffsetOut?.pointee = run.count
    totalLengthOut?.pointee = theBuffer.dataLength
    dataPointerOut?.pointee = run.baseAddress?.assumingMemoryBound(to: CChar.self)
  }
}

/// Contiguous bytes of a block: in place if possible, otherwise copied.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: The offset of the first byte.
///   - length: The number of bytes.
///   - temporaryBlock: Memory for a copy of that size.
///   - returnedPointerOut: Set to the address of the bytes.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for a range outside of the block.
@discardableResult
public func CMBlockBufferAccessDataBytes(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int,
  temporaryBlock: UnsafeMutableRawPointer,
  returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
  returnedPointerOut.pointee = nil
  return BlockFailure.status { () throws(BlockFailure) in
    let run = try theBuffer.run(offset, length)
    if run == nil { try theBuffer.copy(offset, length, to: temporaryBlock) }
    let address = run?.baseAddress ?? temporaryBlock
    returnedPointerOut.pointee = address.assumingMemoryBound(to: CChar.self)
  }
}

/// Copies bytes from a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` if the block has fewer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try theSourceBuffer.copy(offsetToData, dataLength, to: destination)
  }
}

/// Copies bytes to the memory of a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` if they exceed its end, in which case nothing is copied.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try blockBuffer.visit(offsetIntoDestination, dataLength) { bytes, done in
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: sourceBytes + done, count: bytes.count))
    }
  }
}

/// Sets bytes of a block to a value.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for a range outside of the block, in which case nothing is set.
@discardableResult
public func CMBlockBufferFillDataBytes(
  with fillByte: Int8, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try destinationBuffer.visit(offsetIntoDestination, dataLength) { bytes, _ in
      _ = bytes.initializeMemory(as: UInt8.self, repeating: UInt8(bitPattern: fillByte))
    }
  }
}
