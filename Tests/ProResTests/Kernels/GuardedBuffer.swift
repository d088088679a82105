import Foundation

/// Memory between two walls of known bytes, which detect writes past its ends.
final class GuardedBuffer<Element: BitwiseCopyable> {
  private static var wall: Int { 256 }
  private let memory: UnsafeMutableRawBufferPointer
  let elements: UnsafeMutableBufferPointer<Element>

  /// - Parameters:
  ///   - before: Writable elements before the first.
  ///   - after: Writable elements after the last.
  init(count: Int, before: Int = 0, after: Int = 0, repeating value: Element) {
    let stride = MemoryLayout<Element>.stride
    let inside = (count + before + after) * stride
    memory = .allocate(byteCount: inside + 2 * Self.wall, alignment: 64)
    if let first = memory.baseAddress { memset(first, 0xA5, memory.count) }
    let start = memory.baseAddress.map { $0 + Self.wall }
    let all = UnsafeMutableBufferPointer(
      start: start?.bindMemory(to: Element.self, capacity: count + before + after),
      count: count + before + after)
    if let start, inside > 0 {
      // Doubled repeatedly, because a loop over all elements is slow without optimization.
      start.storeBytes(of: value, as: Element.self)
      var filled = stride
      while filled < inside {
        let length = min(filled, inside - filled)
        memcpy(start + filled, start, length)
        filled += length
      }
    }
    elements = UnsafeMutableBufferPointer(rebasing: all[before..<before + count])
  }

  deinit { memory.deallocate() }

  var start: UnsafeMutablePointer<Element>? { elements.baseAddress }

  var wallsStand: Bool {
    guard let first = memory.baseAddress else { return false }
    let last = first + memory.count - Self.wall
    // Compares the walls with each other, and each byte of one with the next.
    return memory[0] == 0xA5 && memcmp(first, first + 1, Self.wall - 1) == 0
      && memcmp(first, last, Self.wall) == 0
  }
}
