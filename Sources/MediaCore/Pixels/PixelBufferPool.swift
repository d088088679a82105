import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Memory for frames of one description, reused again and again.
///
/// All memory is allocated at the start, so that a recording needs none in steady state and a slow
/// consumer shows as an empty pool, never as growth.
public final class PixelBufferPool: Sendable {
  /// The description of the pool's frames.
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
  /// reference to its frame goes.
  ///
  /// - Throws: ``MediaCoreError/Code/poolExhausted`` where all are in use.
  public func makeBuffer() throws(MediaCoreError) -> MutablePixelBuffer {
    guard let memory = free.take() else { throw exhaustion }
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

  /// Memory beside the pool's own, with undefined contents, which goes when it is dropped, or with the last
  /// reference to its frame.
  ///
  /// - Parameter limit: How many buffers there may be, the pool's own among them.
  /// - Throws: ``MediaCoreError/Code/poolExhausted`` where there are as many,
  ///   ``MediaCoreError/Code/outOfMemory``.
  package func makeExtraBuffer(limit: Int) throws(MediaCoreError) -> MutablePixelBuffer {
    guard free.addExtra(beside: capacity, limit: limit) else { throw exhaustion }
    do throws(MediaCoreError) {
      let owner = OwnedAddress(try layout.allocate())
      do throws(MediaCoreError) {
        return MutablePixelBuffer(
          sole: try PixelBuffer(details, planes: layout.planes(at: owner.address), isOwned: true) {
            [free] in free.dropExtra(owner.address)
          })
      } catch {
        Glibc.free(owner.address)
        throw error
      }
    } catch {
      free.removeExtra()
      throw error
    }
  }

  private var exhaustion: MediaCoreError {
    MediaCoreError(
      .poolExhausted,
      "all \(capacity) buffers of the pool (\(details.width)x\(details.height) "
        + "\(details.format)) are in use; release some, or make the pool larger")
  }

  /// The memory that nobody uses. It outlives the pool while buffers are still about.
  private final class FreeList: Sendable {
    private let blocks = Mutex<[OwnedAddress]>([])
    /// Buffers beside the pool's own that somebody holds.
    private let extras = Mutex(0)

    var count: Int { blocks.withLock { $0.count } }
    func take() -> UnsafeMutableRawPointer? { blocks.withLock { $0.popLast() }?.address }
    func put(_ memory: UnsafeMutableRawPointer) {
      let block = OwnedAddress(memory)
      blocks.withLock { $0.append(block) }
    }

    /// Counts one more buffer; false where there are as many as there may be.
    func addExtra(beside capacity: Int, limit: Int) -> Bool {
      extras.withLock { count in
        guard capacity + count < limit else { return false }
        count += 1
        return true
      }
    }
    func removeExtra() { extras.withLock { $0 -= 1 } }
    func dropExtra(_ memory: UnsafeMutableRawPointer) {
      Glibc.free(memory)
      removeExtra()
    }

    deinit {
      blocks.withLock { for block in $0 { Glibc.free(block.address) } }
    }
  }
}
