// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Creates an empty block, to append to.
@discardableResult
public func CMBlockBufferCreateEmpty(
  allocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = CMBlockBuffer()
  return kCMBlockBufferNoErr
}

/// Creates a block that refers to memory and takes ownership of it, or to new zeroed memory.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - memoryBlock: The memory, which is not copied; nil to allocate memory with `blockAllocator` or
///     `customBlockSource`, immediately and regardless of the flags.
///   - blockLength: The size of the memory in bytes, at least 1.
///   - blockAllocator: Frees the memory when the last block that refers to it is released; with `free` for nil or
///     ``kCFAllocatorDefault``. With ``kCFAllocatorNull`` the program keeps ownership, and must keep the memory until
///     then.
///   - customBlockSource: Replaces `blockAllocator`; its `FreeBlock` is called once.
///   - offsetToData: The offset in the memory where the block starts.
///   - dataLength: The size of the block in bytes.
///   - flags: Ignored.
///   - blockBufferOut: Set to the block; nil on failure.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for empty memory or a range outside of it,
///   ``kCMBlockBufferBadCustomBlockSourceErr`` for a source with an unsupported version, or without the
///   `AllocateBlock` that is needed, ``kCMBlockBufferBlockAllocationFailedErr`` if memory is exhausted. On failure
///   the program keeps ownership of `memoryBlock`.
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

/// Creates a block that refers to all or part of the memory of another one.
///
/// - Returns: Same as ``CMBlockBufferAppendBufferReference(_:targetBBuf:offsetToData:dataLength:flags:)``.
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

/// Creates a block with contiguous bytes: a reference to another block's if those are contiguous, otherwise a copy.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - sourceBuffer: The block with the bytes.
///   - blockAllocator: Allocates and frees the memory of a copy.
///   - customBlockSource: Replaces `blockAllocator`.
///   - offsetToData: The offset of the first byte in the source.
///   - dataLength: The number of bytes; 0 for all that follow.
///   - flags: ``kCMBlockBufferAlwaysCopyDataFlag`` to always copy.
///   - blockBufferOut: Set to the block; nil on failure.
/// - Returns: ``kCMBlockBufferEmptyBBufErr`` for no bytes, ``kCMBlockBufferBadOffsetParameterErr`` or
///   ``kCMBlockBufferBadLengthParameterErr`` for a range outside of the source; otherwise the same as
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

/// Appends memory to a block and takes ownership of it, with the parameters and results of
/// ``CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:)``.
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

/// Appends a reference to another block's memory, without copying.
///
/// - Parameters:
///   - theBuffer: The block to append to.
///   - targetBBuf: The block to refer to, in its present state.
///   - offsetToData: The offset of the first byte in that block.
///   - dataLength: The number of bytes; 0 for all that follow.
///   - flags: ``kCMBlockBufferPermitEmptyReferenceFlag`` to permit an empty reference.
/// - Returns: ``kCMBlockBufferEmptyBBufErr`` for no bytes without that flag, ``kCMBlockBufferBadOffsetParameterErr``
///   or ``kCMBlockBufferBadLengthParameterErr`` for a range outside of the block.
@discardableResult
public func CMBlockBufferAppendBufferReference(
  _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags
) -> OSStatus {
  BlockFailure.status { () throws(BlockFailure) in
    try theBuffer.append(targetBBuf, offset: offsetToData, count: dataLength, flags: flags)
  }
}

/// No effect: a block always has its memory.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  kCMBlockBufferNoErr
}

extension CMBlockBuffer {
  /// A block with the contiguous bytes of a range; a count of 0 stands for all that follow.
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
