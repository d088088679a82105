import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The bytes of one encoded frame and what they cost.
///
/// Filled by one thread, then only read. The memory is used again for a later frame when the last
/// reference is gone.
public final class EncodedFrame: @unchecked Sendable {
  // Sendable: fields are written by the encoder's thread before the frame is delivered, which
  // happens under a lock; afterwards nobody writes.

  /// The number that the picture was submitted with.
  public let index: Int64
  /// Nanoseconds from a thread's taking the picture to the frame's being complete.
  public internal(set) var encodeTime: Int64 = 0
  /// Nanoseconds from submission to delivery.
  public internal(set) var latency: Int64 = 0
  /// Times that the picture was encoded until the frame was within its target size.
  public internal(set) var attempts = 1
  /// Bytes of the frame.
  public private(set) var byteCount = 0
  private var block: Block
  private let pool: Pool

  fileprivate init(index: Int64, block: Block, pool: Pool) {
    self.index = index
    self.block = block
    self.pool = pool
  }

  deinit { pool.put(block) }

  /// Reads the frame; the pointer is valid during the call only.
  public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: block.address, count: byteCount))
  }

  /// Writes the frame: `body` gets room for `capacity` bytes and returns how many it used.
  func fill<Failure: Error>(
    capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    if block.capacity < capacity { block = pool.grow(block, to: capacity) }
    let used = try body(UnsafeMutableRawBufferPointer(start: block.address, count: block.capacity))
    byteCount = min(max(used, 0), block.capacity)
  }

  fileprivate struct Block: @unchecked Sendable {
    // Sendable: memory with one owner at a time, a frame or the pool's list.
    var address: UnsafeMutableRawPointer?
    var capacity: Int
  }

  /// Memory of frames that are gone, for those to come. Holds as many blocks as were ever in
  /// flight at once, which the writer bounds.
  final class Pool: Sendable {
    private let free = Mutex<[Block]>([])
    /// The large pages of x86 and, with pages of 4 KiB, of arm64.
    private static let largePage = 2 << 20

    /// A frame without bytes.
    func makeFrame(index: Int64) -> EncodedFrame {
      let block = free.withLock { $0.popLast() } ?? Block(address: nil, capacity: 0)
      return EncodedFrame(index: index, block: block, pool: self)
    }

    fileprivate func grow(_ block: Block, to capacity: Int) -> Block {
      Glibc.free(block.address)
      // A quarter more, so that growth ends after few frames. Whole pages, for direct output; large
      // ones where they fit, for which it costs the kernel half as much.
      let wanted = capacity + capacity / 4
      let page = wanted < Self.largePage ? 4096 : Self.largePage
      let rounded = (wanted + page - 1) / page * page
      var memory: UnsafeMutableRawPointer?
      guard posix_memalign(&memory, page, rounded) == 0 else {
        return Block(address: nil, capacity: 0)
      }
      if page == Self.largePage { madvise(memory, rounded, MADV_HUGEPAGE) }
      return Block(address: memory, capacity: rounded)
    }

    fileprivate func put(_ block: Block) { free.withLock { $0.append(block) } }

    deinit { free.withLock { for block in $0 { Glibc.free(block.address) } } }
  }
}
