import CProResKernels

/// Quantization and the walk in scan order (RDD 36, 7.2 and 7.3, the other way round).
struct ReferenceQuantizer {
  let blocks: Int
  let table: prores_quantizer

  /// Writes DC levels and the symbols of all other levels that are not zero.
  func quantize(
    _ coefficients: UnsafePointer<Int16>, dc: UnsafeMutablePointer<Int16>,
    symbols: UnsafeMutablePointer<UInt32>
  ) -> Int {
    for block in 0..<blocks {
      let value = Int(coefficients[block])
      let level = (abs(value) + Int(table.dc_step) / 2) / Int(table.dc_step)
      dc[block] = Int16(value < 0 ? -level : level)
    }
    var count = 0
    withUnsafeBytes(of: table) { bytes in
      let entries = bytes.assumingMemoryBound(to: UInt32.self)
      for index in 1..<64 {
        let position = Int(bytes[512 + index])
        for block in 0..<blocks {
          let value = Int(coefficients[position * PRORES_LANES + block])
          let rounded = abs(value) + Int(entries[64 + index] & 0xFFFF)
          let level = (rounded * Int(entries[index] & 0xFFFF)) >> 16
          guard level != 0 else { continue }
          symbols[count] = UInt32((index * blocks + block) << 16 | (value < 0 ? 0x8000 : 0) | level)
          count += 1
        }
      }
    }
    return count
  }
}
