import CProResKernels

/// Reads a slice's alpha, row by row over the slice's width, edges repeated (RDD 36, 7.1.2).
enum AlphaLoader {
  static func load(
    _ picture: prores_picture, _ area: prores_area, bits: Int,
    into target: UnsafeMutablePointer<UInt16>
  ) {
    let width = Int(area.macroblocks) * 16
    let left = Int(area.column) * 16
    let last = Int(picture.width) - 1
    let depth = Int(picture.depth)
    for row in 0..<16 {
      let y = min(Int(area.row) * 16 + row, Int(picture.height) - 1)
      guard let line = picture.planes.3.map({ $0 + y * picture.strides.3 }) else { return }
      let output = target + row * width
      for column in 0..<width {
        let x = min(left + column, last)
        let value =
          depth == 8
          ? Int(line[x])
          : min(Int(line[2 * x]) | Int(line[2 * x + 1]) << 8, 1 << depth - 1)
        output[column] = UInt16(convert(value, from: depth, to: bits))
      }
    }
  }

  /// The nearest of `bits` bits, opaque staying opaque.
  private static func convert(_ value: Int, from depth: Int, to bits: Int) -> Int {
    if depth == bits { return value }
    let most = 1 << depth - 1
    return (value * (1 << bits - 1) + most / 2) / most
  }
}
