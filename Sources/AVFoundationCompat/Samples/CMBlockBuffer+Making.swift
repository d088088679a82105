// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// An empty block, to be added to.
@discardableResult
public func CMBlockBufferCreateEmpty(
  allocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = CMBlockBuffer()
  return kCMBlockBufferNoErr
}

/// A block that refers to memory, which it takes over; without memory to zeros of its own.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - memoryBlock: The memory, not copied; nil to have `blockAllocator` or `customBlockSource` give out
///     some, at once whatever the flags say.
///   - blockLength: The memory's size in bytes, at least 1.
///   - blockAllocator: Frees the memory when the last block that refers to it goes away: nil and
///     ``kCFAllocatorDefault`` by `free`. With ``kCFAllocatorNull`` it stays the program's, which keeps
///     it until then.
///   - customBlockSource: In place of `blockAllocator`: its `FreeBlock` is called once.
///   - offsetToData: Where in the memory the block begins.
///   - dataLength: Bytes of the block.
///   - flags: Ignored.
///   - blockBufferOut: Set to the block, or to nil.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for an empty memory, or a length or place outside of
///   it, ``kCMBlockBufferBadCustomBlockSourceErr`` for a source of another version, or one that has to give
///   out memory and has no `AllocateBlock`, ``kCMBlockBufferBlockAllocationFailedErr`` without memory.
///   After each of these `memoryBlock` is still the program's to free.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?,
  blockLength: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  let block = CMBlockBuffer()
  let status = CMBlockBufferAppendMemoryBlock(
    block, memoryBlock: memoryBlock, length: blockLength, blockAllocator: blockAllocator,
    customBlockSource: customBlockSource, offsetToData: offsetToData, dataLength: dataLength,
    flags: flags)
  if status == kCMBlockBufferNoErr { blockBufferOut.pointee = block }
  return status
}

/// A block that refers to what another one refers to, in part or as a whole.
///
/// - Returns: As
///   ``CMBlockBufferAppendBufferReference(_:targetBBuf:offsetToData:dataLength:flags:)``.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
  allocator structureAllocator: CFAllocator?, referenceBuffer: CMBlockBuffer, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  let block = CMBlockBuffer()
  let status = CMBlockBufferAppendBufferReference(
    block, targetBBuf: referenceBuffer, offsetToData: offsetToData, dataLength: dataLength,
    flags: flags)
  if status == kCMBlockBufferNoErr { blockBufferOut.pointee = block }
  return status
}

/// A block whose bytes lie together: it refers to another one's where those do, else it is a copy.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - sourceBuffer: The block that has the bytes.
///   - blockAllocator: Gives out the memory of a copy, and frees it.
///   - customBlockSource: In place of `blockAllocator`.
///   - offsetToData: Where in the source the bytes begin.
///   - dataLength: How many they are; 0 for all that follow.
///   - flags: ``kCMBlockBufferAlwaysCopyDataFlag`` for a copy in any case.
///   - blockBufferOut: Set to the block, or to nil.
/// - Returns: ``kCMBlockBufferEmptyBBufErr`` for no bytes, ``kCMBlockBufferBadOffsetParameterErr`` or
///   ``kCMBlockBufferBadLengthParameterErr`` for bytes that the source has not, else as
///   ``CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:)``.
@discardableResult
public func CMBlockBufferCreateContiguous(
  allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  return BlockFailure.status { () throws(BlockFailure) in
    blockBufferOut.pointee = try sourceBuffer.contiguous(
      offsetToData, dataLength, BlockSource(blockAllocator, customBlockSource), flags)
  }
}

/// Adds memory to a block, as
/// ``CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:)``
/// takes it over.
///
/// - Returns: As that.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
  _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try theBuffer.append(
      memoryBlock, length: blockLength, of: BlockSource(blockAllocator, customBlockSource),
      offset: offsetToData, count: dataLength)
  }
}

/// Adds what another block refers to, without a copy.
///
/// - Parameters:
///   - theBuffer: The block that is added to.
///   - targetBBuf: The block that is referred to, as it is now.
///   - offsetToData: Where in that the bytes begin.
///   - dataLength: How many they are; 0 for all that follow.
///   - flags: ``kCMBlockBufferPermitEmptyReferenceFlag`` to add nothing where there is nothing.
/// - Returns: ``kCMBlockBufferEmptyBBufErr`` for no bytes without that flag,
///   ``kCMBlockBufferBadOffsetParameterErr`` or ``kCMBlockBufferBadLengthParameterErr`` for bytes that it
///   has not.
@discardableResult
public func CMBlockBufferAppendBufferReference(
  _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try theBuffer.append(targetBBuf, offset: offsetToData, count: dataLength, flags: flags)
  }
}

/// Success: a block has its memory from the beginning.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  kCMBlockBufferNoErr
}

extension CMBlockBuffer {
  /// Bytes of a range, in one piece; a count of 0 stands for all that follow.
  func contiguous(
    _ offset: Int, _ count: Int, _ source: BlockSource, _ flags: CMBlockBufferFlags
  ) throws(BlockFailure) -> CMBlockBuffer {
    let count = try count == 0 ? length(from: offset) : count
    guard count != 0 else { throw .empty }
    let (block, run) = (CMBlockBuffer(), try self.run(offset, count))
    if run != nil, flags & kCMBlockBufferAlwaysCopyDataFlag == 0 {
      try block.append(self, offset: offset, count: count, flags: flags)
    } else {
      try block.append(nil, length: count, of: source, offset: 0, count: count)
      if let base = try block.run(at: 0).baseAddress { try copy(offset, count, to: base) }
    }
    return block
  }
}
