extension MediaTime {
  /// How a conversion to another time scale treats what does not fit.
  public enum RoundingMethod: Sendable {
    /// To the nearest, halves away from zero.
    case roundHalfAwayFromZero
    /// Towards zero.
    case roundTowardZero
    case roundAwayFromZero
    /// Towards negative infinity.
    case roundTowardNegativeInfinity
    /// Towards positive infinity.
    case roundTowardPositiveInfinity
    /// Towards zero when the new scale is coarser, away from zero when it is finer.
    case quickTime
  }

  /// The same time at another time scale.
  ///
  /// - Returns: A time flagged as rounded where the conversion lost precision; infinite where the
  ///   value does not fit 64 bits; unchanged where the time is no number.
  public func converted(
    toTimescale newTimescale: Int32, rounding: RoundingMethod = .roundHalfAwayFromZero
  ) -> MediaTime {
    guard isNumeric, newTimescale > 0 else { return newTimescale > 0 ? self : .invalid }
    if newTimescale == timescale { return self }
    let wide = Int128(value) * Int128(newTimescale)
    let method: RoundingMethod =
      rounding == .quickTime
      ? (newTimescale < timescale ? .roundTowardZero : .roundAwayFromZero) : rounding
    let (quotient, exact) = Self.divide(wide, by: Int128(timescale), rounding: method)
    return Self.numeric(
      quotient, newTimescale, exact: exact && !hasBeenRounded, epoch: epoch)
  }

  /// The sum, at the least common multiple of both time scales.
  ///
  /// As `CMTimeAdd` has it: where that multiple does not fit 31 bits the result is rounded to the
  /// time scale 2147483647, and where the value does not fit 64 bits the time scale is halved until
  /// it does; a sum too large for whole seconds is infinite.
  public static func + (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
    combine(lhs, rhs) { $0 + $1 }
  }

  /// The difference, under the rules of addition.
  public static func - (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
    lhs + (-rhs)
  }

  /// The negated time.
  public static prefix func - (time: MediaTime) -> MediaTime {
    if time.isPositiveInfinity { return .negativeInfinity }
    if time.isNegativeInfinity { return .positiveInfinity }
    guard time.isNumeric else { return time }
    return numeric(
      -Int128(time.value), time.timescale, exact: !time.hasBeenRounded, epoch: time.epoch)
  }

  /// The time taken `multiplier` times; where the value does not fit, at a coarser time scale as in
  /// addition.
  public static func * (time: MediaTime, multiplier: Int64) -> MediaTime {
    if time.isInfinite {
      if multiplier == 0 { return .invalid }
      return multiplier < 0 ? -time : time
    }
    guard time.isNumeric else { return time }
    return fitted(
      Int128(time.value) * Int128(multiplier), Int128(time.timescale), time.timescale,
      exact: !time.hasBeenRounded, epoch: time.epoch)
  }

  /// Adds in place.
  public static func += (lhs: inout MediaTime, rhs: MediaTime) { lhs = lhs + rhs }
  /// Subtracts in place.
  public static func -= (lhs: inout MediaTime, rhs: MediaTime) { lhs = lhs - rhs }

  /// The time times `numerator / denominator`, at the same time scale where that is exact and at
  /// the scale times the denominator where that fits; rounded otherwise. Invalid for a zero
  /// denominator.
  public func multiplied(by numerator: Int32, over denominator: Int32) -> MediaTime {
    guard denominator != 0 else { return .invalid }
    guard isNumeric else { return self * Int64(numerator.signum() * denominator.signum()) }
    let sign: Int128 = denominator < 0 ? -1 : 1
    let divisor = Int128(denominator.magnitude)
    let product = Int128(value) * Int128(numerator) * sign
    if product % divisor == 0 {
      return Self.numeric(product / divisor, timescale, exact: !hasBeenRounded, epoch: epoch)
    }
    if let finer = Int32(exactly: Int128(timescale) * divisor),
      Int64(exactly: product) != nil
    {
      return Self.numeric(product, finer, exact: !hasBeenRounded, epoch: epoch)
    }
    let (quotient, _) = Self.divide(product, by: divisor, rounding: .roundHalfAwayFromZero)
    return Self.numeric(quotient, timescale, exact: false, epoch: epoch)
  }

  private var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }

  private static func combine(
    _ lhs: MediaTime, _ rhs: MediaTime, _ operation: (Int128, Int128) -> Int128
  ) -> MediaTime {
    guard lhs.isValid, rhs.isValid else { return .invalid }
    switch (lhs.isInfinite, rhs.isInfinite) {
    case (true, true): return lhs == rhs ? lhs : .invalid
    case (true, false): return lhs
    case (false, true): return rhs
    case (false, false): if lhs.isIndefinite || rhs.isIndefinite { return .indefinite }
    }
    guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
    let rounded = lhs.hasBeenRounded || rhs.hasBeenRounded
    let epoch = max(lhs.epoch, rhs.epoch)
    let left = Int64(lhs.timescale)
    let right = Int64(rhs.timescale)
    let common = left / greatestCommonDivisor(left, right) * right
    let sum = operation(
      Int128(lhs.value) * Int128(common / left), Int128(rhs.value) * Int128(common / right))
    return fitted(
      sum, Int128(common), Int32(clamping: common), exact: !rounded, epoch: epoch)
  }

  /// `value / divisor` seconds at a time scale, or at half of it as often as the value needs.
  private static func fitted(
    _ value: Int128, _ divisor: Int128, _ timescale: Int32, exact: Bool, epoch: Int64
  ) -> MediaTime {
    var scale = timescale
    // Only a product is as large, and its divisor is a time scale: 2^65 whole seconds fit nowhere.
    guard value.magnitude < 1 << 96 else {
      return value > 0 ? .positiveInfinity : .negativeInfinity
    }
    while true {
      // No overflow: values stay below 2^96, time scales below 2^31.
      let (result, isExact) = divide(
        value * Int128(scale), by: divisor, rounding: .roundHalfAwayFromZero)
      if Int64(exactly: result) != nil || scale == 1 {
        return numeric(result, scale, exact: exact && isExact, epoch: epoch)
      }
      scale /= 2
    }
  }

  private static func numeric(
    _ value: Int128, _ timescale: Int32, exact: Bool, epoch: Int64
  ) -> MediaTime {
    guard let value = Int64(exactly: value) else {
      return value > 0 ? .positiveInfinity : .negativeInfinity
    }
    return MediaTime(
      value: value, timescale: timescale, flags: exact ? .valid : [.valid, .hasBeenRounded],
      epoch: epoch)
  }

  private static func divide(
    _ dividend: Int128, by divisor: Int128, rounding: RoundingMethod
  ) -> (quotient: Int128, exact: Bool) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard remainder != 0 else { return (quotient, true) }
    let away: Int128 = dividend < 0 ? -1 : 1
    let magnitude = remainder < 0 ? -remainder : remainder
    let goesAway =
      switch rounding {
      case .roundHalfAwayFromZero: magnitude * 2 >= divisor
      case .roundTowardZero, .quickTime: false
      case .roundAwayFromZero: true
      case .roundTowardNegativeInfinity: dividend < 0
      case .roundTowardPositiveInfinity: dividend > 0
      }
    return (goesAway ? quotient + away : quotient, false)
  }
}

/// The greatest common divisor of two numbers, the second positive; not negative.
func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
  var (large, small) = (first, second)
  while small != 0 { (large, small) = (small, large % small) }
  return abs(large)
}

extension MediaTime: Comparable, Hashable {
  /// True where both name the same point: 1/2 equals 2/4. Times that are no numbers equal their
  /// own kind only.
  public static func == (lhs: MediaTime, rhs: MediaTime) -> Bool {
    lhs.order == rhs.order && lhs.epoch == rhs.epoch && lhs.crossProduct(rhs) == 0
  }

  /// Orders by epoch, then: negative infinity, numbers, indefinite, positive infinity, invalid.
  public static func < (lhs: MediaTime, rhs: MediaTime) -> Bool {
    if lhs.isNumeric, rhs.isNumeric, lhs.epoch != rhs.epoch { return lhs.epoch < rhs.epoch }
    if lhs.order != rhs.order { return lhs.order < rhs.order }
    return lhs.crossProduct(rhs) < 0
  }

  /// Hashes the reduced fraction, so that equal times hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(order)
    guard isNumeric else { return }
    let divisor = greatestCommonDivisor(value % Int64(timescale), Int64(timescale))
    hasher.combine(epoch)
    hasher.combine(value / divisor)
    hasher.combine(Int64(timescale) / divisor)
  }

  private var order: Int {
    if isNumeric { return 1 }
    if isNegativeInfinity { return 0 }
    if isIndefinite { return 2 }
    return isPositiveInfinity ? 3 : 4
  }

  private func crossProduct(_ other: MediaTime) -> Int128 {
    guard isNumeric, other.isNumeric else { return 0 }
    return Int128(value) * Int128(other.timescale) - Int128(other.value) * Int128(timescale)
  }
}

extension MediaTime: CustomStringConvertible {
  /// The fraction and its seconds: `1001/30000 (0.033367 s)`.
  public var description: String {
    if isNumeric { return "\(value)/\(timescale) (\(seconds.text(decimals: 6)) s)" }
    if isPositiveInfinity { return "+infinity" }
    if isNegativeInfinity { return "-infinity" }
    return isIndefinite ? "indefinite" : "invalid"
  }
}
