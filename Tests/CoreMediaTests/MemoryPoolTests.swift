import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Memory that is kept for the next block of the same size.
@Suite struct MemoryPoolTests {
  /// A clock that tests set.
  private final class Clock: Sendable {
    let seconds = Mutex(0.0)
  }

  private static var long: CFDictionary { [kCMMemoryPoolOption_AgeOutPeriod: 1e9] }

  @Test func a_freed_block_is_reused_for_the_same_size() throws {
    let pool: CMMemoryPool = CMMemoryPoolCreate(options: Self.long)
    let allocator = CMMemoryPoolGetAllocator(pool)
    #expect(allocator == CMMemoryPoolGetAllocator(pool) && allocator != kCFAllocatorSystemDefault)
    #expect(allocator != CMMemoryPoolGetAllocator(CMMemoryPoolCreate(options: nil)))
    let first = try #require(CFAllocatorAllocate(allocator, 5000, 0))
    first.initializeMemory(as: UInt8.self, repeating: 7, count: 5000)
    CFAllocatorDeallocate(allocator, first)
    #expect(pool.memory.keptByteCount == 5000)
    // Nobody else gets memory that the pool keeps.
    let other = try #require(CFAllocatorAllocate(kCFAllocatorSystemDefault, 5000, 0))
    let larger = try #require(CFAllocatorAllocate(allocator, 5001, 0))
    #expect(other != first && larger != first)
    let again = try #require(CFAllocatorAllocate(allocator, 5000, 0))
    #expect(again == first && pool.memory.keptByteCount == 0)
    #expect(UnsafeRawBufferPointer(start: again, count: 5000).allSatisfy { $0 == 0 })
    CFAllocatorDeallocate(kCFAllocatorSystemDefault, other)
    CFAllocatorDeallocate(allocator, larger)
    CFAllocatorDeallocate(allocator, again)
    CFAllocatorDeallocate(allocator, nil)
    #expect(CFAllocatorAllocate(allocator, 0, 0) == nil && pool.memory.keptByteCount == 10_001)
    CMMemoryPoolFlush(pool)
    #expect(pool.memory.keptByteCount == 0)
  }

  @Test func a_block_freed_twice_is_kept_once() throws {
    let memory = RecycledMemory(ageOutPeriod: 1e9)
    let block = try #require(memory.allocate(64))
    memory.deallocate(block)
    memory.deallocate(block)
    #expect(memory.keptByteCount == 64)
    let (first, second) = (try #require(memory.allocate(64)), try #require(memory.allocate(64)))
    #expect(first == block && second != block)
    memory.deallocate(first)
    memory.deallocate(second)
  }

  @Test func an_invalidated_pool_keeps_no_memory() throws {
    let pool = CMMemoryPoolCreate(options: Self.long)
    let allocator = CMMemoryPoolGetAllocator(pool)
    let (kept, lent) = (
      try #require(CFAllocatorAllocate(allocator, 64, 0)),
      try #require(CFAllocatorAllocate(allocator, 64, 0))
    )
    CFAllocatorDeallocate(allocator, kept)
    CMMemoryPoolInvalidate(pool)
    #expect(pool.memory.keptByteCount == 0)
    CFAllocatorDeallocate(allocator, lent)
    let late = try #require(CFAllocatorAllocate(allocator, 64, 0))
    CFAllocatorDeallocate(allocator, late)
    #expect(pool.memory.keptByteCount == 0)
  }

  @Test func memory_unused_for_the_period_is_freed_at_the_next_call() throws {
    let clock = Clock()
    let memory = RecycledMemory(ageOutPeriod: 0.5, clock: { clock.seconds.withLock { $0 } })
    let blocks = try (1...3).map { try #require(memory.allocate($0 * 100)) }
    for (index, block) in blocks.enumerated() {
      clock.seconds.withLock { $0 = Double(index) * 0.4 }
      memory.deallocate(block)
    }
    // The first block was returned 0.8 s ago, the second 0.4 s ago.
    #expect(memory.keptByteCount == 500)
    clock.seconds.withLock { $0 = 0.9 }
    memory.deallocate(try #require(memory.allocate(8)))
    #expect(memory.keptByteCount == 508)
    clock.seconds.withLock { $0 = 5 }
    #expect(memory.keptByteCount == 508)
    memory.deallocate(try #require(memory.allocate(8)))
    #expect(memory.keptByteCount == 8)
  }

  @Test func the_age_out_period_is_a_number_of_seconds() {
    #expect(RecycledMemory.usualPeriod == 0.5)
    #expect(RecycledMemory.seconds(2) == 2 && RecycledMemory.seconds(NSNumber(value: 0.25)) == 0.25)
    #expect(
      RecycledMemory.seconds(0.0) == 0 && RecycledMemory.seconds(Double.infinity) == .infinity)
    for wrong: Any in [-1.0, Double.nan, "soon"] { #expect(RecycledMemory.seconds(wrong) == nil) }
  }

  @Test func block_buffers_return_their_memory_to_the_pool() throws {
    let pool = CMMemoryPoolCreate(options: Self.long)
    do {
      let block = try CMBlockBuffer(length: 4096, allocator: CMMemoryPoolGetAllocator(pool))
      #expect(block.dataLength == 4096 && pool.memory.keptByteCount == 0)
      #expect(try block.dataBytes().allSatisfy { $0 == 0 })
    }
    #expect(pool.memory.keptByteCount == 4096)
    #expect(CFGetTypeID(pool) == CMMemoryPoolGetTypeID())
    #expect(CMMemoryPoolGetTypeID() != CMBlockBufferGetTypeID())
  }

  @Test func a_memory_pool_can_be_shared_by_threads() {
    let pool = CMMemoryPoolCreate(options: Self.long)
    let allocator = CMMemoryPoolGetAllocator(pool)
    let damage = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<500 {
        let size = Int(random.next() % 8 + 1) * 16
        guard let memory = CFAllocatorAllocate(allocator, size, 0) else { continue }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: size)
        if bytes.contains(where: { $0 != 0 }) { damage.add(1, ordering: .relaxed) }
        bytes.initializeMemory(as: UInt8.self, repeating: UInt8(thread + 1))
        if bytes.contains(where: { $0 != UInt8(thread + 1) }) { damage.add(1, ordering: .relaxed) }
        CFAllocatorDeallocate(allocator, memory)
      }
    }
    #expect(damage.load(ordering: .relaxed) == 0 && pool.memory.keptByteCount > 0)
  }
}
