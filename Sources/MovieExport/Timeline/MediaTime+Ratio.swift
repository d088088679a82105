package import MediaCore

extension MediaTime {
  /// The time multiplied by the ratio of two others, with epoch 0.
  ///
  /// Exact if a time scale can hold the result; otherwise rounded to a billionth of a second, or to
  /// a coarser scale if that overflows 64 bits.
  ///
  /// - Returns: The product; infinite if even whole seconds overflow; invalid if one of the three
  ///   is not numeric or `denominator` is not positive.
  package func scaled(by numerator: MediaTime, over denominator: MediaTime) -> MediaTime {
    guard isNumeric, numerator.isNumeric, denominator.isNumeric, denominator > .zero else {
      return .invalid
    }
    let isNegative = (value < 0) != (numerator.value < 0)
    // Below 2^127, 2^31 and 2^126. The following steps multiply and divide at full width.
    var values = UInt128(value.magnitude) * UInt128(numerator.value.magnitude)
    var scale = UInt128(denominator.timescale.magnitude)
    var divisor =
      UInt128(timescale.magnitude) * UInt128(numerator.timescale.magnitude)
      * UInt128(denominator.value.magnitude)
    Self.reduce(&values, &divisor)
    Self.reduce(&scale, &divisor)

    func time(at timescale: Int32) -> MediaTime? {
      let product = values.multipliedFullWidth(by: scale * UInt128(timescale.magnitude))
      guard product.high < divisor else { return nil }
      let (quotient, remainder) = divisor.dividingFullWidth(product)
      guard let whole = Int64(exactly: quotient) else { return nil }
      let value = whole.addingSaturating(remainder >= divisor - remainder ? 1 : 0)
      return MediaTime(
        value: isNegative ? -value : value, timescale: timescale,
        flags: remainder == 0 ? .valid : [.valid, .hasBeenRounded], epoch: 0)
    }
    if let exact = Int32(exactly: divisor), let time = time(at: exact) { return time }
    var timescale: Int32 = 1_000_000_000
    while timescale > 0 {
      if let time = time(at: timescale) { return time }
      timescale /= 2
    }
    return isNegative ? .negativeInfinity : .positiveInfinity
  }

  /// Divides both by their greatest common divisor. The second must not be 0.
  private static func reduce(_ first: inout UInt128, _ second: inout UInt128) {
    var (common, rest) = (first, second)
    while rest != 0 { (common, rest) = (rest, common % rest) }
    first /= common
    second /= common
  }
}
