#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Numbers in messages for people.
extension Double {
  /// The number with at most so many decimals, and no zeros behind the last one: `12.5`, `3`.
  package func text(decimals: Int) -> String {
    let scaled = (magnitude * pow(10, Double(decimals))).rounded()
    guard scaled < 1e15 else { return "\(self)" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
    var fraction = padded.suffix(decimals)
    while fraction.last == "0" { fraction.removeLast() }
    return (self < 0 && scaled > 0 ? "-" : "") + padded.dropLast(decimals)
      + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// The number with at most `count` significant digits and twelve decimals: `0.0000625`.
  package func text(significantDigits count: Int) -> String {
    guard isFinite, self != 0 else { return text(decimals: 0) }
    return text(decimals: min(max(count - 1 - Int(log10(magnitude).rounded(.down)), 0), 12))
  }
}

extension ClosedRange<Double> {
  /// `0.0000625 to 4`.
  package var text: String {
    "\(lowerBound.text(significantDigits: 3)) to \(upperBound.text(significantDigits: 3))"
  }
}
