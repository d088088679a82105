// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Stands where Core Foundation's allocator does: the system's memory, a ``CMMemoryPool``'s, or none. A program's own
/// allocator is a ``CMBlockBufferCustomBlockSource`` here.
public struct CFAllocator: Sendable, Hashable {
  enum Kind: Hashable {
    case system
    case absent
    case pool(RecycledMemory)
  }

  let kind: Kind
}

/// The default allocator, which nil stands for: the system's.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The system's allocator: `malloc` and `free`.
public let kCFAllocatorSystemDefault = CFAllocator(kind: .system)
/// `malloc` and `free`.
public let kCFAllocatorMalloc = CFAllocator(kind: .system)
/// Gives out no memory and frees none: for memory that its program keeps and frees itself.
public let kCFAllocatorNull = CFAllocator(kind: .absent)

/// Memory, all zeros; nil for a size below 1, from ``kCFAllocatorNull``, and if there is none.
public func CFAllocatorAllocate(
  _ allocator: CFAllocator?, _ size: Int, _ hint: UInt
) -> UnsafeMutableRawPointer? {
  guard size > 0 else { return nil }
  return switch allocator?.kind {
  case .absent?: nil
  case .pool(let memory)?: memory.allocate(size)
  case .system?, nil: calloc(1, size)
  }
}

/// Frees memory of `malloc`, or of `UnsafeMutableRawPointer.allocate`, or gives it back to its pool; leaves it for
/// ``kCFAllocatorNull``.
public func CFAllocatorDeallocate(_ allocator: CFAllocator?, _ ptr: UnsafeMutableRawPointer?) {
  switch allocator?.kind {
  case .absent?: break
  case .pool(let memory)?: if let ptr { memory.deallocate(ptr) }
  case .system?, nil: free(ptr)
  }
}
