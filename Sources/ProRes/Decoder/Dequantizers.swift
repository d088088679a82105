import CProResKernels

/// What the levels of a slice are multiplied by.
struct Dequantizers: ~Copyable {
  private let memory: UnsafeMutablePointer<prores_dequantizer>
  private var matrices: [QuantizationMatrix] = [.flat, .flat]
  private var isInterlaced: Bool?
  private var scale = 0

  init() {
    memory = .allocate(capacity: 2)
    memory.initialize(repeating: prores_dequantizer(), count: 2)
  }

  /// Sets the matrices and the scan of a frame.
  mutating func begin(luma: QuantizationMatrix, chroma: QuantizationMatrix, interlaced: Bool) {
    if matrices != [luma, chroma] {
      matrices = [luma, chroma]
      scale = 0
    }
    guard isInterlaced != interlaced else { return }
    isInterlaced = interlaced
    for (index, position) in ScanOrder.positions(interlaced: interlaced).enumerated() {
      for matrix in 0..<2 {
        withUnsafeMutableBytes(of: &memory[matrix].index) { $0[Int(position)] = UInt8(index) }
      }
    }
  }

  deinit { memory.deallocate() }

  var luma: UnsafePointer<prores_dequantizer> { UnsafePointer(memory) }
  var chroma: UnsafePointer<prores_dequantizer> { UnsafePointer(memory + 1) }

  /// Sets the index of a slice, 1 to 224.
  mutating func use(quantizationIndex index: Int) {
    let scale = QuantizationIndex.scale(index)
    guard scale != self.scale else { return }
    self.scale = scale
    for matrix in 0..<2 {
      let weights = matrices[matrix].weights
      withUnsafeMutableBytes(of: &memory[matrix].step) { bytes in
        var position = 0
        while position < 64 {
          // Only weights that the standard does not allow pass 16 bits.
          bytes.storeBytes(
            of: UInt16(truncatingIfNeeded: Int(weights[position]) &* scale),
            toByteOffset: position * 2, as: UInt16.self)
          position += 1
        }
      }
    }
  }
}
