// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A point or span on a media timeline.
public typealias CMTime = MediaTime
/// The numerator of a time.
public typealias CMTimeValue = Int64
/// Units a second.
public typealias CMTimeScale = Int32
/// The timeline that a time belongs to.
public typealias CMTimeEpoch = Int64
/// Properties of a time beyond its number.
public typealias CMTimeFlags = MediaTime.Flags
/// How a conversion to another time scale treats what does not fit.
public typealias CMTimeRoundingMethod = MediaTime.RoundingMethod
/// A span of a timeline.
public typealias CMTimeRange = MediaTimeRange

/// Not a time at all.
public let kCMTimeInvalid = CMTime.invalid
/// A time that is not known.
public let kCMTimeIndefinite = CMTime.indefinite
/// Later than every number.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// Earlier than every number.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// Zero seconds.
public let kCMTimeZero = CMTime.zero
/// The largest time scale.
public let kCMTimeMaxTimescale = CMTimeScale.max

extension MediaTime {
  /// No time: ``CMTime/invalid``.
  public init() { self = .invalid }
}

/// `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// `value / timescale` seconds of a timeline.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: epoch)
}

/// The nearest time to `seconds` at a time scale.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// The time in seconds.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
/// The sum.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
/// The difference.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
/// The time taken `multiplier` times.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  time * Int64(multiplier)
}

/// The time times `multiplier / divisor`.
public func CMTimeMultiplyByRatio(
  _ time: CMTime, multiplier: Int32, divisor: Int32
) -> CMTime {
  time.multiplied(by: multiplier, over: divisor)
}

/// -1, 0 or 1: whether the first is earlier, the same or later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  time1 < time2 ? -1 : time1 == time2 ? 0 : 1
}

/// The earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }
/// The later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }
/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time < .zero ? -time : time }
/// The same time at another time scale.
public func CMTimeConvertScale(
  _ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod
) -> CMTime {
  time.converted(toTimescale: timescale, rounding: method)
}

/// A time multiplied by a real number, rounded to the time's own scale, half away from zero, and marked
/// as rounded; an invalid time where the product is too large for the scale.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.isNumeric else { return time }
  let product = (Double(time.value) * multiplier).rounded(.toNearestOrAwayFromZero)
  guard let value = Int64(exactly: product) else { return .invalid }
  let isExact = product == Double(time.value) * multiplier
  return CMTime(
    value: value, timescale: time.timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
    epoch: time.epoch)
}

/// True if the time is meant.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// True if the time is not meant.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// True for a number.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// True for a time that is not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// True for what is later than every number.
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// True for what is earlier than every number.
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// True if some computation behind the time lost precision.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// What a comparison says of two times: `CMTIME_COMPARE_INLINE(start, <, end)`.
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
  /// The same time at another time scale, as Apple calls it.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    converted(toTimescale: newTimescale, rounding: method)
  }
}

/// A range from its first instant and length.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}

/// A range from its first instant to the first one after it.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, end: end)
}

/// The first instant after the range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
/// True if the time lies in the range.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  range.contains(time)
}
/// What both ranges hold.
public func CMTimeRangeGetIntersection(
  _ range: CMTimeRange, otherRange: CMTimeRange
) -> CMTimeRange {
  range.intersection(otherRange)
}

extension MediaTimeRange {
  /// True if `time` lies in the range, as Apple calls it.
  public func containsTime(_ time: CMTime) -> Bool { contains(time) }
}

/// A clock of media times.
public struct CMClock: Sendable {
  /// The clock of live devices: CLOCK_MONOTONIC.
  public static let hostTimeClock = CMClock()
  /// The time now.
  public var time: CMTime { CMTime(value: MonotonicClock.now, timescale: 1_000_000_000) }
}

/// The clock of live devices.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
/// The time of a clock now.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
