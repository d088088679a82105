#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension Double {
  static func exp2(_ value: Double) -> Double { Glibc.exp2(value) }
  static func log2(_ value: Double) -> Double { Glibc.log2(value) }
  static func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
  static func sine(_ value: Double) -> Double { Glibc.sin(value) }
}
