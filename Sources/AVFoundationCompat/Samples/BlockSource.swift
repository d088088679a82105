/// Gives out the memory of blocks, and takes it back.
struct BlockSource {
  /// Memory of a size in bytes; nil if there is none. Nil if this source only takes back.
  var allocate: ((Int) -> UnsafeMutableRawPointer?)?
  /// Takes memory back, by its address and its size in bytes.
  let free: (UnsafeMutableRawPointer, Int) -> Void
}

extension BlockSource {
  /// An allocator.
  init(_ allocator: CFAllocator?) {
    self.init(
      allocate: { CFAllocatorAllocate(allocator, $0, 0) },
      free: { memory, _ in CFAllocatorDeallocate(allocator, memory) })
  }

  /// A program's own functions, or an allocator if there are none.
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
