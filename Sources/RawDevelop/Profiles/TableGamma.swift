import Glibc

/// Gamma 2.2 as Adobe's readers use it to index RGBTables: a power function with bounded slope near black.
///
/// Up to 0.0034800731 a cubic replaces the power function; it begins with a slope of 32 and ends with the power
/// function's value and slope.
enum TableGamma {
  private static let end = (light: 0.0034800731, code: 0.0763027458, slope: 9.9661890075)
  private static let firstSlope = 32.0

  /// Encodes light.
  static func encode(_ light: Double) -> Double {
    guard light < end.light else { return pow(light, 1 / 2.2) }
    // The cubic in Hermite form.
    let t = max(light, 0) / end.light
    let (square, cube) = (t * t, t * t * t)
    return end.light * firstSlope * (cube - 2 * square + t) + end.code * (3 * square - 2 * cube)
      + end.light * end.slope * (cube - square)
  }

  /// Decodes a value to light.
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
