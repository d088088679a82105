import DNG
import RawDevelop

/// The primaries and white point of a color space, as CIE 1931 x and y.
struct Chromaticities: Hashable, Sendable {
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
  let white: SIMD2<Double>

  static let d65 = SIMD2(0.3127, 0.3290)
  /// The white point of ICC's profile connection space.
  static let d50 = SIMD2(0.3457, 0.3585)

  /// The chromaticities of BT.709, Adobe RGB (1998), SMPTE EG 432-1 with D65, BT.2020 or ISO 22028-2.
  init(_ primaries: ColorPrimaries) {
    switch primaries {
    case .sRGB:
      (red, green, blue) = (SIMD2(0.64, 0.33), SIMD2(0.30, 0.60), SIMD2(0.15, 0.06))
    case .adobeRGB:
      (red, green, blue) = (SIMD2(0.64, 0.33), SIMD2(0.21, 0.71), SIMD2(0.15, 0.06))
    case .displayP3:
      (red, green, blue) = (SIMD2(0.680, 0.320), SIMD2(0.265, 0.690), SIMD2(0.150, 0.060))
    case .rec2020:
      (red, green, blue) = (SIMD2(0.708, 0.292), SIMD2(0.170, 0.797), SIMD2(0.131, 0.046))
    case .proPhoto:
      (red, green, blue) = (
        SIMD2(0.734699, 0.265301), SIMD2(0.159597, 0.840403), SIMD2(0.036598, 0.000105)
      )
    }
    white = primaries == .proPhoto ? Self.d50 : Self.d65
  }

  /// XYZ of a white point, with Y = 1.
  static func xyz(_ point: SIMD2<Double>) -> [Double] {
    // ICC.1 gives D50 as these XYZ values, not by its chromaticities.
    point == d50
      ? [0.9642, 1, 0.8249] : [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
  }

  /// Linear colors to XYZ, relative to their own white point.
  var toXYZ: Matrix3 {
    let primaries = [red, green, blue]
    let columns = Matrix3(
      primaries.map(\.x) + primaries.map(\.y) + primaries.map { 1 - $0.x - $0.y })
    guard let columns, let inverse = columns.inverse else { return .identity }
    let amounts = inverse * Self.xyz(white)
    return columns * .diagonal(amounts[0], amounts[1], amounts[2])
  }

  /// XYZ under one white point to XYZ under another, by the linear Bradford transform (ICC.1 annex E).
  static func adaptation(from source: SIMD2<Double>, to target: SIMD2<Double>) -> Matrix3 {
    let cone = Matrix3([
      0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
    ])
    guard let cone, let inverse = cone.inverse else { return .identity }
    let (first, second) = (cone * xyz(source), cone * xyz(target))
    return inverse
      * .diagonal(second[0] / first[0], second[1] / first[1], second[2] / first[2]) * cone
  }

  /// Linear colors to XYZ under D50.
  var toConnectionSpace: Matrix3 { Self.adaptation(from: white, to: Self.d50) * toXYZ }

  /// Linear colors with these primaries to linear colors with others.
  func matrix(to other: Chromaticities) -> Matrix3 {
    guard self != other, let inverse = other.toXYZ.inverse else { return .identity }
    return inverse * Self.adaptation(from: white, to: other.white) * toXYZ
  }
}
