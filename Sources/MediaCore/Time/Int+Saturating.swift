extension FixedWidthInteger {
  /// The whole part of a number, or the nearest that fits where it is too large or too small: 0 for
  /// NaN. Numbers of devices, files and users are taken in by this; `Int(_:)` would end the process.
  package init(saturating value: Double) {
    if let whole = Self(exactly: value.rounded(.towardZero)) {
      self = whole
    } else {
      self = value.isNaN ? 0 : value > 0 ? .max : .min
    }
  }

  /// The sum, or the nearest number that fits.
  package func addingSaturating(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The product, or the nearest number that fits.
  package func multipliedSaturating(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}
