import CProResKernels

/// What one thread needs while it encodes a slice.
struct SliceScratch: ~Copyable {
  let samples: UnsafeMutablePointer<Int16>
  let coefficients: UnsafeMutablePointer<Int16>
  /// Luma, Cb and Cr. Their DC levels and symbols have their places here.
  let components: UnsafeMutablePointer<prores_component>
  let alpha: UnsafeMutablePointer<UInt16>
  let ahead: UnsafeMutablePointer<prores_ahead>
  private let memory: AlignedMemory

  /// Coefficients of a component: 64 rows of lanes.
  static let componentSize = 64 * PRORES_LANES
  /// DC levels of a component, to whole vectors.
  private static let levels = 2 * PRORES_LANES

  init() throws(ProResError) {
    let plane = PRORES_SAMPLE_PLANE * 2
    let component = Self.componentSize * 2
    let symbolCount = Self.componentSize + 2 * PRORES_SYMBOL_MARGIN
    let sizes = [
      plane * 3, component * 3, Self.levels * 3 * 2, symbolCount * 3 * 4, 16 * 128 * 2,
      MemoryLayout<prores_ahead>.size, MemoryLayout<prores_component>.size * 3,
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
    let dc = parts[2].bindMemory(to: Int16.self).baseAddress ?? Self.none()
    let symbols = parts[3].bindMemory(to: UInt32.self).baseAddress ?? Self.none()
    components = parts[6].bindMemory(to: prores_component.self).baseAddress ?? Self.none()
    for index in 0..<3 {
      components[index].dc = dc + index * Self.levels
      components[index].symbols = symbols + index * symbolCount + PRORES_SYMBOL_MARGIN
    }
    ahead = parts[5].bindMemory(to: prores_ahead.self).baseAddress ?? Self.none()
    alpha = parts[4].bindMemory(to: UInt16.self).baseAddress ?? Self.none()
  }

  /// The cache lines that quantizing asks for.
  var linesOfQuantizer: UnsafePointer<UnsafePointer<UInt8>?> {
    UnsafeRawPointer(ahead).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
  }

  /// The cache lines that coding asks for.
  var linesOfCoder: UnsafePointer<UnsafePointer<UInt8>?> { linesOfQuantizer + 3 * PRORES_AHEAD }

  /// Never reached: no part is empty.
  private static func none<Element>() -> UnsafeMutablePointer<Element> { .allocate(capacity: 1) }
}
