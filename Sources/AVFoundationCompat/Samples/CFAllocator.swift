// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Stands for Core Foundation's allocator: the system's memory, a ``CMMemoryPool``'s, or none. For a program's own
/// allocator, use ``CMBlockBufferCustomBlockSource``.
public struct CFAllocator: Sendable, Hashable {
  enum Kind: Hashable {
    case system
    case absent
    case pool(RecycledMemory)
  }

  let kind: Kind
}

/// The default allocator, also selected by nil: the system's.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The system's allocator: `malloc` and `free`.
public let kCFAllocatorSystemDefault = CFAllocator(kind: .system)
/// `malloc` and `free`.
public let kCFAllocatorMalloc = CFAllocator(kind: .system)
/// Never allocates or frees, for memory that the program owns.
public let kCFAllocatorNull = CFAllocator(kind: .absent)

/// Allocates zeroed memory; nil for a size below 1, for ``kCFAllocatorNull``, and if memory is exhausted.
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

/// Frees memory allocated with `malloc` or `UnsafeMutableRawPointer.allocate`, or returns it to its pool. No effect
/// for ``kCFAllocatorNull``.
public func CFAllocatorDeallocate(_ allocator: CFAllocator?, _ ptr: UnsafeMutableRawPointer?) {
  switch allocator?.kind {
  case .absent?: break
  case .pool(let memory)?: if let ptr { memory.deallocate(ptr) }
  case .system?, nil: free(ptr)
  }
}
