/// Memory that blocks of bytes refer to. It is given back when none does any more, and only then.
///
/// Unchecked: only who made a block may write to its bytes, before others have it; its source gets the
/// memory back once, on the thread that lets go of it last.
final class BlockMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let source: BlockSource

  /// Takes memory over, which its source is to free.
  init(_ bytes: UnsafeMutableRawBufferPointer, of source: BlockSource) {
    self.bytes = bytes
    self.source = source
  }

  deinit {
    if let base = bytes.baseAddress { source.free(base, bytes.count) }
  }
}
