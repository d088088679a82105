import Foundation

// The C library of Linux says that its pointers are never null, and Apple's says nothing: there the base address of a
// pixel buffer is passed as it comes.

/// Copies bytes between places that do not overlap; null pointers are allowed for no bytes.
@discardableResult
public func memcpy(
  _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
  guard count > 0 else { return destination }
  guard let destination, let source else { fatalError("memcpy from or to a null pointer") }
  destination.copyMemory(from: source, byteCount: count)
  return destination
}

/// Copies bytes between places that may overlap; null pointers are allowed for no bytes.
@discardableResult
public func memmove(
  _ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? { memcpy(destination, source, count) }

/// Sets bytes to a value; a null pointer is allowed for no bytes.
@discardableResult
public func memset(
  _ destination: UnsafeMutableRawPointer?, _ value: Int32, _ count: Int
) -> UnsafeMutableRawPointer? {
  guard count > 0 else { return destination }
  guard let destination else { fatalError("memset of a null pointer") }
  destination.initializeMemory(
    as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: count)
  return destination
}
