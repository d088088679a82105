import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Picture memory of one description, used again and again.
///
/// All memory is allocated at the start, so that a recording needs none in steady state and a slow
/// consumer shows as an empty pool, never as growth.
public final class PixelBufferPool: Sendable {
  /// What the pool's pictures are.
  public let details: PixelBuffer.Description
  /// Buffers that exist.
  public let capacity: Int
  private let layout: PixelBuffer.Layout
  private let free: FreeList

  /// Allocates `capacity` buffers (at least one).
  ///
  /// - Throws: ``MediaCoreError/Code/invalidDimensions`` or ``MediaCoreError/Code/outOfMemory``.
  public init(_ details: PixelBuffer.Description, capacity: Int) throws(MediaCoreError) {
    self.details = details
    self.capacity = max(capacity, 1)
    self.layout = try PixelBuffer.Layout(details)
    self.free = FreeList()
    for _ in 0..<self.capacity { free.put(try layout.allocate()) }
  }

  /// Buffers that nobody holds now.
  public var available: Int { free.count }

  /// Memory with undefined contents; it returns to the pool when it is dropped, or when the last
  /// reference to its picture goes.
  ///
  /// - Throws: ``MediaCoreError/Code/poolExhausted`` where all are in use.
  public func makeBuffer() throws(MediaCoreError) -> MutablePixelBuffer {
    guard let memory = free.take() else {
      throw MediaCoreError(
        .poolExhausted,
        "all \(capacity) buffers of the pool (\(details.width)x\(details.height) "
          + "\(details.format)) are in use; let some go, or make the pool larger")
    }
    let owner = OwnedAddress(memory)
    do {
      return MutablePixelBuffer(
        sole: try PixelBuffer(details, planes: layout.planes(at: memory), isOwned: true) {
          [free] in free.put(owner.address)
        })
    } catch {
      free.put(memory)
      throw error
    }
  }

  /// The memory that nobody uses. It outlives the pool while buffers are still about.
  private final class FreeList: Sendable {
    private let blocks = Mutex<[OwnedAddress]>([])

    var count: Int { blocks.withLock { $0.count } }
    func take() -> UnsafeMutableRawPointer? { blocks.withLock { $0.popLast() }?.address }
    func put(_ memory: UnsafeMutableRawPointer) {
      let block = OwnedAddress(memory)
      blocks.withLock { $0.append(block) }
    }

    deinit {
      blocks.withLock { for block in $0 { Glibc.free(block.address) } }
    }
  }
}
