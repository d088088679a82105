import Foundation
import TIFF

/// A curve that reduces linear light to 8-bit codes, and its inverse as DNG's MapPolynomial, which readers support
/// where they accept no table: Adobe's own lossy files use it.
///
/// Codes are spaced in proportion to the noise at their level. If the noise's variance grows with light, light is a
/// quadratic function of the code without constant term.
struct PolynomialCurve: Sendable {
  /// Light as a polynomial of the code from 0 to 1: the coefficients of its first, second … power, which sum to 1.
  let coefficients: [Double]
  /// The table from light to codes.
  let codes: CodeTable

  /// A curve for light from black to 1 with known noise. Light below black is clipped.
  init(noise: CompandingCurve.NoiseFigures) {
    let slope = max(noise.slope, 1e-9)
    let floor = max(noise.dark * noise.dark, 1e-12)
    let (dark, bright) = (floor.squareRoot(), (slope + floor).squareRoot())
    // The inverse of the integral of one over the noise, normalized to 1 at 1.
    let linear = 2 * dark * (bright - dark) / slope
    let square = 1 - linear
    coefficients = [linear, square]
    codes = CodeTable(
      black: 0,
      codes: (0..<65_536).map { step in
        let light = Double(step) / 65_535
        let code =
          square < 1e-9
          ? light : ((linear * linear + 4 * square * light).squareRoot() - linear) / (2 * square)
        return UInt16((code * 255).rounded())
      })
  }

  /// DNG's OpcodeList2: the curve for each plane, multiplied by a factor.
  func opcodeList(factors: [Double], width: Int, height: Int) -> [UInt8] {
    var list: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { list += $0 }
    }
    append(UInt32(factors.count))
    for (plane, factor) in factors.enumerated() {
      let polynomial = [0] + coefficients.map { $0 * factor }
      append(UInt32(8))  // MapPolynomial
      append(UInt32(0x0103_0000))  // since DNG 1.3
      append(UInt32(0))  // not optional
      append(UInt32(36 + 8 * polynomial.count))
      // Top, left, bottom, right; plane, planes; every row and column.
      for number in [0, 0, height, width, plane, 1, 1, 1] { append(UInt32(number)) }
      append(UInt32(polynomial.count - 1))
      for factor in polynomial { append(factor.bitPattern) }
    }
    return list
  }
}
