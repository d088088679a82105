import TestSupport
import Testing

@testable import ProRes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Logarithms and powers that are bit-identical on every machine.
@Suite struct PortableMathTests {
  /// The C library is accurate to slightly more than half a unit in the last place.
  @Test func values_are_within_one_ulp_of_the_c_library() {
    var generator = SeededGenerator(seed: 41)
    func isNear(_ value: Float, _ other: Float) -> Bool {
      value == other || value.nextUp == other || value.nextDown == other
    }
    for _ in 0..<20_000 {
      let positive = Float(bitPattern: .random(in: 1..<0x7F80_0000, using: &generator))
      #expect(isNear(PortableMath.logarithm(positive), logf(positive)), "\(positive)")
      let exponent = Float.random(in: -110...95, using: &generator)
      #expect(isNear(PortableMath.exponential(exponent), expf(exponent)), "\(exponent)")
      let base = Float.random(in: 0.001...1000, using: &generator)
      let power = Float.random(in: -6...6, using: &generator)
      #expect(isNear(PortableMath.power(base, power), powf(base, power)), "\(base), \(power)")
    }
  }

  @Test func binary_logarithms_and_powers_are_accurate_to_a_few_ulps() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<20_000 {
      let value = Double.random(in: 1e-6...1e6, using: &generator)
      let logarithm = PortableMath.binaryLogarithm(value)
      #expect(abs(logarithm - log2(value)) <= 4 * max(log2(value).ulp, Double(1).ulp), "\(value)")
      let power = Double.random(in: -30...30, using: &generator)
      #expect(abs(PortableMath.binaryPower(power) / exp2(power) - 1) < 1e-14, "\(power)")
    }
  }

  @Test func edge_cases_match_c() {
    #expect(PortableMath.logarithm(Float(0)) == -.infinity)
    #expect(PortableMath.logarithm(Float(-1)).isNaN)
    #expect(PortableMath.logarithm(Float.infinity) == .infinity)
    #expect(PortableMath.logarithm(Double.leastNonzeroMagnitude) == log(.leastNonzeroMagnitude))
    #expect(PortableMath.exponential(Float(100)) == .infinity)
    #expect(PortableMath.exponential(Float(-200)) == 0)
    #expect(PortableMath.exponential(Float.nan).isNaN)
    #expect(PortableMath.power(0, 2) == 0)
    #expect(PortableMath.power(0, -1) == .infinity)
    #expect(PortableMath.power(0, 0) == 1)
    #expect(PortableMath.power(.infinity, -0.5) == 0)
  }

  /// The digest is from one machine, and all others must match it.
  @Test func bits_are_the_same_on_every_machine() {
    var generator = SeededGenerator(seed: 43)
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func take(_ bits: some FixedWidthInteger) {
      digest = (digest ^ UInt64(truncatingIfNeeded: bits)) &* 0x100_0000_01B3
    }
    for _ in 0..<20_000 {
      let value = Double(generator.next() >> 11) * 0x1p-40
      let exponent = Double(generator.next() >> 11) * 0x1p-46 - 64
      take(PortableMath.logarithm(value).bitPattern)
      take(PortableMath.exponential(exponent).bitPattern)
      take(PortableMath.power(Float(value), Float(exponent / 64)).bitPattern)
    }
    #expect(digest == 0x40FE_4E18_CF55_7CA6)
  }
}
