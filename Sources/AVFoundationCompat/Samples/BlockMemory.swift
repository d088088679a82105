/// Memory of block buffers. It is freed when the last block that refers to it is released.
///
/// Unchecked: only a block's creator writes its bytes, before it passes the block on. Only `deinit`, which runs once,
/// calls the source.
final class BlockMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let source: BlockSource

  /// Takes ownership of memory that the source frees.
  init(_ bytes: UnsafeMutableRawBufferPointer, of source: BlockSource) {
    self.bytes = bytes
    self.source = source
  }

  deinit {
    if let base = bytes.baseAddress { source.free(base, bytes.count) }
  }
}
