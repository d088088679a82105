import Dispatch
import MediaCore
import Synchronization

/// A fixed amount of memory shared by the reader of a card and the writers. When the slowest writer
/// holds all of it, the reader waits.
final class ChunkPool: Sendable {
  /// A piece of a file. Its memory returns to the pool on deinit.
  final class Chunk: Sendable {
    private let pool: ChunkPool
    private let memory: OwnedAddress
    private let count: Int

    fileprivate init(_ pool: ChunkPool, _ memory: OwnedAddress, _ count: Int) {
      (self.pool, self.memory, self.count) = (pool, memory, count)
    }

    deinit { pool.give(back: memory) }

    var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: memory.address, count: count)
    }
  }

  static let chunkSize = 1 << 20
  private let free: Mutex<[OwnedAddress]>
  private let available: DispatchSemaphore

  init(count: Int) {
    free = Mutex(
      (0..<count).map { _ in
        OwnedAddress(.allocate(byteCount: Self.chunkSize, alignment: 4096))
      })
    available = DispatchSemaphore(value: count)
  }

  deinit { free.withLock { for memory in $0 { memory.address.deallocate() } } }

  /// Waits for free memory, and returns a chunk that `fill` has written into. `fill` returns the
  /// number of bytes written.
  ///
  /// - Returns: nil if `fill` wrote nothing.
  func chunk(
    _ fill: (UnsafeMutableRawBufferPointer) throws(ASCMHLError) -> Int
  ) throws(ASCMHLError) -> Chunk? {
    available.wait()
    guard let memory = free.withLock({ $0.popLast() }) else { return nil }
    do throws(ASCMHLError) {
      let count = try fill(
        UnsafeMutableRawBufferPointer(start: memory.address, count: Self.chunkSize))
      if count > 0 { return Chunk(self, memory, count) }
      give(back: memory)
      return nil
    } catch {
      give(back: memory)
      throw error
    }
  }

  private func give(back memory: OwnedAddress) {
    free.withLock { $0.append(memory) }
    available.signal()
  }
}
