/// The inverse discrete cosine transform of 8 x 8 coefficients (ITU-T T.81, A.3.3), by columns and rows.
///
/// It uses 32-bit floats: for 12-bit samples the result is within a thousandth of a code of the exact one. A block
/// with only a DC coefficient is exact; halves are rounded up.
struct InverseDCT {
  /// Eight columns of coefficients, each with its vertical frequencies in ascending order.
  typealias Coefficients = InlineArray<64, Float>
  /// Rows of a block; the integer parts are the samples.
  typealias Rows = InlineArray<8, SIMD8<Float>>

  /// Bits per sample, 8 or 12.
  let precision: Int

  /// Samples from dequantized coefficients, with the midpoint of their range added, clipped to the range.
  func samples(_ coefficients: Coefficients) -> Rows {
    var rows = Rows { row in Self.row(coefficients, 8 * row) }
    Self.transform(&rows)
    Self.transpose(&rows)
    Self.transform(&rows)
    for row in 0..<8 { rows[row] = sample(rows[row]) }
    return rows
  }

  /// Samples of a block with only a DC coefficient: the same result as from all coefficients.
  func samples(uniform coefficient: Float) -> Rows {
    Rows(repeating: sample(SIMD8(repeating: coefficient)))
  }

  /// The two passes have multiplied by eight.
  @inline(__always)
  private func sample(_ row: SIMD8<Float>) -> SIMD8<Float> {
    let middle = SIMD8<Float>(repeating: Float(1 << (precision - 1)) + 0.5)
    let greatest = SIMD8<Float>(repeating: Float(1 << precision - 1))
    let values = row * 0.125 + middle
    let raised = values.replacing(with: 0, where: values .< 0)
    return raised.replacing(with: greatest, where: raised .> greatest)
  }

  /// Cosines of multiples of pi / 16, times the square root of two.
  private static let c1: Float = 1.387039845322148
  private static let c2: Float = 1.306562964876377
  private static let c3: Float = 1.175875602419359
  private static let c5: Float = 0.785694958387102
  private static let c6: Float = 0.541196100146197
  private static let c7: Float = 0.275899379282943

  /// Transforms all columns and multiplies by the square root of eight.
  @inline(__always)
  private static func transform(_ block: inout Rows) {
    let (even0, even1) = (block[0] + block[4], block[0] - block[4])
    let even2 = block[2] * c2 + block[6] * c6
    let even3 = block[2] * c6 - block[6] * c2
    let (e0, e1, e2, e3) = (even0 + even2, even1 + even3, even1 - even3, even0 - even2)
    let (f1, f3, f5, f7) = (block[1], block[3], block[5], block[7])
    let o0 = (f1 * c1 + f3 * c3) + (f5 * c5 + f7 * c7)
    let o1 = (f1 * c3 - f3 * c7) - (f5 * c1 + f7 * c5)
    let o2 = (f1 * c5 - f3 * c1) + (f5 * c7 + f7 * c3)
    let o3 = (f1 * c7 - f3 * c5) + (f5 * c3 - f7 * c1)
    (block[0], block[7]) = (e0 + o0, e0 - o0)
    (block[1], block[6]) = (e1 + o1, e1 - o1)
    (block[2], block[5]) = (e2 + o2, e2 - o2)
    (block[3], block[4]) = (e3 + o3, e3 - o3)
  }

  @inline(__always)
  private static func transpose(_ block: inout Rows) {
    let numbers = Coefficients { index in block[index % 8][index / 8] }
    for index in 0..<8 { block[index] = row(numbers, 8 * index) }
  }

  @inline(__always)
  private static func row(_ numbers: Coefficients, _ first: Int) -> SIMD8<Float> {
    SIMD8(
      numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3],
      numbers[first + 4], numbers[first + 5], numbers[first + 6], numbers[first + 7])
  }
}
