import CProResKernels

/// What one thread needs while it encodes a slice.
struct SliceScratch: ~Copyable {
  let samples: UnsafeMutablePointer<Int16>
  let coefficients: UnsafeMutablePointer<Int16>
  let dc: UnsafeMutablePointer<Int16>
  let symbols: UnsafeMutablePointer<UInt32>
  let alpha: UnsafeMutablePointer<UInt16>
  let ahead: UnsafeMutablePointer<prores_ahead>
  private let memory: AlignedMemory

  /// Coefficients of a component: 64 rows of lanes.
  static let componentSize = 64 * PRORES_LANES

  init() throws(ProResError) {
    let plane = PRORES_SAMPLE_PLANE * 2
    let component = Self.componentSize * 2
    let symbolMargin = PRORES_SYMBOL_MARGIN
    let sizes = [
      plane * 3, component * 3, 256, (Self.componentSize + 2 * symbolMargin) * 4, 16 * 128 * 2,
      MemoryLayout<prores_ahead>.size,
    ].map { ($0 + 63) / 64 * 64 }
    memory = try AlignedMemory(byteCount: sizes.reduce(64, +))
    memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var start = 0
    var parts: [UnsafeMutableRawBufferPointer] = []
    for size in sizes {
      parts.append(UnsafeMutableRawBufferPointer(rebasing: memory.bytes[start..<start + size]))
      start += size
    }
    samples = parts[0].bindMemory(to: Int16.self).baseAddress ?? Self.none()
    coefficients = parts[1].bindMemory(to: Int16.self).baseAddress ?? Self.none()
    dc = parts[2].bindMemory(to: Int16.self).baseAddress ?? Self.none()
    symbols = (parts[3].bindMemory(to: UInt32.self).baseAddress ?? Self.none()) + symbolMargin
    ahead = parts[5].bindMemory(to: prores_ahead.self).baseAddress ?? Self.none()
    alpha = parts[4].bindMemory(to: UInt16.self).baseAddress ?? Self.none()
  }

  /// The cache lines that a component's quantiser and its coder ask for.
  func lines(
    _ component: Int
  ) -> (
    quantizer: UnsafePointer<UnsafePointer<UInt8>?>, coder: UnsafePointer<UnsafePointer<UInt8>?>
  ) {
    let lines = UnsafeRawPointer(ahead).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    let first = lines + component * 2 * PRORES_AHEAD
    return (first, first + PRORES_AHEAD)
  }

  /// Never reached: no part is empty.
  private static func none<Element>() -> UnsafeMutablePointer<Element> { .allocate(capacity: 1) }
}
