// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Seconds for which a block is kept that nobody uses, as a number; 0.5 where it is not said.
public let kCMMemoryPoolOption_AgeOutPeriod = "AgeOutPeriod"

/// Memory for blocks of bytes that are made and freed again and again: a block that is given back is kept for a while,
/// for the next one of its size.
public final class CMMemoryPool: Sendable {
  let memory: RecycledMemory

  init(_ memory: RecycledMemory) { self.memory = memory }
}

/// Makes a pool of memory.
///
/// There is no timer: what was kept for longer than the period is freed when the pool's allocator is used again, and
/// when the last user of the allocator has gone.
///
/// - Parameter options: ``kCMMemoryPoolOption_AgeOutPeriod``; nil for what is usual.
public func CMMemoryPoolCreate(options: CFDictionary?) -> CMMemoryPool {
  let period = (options?[kCMMemoryPoolOption_AgeOutPeriod]).flatMap(RecycledMemory.seconds)
  return CMMemoryPool(RecycledMemory(ageOutPeriod: period ?? RecycledMemory.usualPeriod))
}

/// The allocator that gives out a pool's memory, and takes it back. It works for as long as somebody holds it, also
/// without the pool.
public func CMMemoryPoolGetAllocator(_ pool: CMMemoryPool) -> CFAllocator {
  CFAllocator(kind: .pool(pool.memory))
}

/// Frees what a pool keeps and nobody uses.
public func CMMemoryPoolFlush(_ pool: CMMemoryPool) { pool.memory.flush() }

/// Frees what a pool keeps and nobody uses; from now on its allocator keeps nothing.
public func CMMemoryPoolInvalidate(_ pool: CMMemoryPool) { pool.memory.invalidate() }
