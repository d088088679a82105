// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A point or span on a media timeline.
public typealias CMTime = MediaTime
/// The numerator of a time.
public typealias CMTimeValue = Int64
/// Units per second.
public typealias CMTimeScale = Int32
/// The timeline that a time belongs to.
public typealias CMTimeEpoch = Int64
/// Flags of a time.
public typealias CMTimeFlags = MediaTime.Flags
/// How a timescale conversion rounds.
public typealias CMTimeRoundingMethod = MediaTime.RoundingMethod
/// A range on a timeline.
public typealias CMTimeRange = MediaTimeRange

/// An invalid time.
public let kCMTimeInvalid = CMTime.invalid
/// An indefinite time.
public let kCMTimeIndefinite = CMTime.indefinite
/// Later than every numeric time.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// Earlier than every numeric time.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
public let kCMTimeZero = CMTime.zero
public let kCMTimeMaxTimescale = CMTimeScale.max

extension MediaTime {
  /// Same as ``CMTime/invalid``.
  public init() { self = .invalid }
}

/// `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// `value / timescale` seconds in an epoch.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: epoch)
}

/// The nearest time to `seconds` in a timescale.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  time * Int64(multiplier)
}

/// The time multiplied by `multiplier / divisor`.
public func CMTimeMultiplyByRatio(
  _ time: CMTime, multiplier: Int32, divisor: Int32
) -> CMTime {
  time.multiplied(by: multiplier, over: divisor)
}

/// -1, 0 or 1 if the first time is earlier, equal or later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  time1 < time2 ? -1 : time1 == time2 ? 0 : 1
}

public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time < .zero ? -time : time }
/// The time in another timescale.
public func CMTimeConvertScale(
  _ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod
) -> CMTime {
  time.converted(toTimescale: timescale, rounding: method)
}

/// A time multiplied by a floating-point number. The result has the time's timescale, rounded half away from zero and
/// marked as rounded if inexact. It is invalid if it does not fit.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.isNumeric else { return time }
  let product = (Double(time.value) * multiplier).rounded(.toNearestOrAwayFromZero)
  guard let value = Int64(exactly: product) else { return .invalid }
  let isExact = product == Double(time.value) * multiplier
  return CMTime(
    value: value, timescale: time.timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
    epoch: time.epoch)
}

public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// True if the time lost precision in a computation.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// The result of a comparison: `CMTIME_COMPARE_INLINE(start, <, end)`.
public func CMTIME_COMPARE_INLINE(
  _ time1: CMTime, _ comparator: (CMTime, CMTime) -> Bool, _ time2: CMTime
) -> Bool {
  comparator(time1, time2)
}

public func CMTimeShow(_ time: CMTime) { print(time) }

extension MediaTime.RoundingMethod {
  /// To the nearest, halves away from zero.
  public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension MediaTime {
  /// The time in another timescale, by Apple's name.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    converted(toTimescale: newTimescale, rounding: method)
  }
}

public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}

/// A range from its start to its end, which it does not include.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, end: end)
}

/// The first instant after the range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  range.contains(time)
}
public func CMTimeRangeGetIntersection(
  _ range: CMTimeRange, otherRange: CMTimeRange
) -> CMTimeRange {
  range.intersection(otherRange)
}

extension MediaTimeRange {
  /// True if `time` is in the range, by Apple's name.
  public func containsTime(_ time: CMTime) -> Bool { contains(time) }
}

/// A clock of media times.
public struct CMClock: Sendable {
  /// The clock of capture devices: CLOCK_MONOTONIC.
  public static let hostTimeClock = CMClock()
  /// The present time.
  public var time: CMTime { CMTime(value: MonotonicClock.now, timescale: 1_000_000_000) }
}

/// The clock of capture devices.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
/// The present time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
