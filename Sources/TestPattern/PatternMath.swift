import Foundation

/// Arithmetic of the generators.
enum PatternMath {
  /// The cosine of a part of a full turn.
  static func cosine(turns: Double) -> Double { cos(turns * 2 * .pi) }
  /// Ten to some power.
  static func powerOfTen(_ exponent: Double) -> Double { pow(10, exponent) }
  /// The sine of a part of a full turn.
  static func sine(turns: Double) -> Double { sin(turns * 2 * .pi) }
}

/// Random numbers from a seed, the same in every run (SplitMix64).
package struct PatternRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word &>> 31)
  }
}
