// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Seconds to keep an unused block, as a number; 0.5 by default.
public let kCMMemoryPoolOption_AgeOutPeriod = "AgeOutPeriod"

/// A pool for block memory that is allocated and freed repeatedly: freed blocks are kept for a while and reused for
/// blocks of the same size.
public final class CMMemoryPool: Sendable {
  let memory: RecycledMemory

  init(_ memory: RecycledMemory) { self.memory = memory }
}

/// Creates a memory pool.
///
/// There is no timer: blocks kept for longer than the period are freed when the pool's allocator is used again, or
/// when the allocator is released.
///
/// - Parameter options: ``kCMMemoryPoolOption_AgeOutPeriod``; nil for the default.
public func CMMemoryPoolCreate(options: CFDictionary?) -> CMMemoryPool {
  let period = (options?[kCMMemoryPoolOption_AgeOutPeriod]).flatMap(RecycledMemory.seconds)
  return CMMemoryPool(RecycledMemory(ageOutPeriod: period ?? RecycledMemory.usualPeriod))
}

/// The pool's allocator. It works as long as it is retained, even without the pool.
public func CMMemoryPoolGetAllocator(_ pool: CMMemoryPool) -> CFAllocator {
  CFAllocator(kind: .pool(pool.memory))
}

/// Frees a pool's unused blocks.
public func CMMemoryPoolFlush(_ pool: CMMemoryPool) { pool.memory.flush() }

/// Frees a pool's unused blocks; its allocator keeps none from now on.
public func CMMemoryPoolInvalidate(_ pool: CMMemoryPool) { pool.memory.invalidate() }
