/// Logarithms and powers that are bit-identical on every machine.
///
/// C does not define the last bit of `logf`, `expf` and `powf`. The rate controller bases decisions on their results,
/// so a single bit could change the bytes of a movie's part on another machine. The functions here use only
/// addition, multiplication and division, whose results IEEE 754 defines exactly.
enum PortableMath {
  /// The natural logarithm, right to a few units of the last place of its result.
  ///
  /// As `log` in C: minus infinity for 0, NaN below.
  static func logarithm(_ value: Double) -> Double {
    guard value > 0 else { return value == 0 ? -.infinity : .nan }
    guard value.isFinite else { return value }
    var (exponent, significand) = (value.exponent, value.significand)
    // Around 1 from either side, where the series is short.
    if significand > 1.414_213_562_373_095 {
      (exponent, significand) = (exponent + 1, significand / 2)
    }
    // log m = 2 artanh((m - 1) / (m + 1)).
    let ratio = (significand - 1) / (significand + 1)
    let square = ratio * ratio
    var series = 1 / 23.0
    series = series * square + 1 / 21.0
    series = series * square + 1 / 19.0
    series = series * square + 1 / 17.0
    series = series * square + 1 / 15.0
    series = series * square + 1 / 13.0
    series = series * square + 1 / 11.0
    series = series * square + 1 / 9.0
    series = series * square + 1 / 7.0
    series = series * square + 1 / 5.0
    series = series * square + 1 / 3.0
    series = series * square + 1
    return Double(exponent) * naturalLogarithmOf2 + 2 * ratio * series
  }

  /// e to a power, right to a few units of the last place of its result.
  ///
  /// As `exp` in C: infinity where the result is beyond all numbers, 0 where it is below all.
  static func exponential(_ value: Double) -> Double {
    guard value < 710 else { return value.isNaN ? value : .infinity }
    guard value > -746 else { return 0 }
    let doublings = Int(value / naturalLogarithmOf2 + (value < 0 ? -0.5 : 0.5))
    // In two parts, the first of so few bits that its multiples are exact.
    let multiple = Double(doublings)
    let rest = (value - multiple * 0x1.62e42feep-1) - multiple * 0x1.a39ef35793c76p-33
    var series = 1 / 6_227_020_800.0
    series = series * rest + 1 / 479_001_600.0
    series = series * rest + 1 / 39_916_800.0
    series = series * rest + 1 / 3_628_800.0
    series = series * rest + 1 / 362_880.0
    series = series * rest + 1 / 40_320.0
    series = series * rest + 1 / 5_040.0
    series = series * rest + 1 / 720.0
    series = series * rest + 1 / 120.0
    series = series * rest + 1 / 24.0
    series = series * rest + 1 / 6.0
    series = series * rest + 1 / 2.0
    series = series * rest + 1
    series = series * rest + 1
    let half = doublings / 2
    // In two steps, for 2 to the 1024 is no number.
    return series * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: doublings - half, significand: 1)
  }

  /// The natural logarithm, computed with 53 bits, then rounded.
  static func logarithm(_ value: Float) -> Float { Float(logarithm(Double(value))) }

  /// e to a power, computed with 53 bits, then rounded.
  static func exponential(_ value: Float) -> Float { Float(exponential(Double(value))) }

  /// Raises a number from 0 up to a power; computed with 53 bits, then rounded.
  ///
  /// As `powf` in C where the base is 0 or more; NaN below.
  static func power(_ base: Float, _ exponent: Float) -> Float {
    guard exponent != 0, base != 1 else { return 1 }
    return Float(exponential(Double(exponent) * logarithm(Double(base))))
  }

  /// The logarithm to the base 2.
  static func binaryLogarithm(_ value: Double) -> Double { logarithm(value) / naturalLogarithmOf2 }

  /// 2 to a power.
  static func binaryPower(_ value: Double) -> Double { exponential(value * naturalLogarithmOf2) }

  private static let naturalLogarithmOf2 = 0x1.62e42fefa39efp-1
}
