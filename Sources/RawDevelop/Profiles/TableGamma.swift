import Glibc

/// Gamma 2.2 as Adobe's readers look RGBTables up by it: a power whose slope near black is bounded.
///
/// Up to 0.0034800731 a cubic takes the place of the power; it begins with a slope of 32 and ends with
/// the power's value and slope.
enum TableGamma {
  private static let end = (light: 0.0034800731, code: 0.0763027458, slope: 9.9661890075)
  private static let firstSlope = 32.0

  /// Light as a number.
  static func encode(_ light: Double) -> Double {
    guard light < end.light else { return pow(light, 1 / 2.2) }
    // Hermite's form of the cubic.
    let t = max(light, 0) / end.light
    let (square, cube) = (t * t, t * t * t)
    return end.light * firstSlope * (cube - 2 * square + t) + end.code * (3 * square - 2 * cube)
      + end.light * end.slope * (cube - square)
  }

  /// A number as light.
  static func decode(_ number: Double) -> Double {
    guard number < end.code else { return pow(number, 2.2) }
    var (low, high) = (0.0, end.light)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if encode(middle) < number { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
