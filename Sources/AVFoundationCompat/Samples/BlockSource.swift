/// Allocates and frees the memory of blocks.
struct BlockSource {
  /// Returns memory of a size in bytes, or nil if it is exhausted. Nil if this source only frees.
  var allocate: ((Int) -> UnsafeMutableRawPointer?)?
  /// Frees memory, by its address and its size in bytes.
  let free: (UnsafeMutableRawPointer, Int) -> Void
}

extension BlockSource {
  /// A source that uses an allocator.
  init(_ allocator: CFAllocator?) {
    self.init(
      allocate: { CFAllocatorAllocate(allocator, $0, 0) },
      free: { memory, _ in CFAllocatorDeallocate(allocator, memory) })
  }

  /// A source that uses a program's functions, or an allocator if there are none.
  init(
    _ allocator: CFAllocator?, _ custom: UnsafePointer<CMBlockBufferCustomBlockSource>?
  ) throws(BlockFailure) {
    guard let custom = custom?.pointee else {
      self.init(allocator)
      return
    }
    guard custom.version == kCMBlockBufferCustomBlockSourceVersion else { throw .unusableSource }
    let refCon = custom.refCon
    self.init(
      allocate: custom.AllocateBlock.map { allocate in { allocate(refCon, $0) } },
      free: { custom.FreeBlock?(refCon, $0, $1) })
  }
}
