import Foundation

// The C library declares these pointers nonnull on Linux; Apple's leaves them unannotated, so ported code passes the
// optional base address of a pixel buffer directly.

/// Copies bytes between memory regions that do not overlap; pointers may be null if the count is 0.
@discardableResult
public func memcpy(
  _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
  guard count > 0 else { return destination }
  // A caller's bug that the function cannot report: C leaves it undefined.
  guard let destination, let source else { fatalError("memcpy from or to a null pointer") }
  destination.copyMemory(from: source, byteCount: count)
  return destination
}

/// Copies bytes between memory regions that may overlap; pointers may be null if the count is 0.
@discardableResult
public func memmove(
  _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? { memcpy(destination, source, count) }

/// Sets bytes to a value; the pointer may be null if the count is 0.
@discardableResult
public func memset(
  _ destination: UnsafeMutableRawPointer?, _ value: Int32, _ count: Int
) -> UnsafeMutableRawPointer? {
  guard count > 0 else { return destination }
  // A caller's bug that the function cannot report: C leaves it undefined.
  guard let destination else { fatalError("memset of a null pointer") }
  destination.initializeMemory(
    as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: count)
  return destination
}
