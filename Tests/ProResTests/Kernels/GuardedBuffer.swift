import Testing

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
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
    let start = memory.baseAddress.map { $0 + Self.wall }
    let all = UnsafeMutableBufferPointer(
      start: start?.bindMemory(to: Element.self, capacity: count + before + after),
      count: count + before + after)
    all.initialize(repeating: value)
    elements = UnsafeMutableBufferPointer(rebasing: all[before..<before + count])
  }

  deinit { memory.deallocate() }

  var start: UnsafeMutablePointer<Element>? { elements.baseAddress }

  var wallsStand: Bool {
    memory[..<Self.wall].allSatisfy { $0 == 0xA5 }
      && memory[(memory.count - Self.wall)...].allSatisfy { $0 == 0xA5 }
  }
}
