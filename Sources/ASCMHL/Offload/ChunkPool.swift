import Dispatch
import Synchronization

/// A fixed amount of memory between the reader of a card and the writers. When the slowest disk holds
/// all of it, reading waits.
final class ChunkPool: Sendable {
  /// A piece of a file. It goes back to the pool when its last user lets go of it.
  final class Chunk: Sendable {
    private let pool: ChunkPool
    /// Written by the reader alone, before anybody else has the chunk.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer
    private let count: Int

    fileprivate init(
      _ pool: ChunkPool, _ memory: UnsafeMutableRawBufferPointer, _ count: Int
    ) {
      (self.pool, self.memory, self.count) = (pool, memory, count)
    }

    deinit { pool.give(back: memory) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }
  }

  /// Unchecked: a pointer is not Sendable, but memory belongs to the pool or to one chunk at a time.
  private struct Memory: @unchecked Sendable {
    var bytes: UnsafeMutableRawBufferPointer
  }

  static let chunkSize = 1 << 20
  private let free: Mutex<[Memory]>
  private let available: DispatchSemaphore

  init(count: Int) {
    free = Mutex(
      (0..<count).map { _ in
        Memory(bytes: .allocate(byteCount: Self.chunkSize, alignment: 4096))
      })
    available = DispatchSemaphore(value: count)
  }

  deinit { free.withLock { for memory in $0 { memory.bytes.deallocate() } } }

  /// A chunk that `fill` writes into, and tells how much; waits until memory is free.
  ///
  /// - Returns: nil where `fill` wrote nothing.
  func chunk(
    _ fill: (UnsafeMutableRawBufferPointer) throws(ASCMHLError) -> Int
  ) throws(ASCMHLError) -> Chunk? {
    available.wait()
    guard let memory = free.withLock({ $0.popLast() })?.bytes else { return nil }
    do throws(ASCMHLError) {
      let count = try fill(memory)
      if count > 0 { return Chunk(self, memory, count) }
      give(back: memory)
      return nil
    } catch {
      give(back: memory)
      throw error
    }
  }

  private func give(back memory: UnsafeMutableRawBufferPointer) {
    let memory = Memory(bytes: memory)
    free.withLock { $0.append(memory) }
    available.signal()
  }
}
