// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Bytes of a block.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// True for a block without bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.dataLength == 0 }

/// True if bytes of a block lie together in memory.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: Where the bytes begin.
///   - length: How many they are; 0 for all that follow.
/// - Returns: False also for bytes that the block has not.
public func CMBlockBufferIsRangeContiguous(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool {
  do throws(BlockFailure) {
    let length = try length == 0 ? theBuffer.length(from: offset) : length
    return try theBuffer.run(offset, length) != nil
  } catch { return false }
}

/// Where a block's bytes are. The address is good for as long as the block is held, or another one that
/// refers to the same memory.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: The place in the block.
///   - lengthAtOffsetOut: Set to the bytes that lie together from there; in a block of several pieces they
///     may be fewer than the rest.
///   - totalLengthOut: Set to the bytes of the block.
///   - dataPointerOut: Set to the address.
/// - Returns: ``kCMBlockBufferBadOffsetParameterErr`` for a place outside of it.
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

/// Bytes of a block at one address: their own where they lie together, else a copy's.
///
/// - Parameters:
///   - theBuffer: The block.
///   - offset: Where the bytes begin.
///   - length: How many they are.
///   - temporaryBlock: Room for as many, which a copy is made to.
///   - returnedPointerOut: Set to the address.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for bytes that the block has not.
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

/// Copies bytes out of a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` where it has fewer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try theSourceBuffer.copy(offsetToData, dataLength, to: destination)
  }
}

/// Copies bytes into the memory of a block.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` where they go beyond its end; then nothing is copied.
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

/// Sets bytes of a block's memory to one value.
///
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for bytes outside of it; then nothing is set.
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
