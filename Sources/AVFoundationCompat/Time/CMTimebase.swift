// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A timeline driven by a clock, at a rate. It starts stopped at 0.
public final class CMTimebase: Sendable {
  /// The clock that drives the timebase.
  public let sourceClock: CMClock
  private let state = Mutex(State())
  let timers = TimebaseTimers()

  private struct State: Sendable {
    var rate = 0.0
    /// The timebase's time at an instant of its clock.
    var anchor = CMTime.zero
    var instant = CMTime.zero

    func time(at now: CMTime) -> CMTime {
      guard rate != 0 else { return anchor }
      let passed = now - instant
      guard rate != 1 else { return anchor + passed }
      return anchor + CMTimeMultiplyByFloat64(passed, multiplier: rate)
    }
  }

  /// A timebase stopped at 0.
  public init(sourceClock: CMClock) { self.sourceClock = sourceClock }

  /// The present time.
  public var time: CMTime {
    let now = sourceClock.time
    return state.withLock { $0.time(at: now) }
  }

  /// The rate; 0 while stopped.
  public var rate: Double { state.withLock { $0.rate } }

  /// The present time and the rate.
  var timeline: (time: CMTime, rate: Double) {
    let now = sourceClock.time
    return state.withLock { ($0.time(at: now), $0.rate) }
  }

  /// Sets the present time.
  ///
  /// - Throws: `AVError` for a time that is not numeric.
  public func setTime(_ time: CMTime) throws {
    guard time.isNumeric else {
      throw AVError(.unknown, "the time of a timebase must be numeric")
    }
    let now = sourceClock.time
    state.withLock {
      $0.anchor = time
      $0.instant = now
    }
    timers.follow(timeline)
  }

  /// Sets the rate.
  ///
  /// - Throws: `AVError` for a rate that is not finite.
  public func setRate(_ rate: Double) throws {
    guard rate.isFinite else { throw AVError(.unknown, "the rate of a timebase must be finite") }
    let now = sourceClock.time
    state.withLock {
      $0.anchor = $0.time(at: now)
      $0.instant = now
      $0.rate = rate
    }
    timers.follow(timeline)
  }
}

extension CMTimebase {
  /// Sets the rate, and the time at an instant of the clock.
  ///
  /// - Parameters:
  ///   - rate: Finite; 0 to stop at `anchorTime`, whatever the instant.
  ///   - anchorTime: The timebase's time.
  ///   - immediateSourceTime: The clock's time at that instant, which may be in the past or future.
  /// - Throws: `AVError` for a rate that is not finite and for times that are not numeric.
  public func setRate(
    _ rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
  ) throws {
    guard rate.isFinite, anchorTime.isNumeric, immediateSourceTime.isNumeric else {
      throw AVError(.unknown, "the rate of a timebase must be finite, and its times numeric")
    }
    state.withLock {
      $0 = State(rate: rate, anchor: anchorTime, instant: immediateSourceTime)
    }
    timers.follow(timeline)
  }

  /// Sets the time at an instant of the clock.
  ///
  /// - Throws: `AVError` for times that are not numeric.
  public func setAnchorTime(_ anchorTime: CMTime, immediateSourceTime: CMTime) throws {
    guard anchorTime.isNumeric, immediateSourceTime.isNumeric else {
      throw AVError(.unknown, "the time of a timebase must be numeric")
    }
    state.withLock { ($0.anchor, $0.instant) = (anchorTime, immediateSourceTime) }
    timers.follow(timeline)
  }

  /// Same as ``rate``, because clocks run at the host's rate.
  public var effectiveRate: Double { rate }
}

extension CMTimebase {
  /// A timebase with the times of the host's clock.
  static func ofHost() -> CMTimebase {
    let clock = CMClockGetHostTimeClock()
    let timebase = CMTimebase(sourceClock: clock)
    let now = clock.time
    try? timebase.setRate(1, anchorTime: now, immediateSourceTime: now)
    return timebase
  }
}

/// Creates a timebase stopped at 0.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
  allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: inout CMTimebase?
) -> OSStatus {
  timebaseOut = CMTimebase(sourceClock: sourceClock)
  return noErr
}

/// The present time.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }
/// The rate; 0 while stopped.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double { timebase.rate }
/// Sets the present time.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
  (try? timebase.setTime(time)) == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// Sets the rate.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Double) -> OSStatus {
  (try? timebase.setRate(rate)) == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}

/// Sets the rate, and the time at an instant of the clock: see
/// ``CMTimebase/setRate(_:anchorTime:immediateSourceTime:)``.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
  _ timebase: CMTimebase, rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  let set: Void? = try? timebase.setRate(
    rate, anchorTime: anchorTime, immediateSourceTime: immediateSourceTime)
  return set == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// Sets the time at an instant of the clock.
@discardableResult
public func CMTimebaseSetAnchorTime(
  _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  let set: Void? = try? timebase.setAnchorTime(
    timebaseTime, immediateSourceTime: immediateSourceTime)
  return set == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// Same as ``CMTimebaseGetRate(_:)``, because clocks run at the host's rate.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Double { timebase.effectiveRate }

/// A clock or a timebase.
public protocol CMSyncProtocol {
  /// The present time.
  var time: CMTime { get }
}

extension CMSyncProtocol {
  /// Converts a time to another clock or timebase, at the present rates.
  public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
    CMSyncConvertTime(time, from: self, to: clockOrTimebase)
  }
}

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

/// A clock or a timebase, by Core Media's name.
public typealias CMClockOrTimebase = any CMSyncProtocol

/// The present time.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime { clockOrTimebase.time }

/// Converts a time from one clock or timebase to another, at the present rates.
public func CMSyncConvertTime(
  _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase,
  to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
  if fromClockOrTimebase is CMClock, toClockOrTimebase is CMClock { return time }
  let fromRate = (fromClockOrTimebase as? CMTimebase)?.rate ?? 1
  let toRate = (toClockOrTimebase as? CMTimebase)?.rate ?? 1
  guard fromRate != 0 else { return .invalid }
  let distance = time - fromClockOrTimebase.time
  return toClockOrTimebase.time
    + (fromRate == toRate
      ? distance : CMTimeMultiplyByFloat64(distance, multiplier: toRate / fromRate))
}

/// A time from nanoseconds of the host's clock.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
}

/// A time of the host's clock in nanoseconds; 0 if not numeric.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  UInt64(clamping: hostTime.converted(toTimescale: 1_000_000_000, rounding: .roundTowardZero).value)
}
