import CProResKernels

/// Reads a slice's alpha row by row: the slice's whole width, the right edge repeated, but none of
/// the rows below the picture (RDD 36, 7.5.3).
enum AlphaLoader {
  /// Fills the start of `target` and returns the number of samples.
  static func load(
    _ picture: prores_picture, _ area: prores_area, bits: Int,
    into target: UnsafeMutablePointer<UInt16>
  ) -> Int {
    let width = Int(area.macroblocks) * 16
    let firstRow = Int(area.row) * 16
    let rows = min(16, Int(picture.height) - firstRow)
    let left = Int(area.column) * 16
    let last = Int(picture.width) - 1
    let depth = Int(picture.depth)
    guard let plane = picture.planes.3 else { return 0 }
    for row in 0..<rows {
      let line = plane + (firstRow + row) * picture.strides.3
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
    return rows * width
  }

  /// The nearest of `bits` bits, opaque staying opaque.
  private static func convert(_ value: Int, from depth: Int, to bits: Int) -> Int {
    if depth == bits { return value }
    let most = 1 << depth - 1
    return (value * (1 << bits - 1) + most / 2) / most
  }
}
