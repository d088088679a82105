// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A timeline that runs with a clock, at a rate, from a time: 0 and standing still at first.
public final class CMTimebase: Sendable {
  /// The clock that it runs with.
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

  /// A timebase that stands still at zero.
  public init(sourceClock: CMClock) { self.sourceClock = sourceClock }

  /// The time now.
  public var time: CMTime {
    let now = sourceClock.time
    return state.withLock { $0.time(at: now) }
  }

  /// How fast it runs: 0 while it stands still.
  public var rate: Double { state.withLock { $0.rate } }

  /// The time now, and how fast it runs from there.
  var timeline: (time: CMTime, rate: Double) {
    let now = sourceClock.time
    return state.withLock { ($0.time(at: now), $0.rate) }
  }

  /// Sets the time now.
  ///
  /// - Throws: `AVError` for a time that is not numeric.
  public func setTime(_ time: CMTime) throws {
    guard time.isNumeric else {
      throw AVError(.unknown, "a timebase has a time that is a number")
    }
    let now = sourceClock.time
    state.withLock {
      $0.anchor = time
      $0.instant = now
    }
    timers.follow(timeline)
  }

  /// Sets how fast it runs.
  ///
  /// - Throws: `AVError` for a rate that is not finite.
  public func setRate(_ rate: Double) throws {
    guard rate.isFinite else { throw AVError(.unknown, "a timebase runs at a finite rate") }
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
  /// Sets how fast it runs, and which time it has at an instant of its clock.
  ///
  /// - Parameters:
  ///   - rate: Finite; 0 to stand still, at `anchorTime` whatever the instant.
  ///   - anchorTime: The timebase's time.
  ///   - immediateSourceTime: The clock's time then, which may be to come or have passed.
  /// - Throws: `AVError` for a rate that is not finite and for times that are not numeric.
  public func setRate(
    _ rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
  ) throws {
    guard rate.isFinite, anchorTime.isNumeric, immediateSourceTime.isNumeric else {
      throw AVError(.unknown, "a timebase runs at a finite rate, from a time that is a number")
    }
    state.withLock {
      $0 = State(rate: rate, anchor: anchorTime, instant: immediateSourceTime)
    }
    timers.follow(timeline)
  }

  /// Sets which time it has at an instant of its clock.
  ///
  /// - Throws: `AVError` for times that are not numeric.
  public func setAnchorTime(_ anchorTime: CMTime, immediateSourceTime: CMTime) throws {
    guard anchorTime.isNumeric, immediateSourceTime.isNumeric else {
      throw AVError(.unknown, "a timebase has a time that is a number")
    }
    state.withLock { ($0.anchor, $0.instant) = (anchorTime, immediateSourceTime) }
    timers.follow(timeline)
  }

  /// As ``rate``: a clock runs as fast as the host's.
  public var effectiveRate: Double { rate }
}

extension CMTimebase {
  /// A timeline with the times of the host's clock.
  static func ofHost() -> CMTimebase {
    let clock = CMClockGetHostTimeClock()
    let timebase = CMTimebase(sourceClock: clock)
    let now = clock.time
    try? timebase.setRate(1, anchorTime: now, immediateSourceTime: now)
    return timebase
  }
}

/// Makes a timebase that stands still at zero.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
  allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: inout CMTimebase?
) -> OSStatus {
  timebaseOut = CMTimebase(sourceClock: sourceClock)
  return noErr
}

/// The time now.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }
/// How fast it runs.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double { timebase.rate }
/// Sets the time now.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
  (try? timebase.setTime(time)) == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// Sets how fast it runs.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Double) -> OSStatus {
  (try? timebase.setRate(rate)) == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}

/// Sets how fast it runs, and which time it has at an instant of its clock: see
/// ``CMTimebase/setRate(_:anchorTime:immediateSourceTime:)``.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
  _ timebase: CMTimebase, rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  let set: Void? = try? timebase.setRate(
    rate, anchorTime: anchorTime, immediateSourceTime: immediateSourceTime)
  return set == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// Sets which time it has at an instant of its clock.
@discardableResult
public func CMTimebaseSetAnchorTime(
  _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  let set: Void? = try? timebase.setAnchorTime(
    timebaseTime, immediateSourceTime: immediateSourceTime)
  return set == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}
/// As ``CMTimebaseGetRate(_:)``: a clock runs as fast as the host's.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Double { timebase.effectiveRate }

/// A clock or a timebase.
public protocol CMSyncProtocol {
  /// The time now.
  var time: CMTime { get }
}

extension CMSyncProtocol {
  /// An instant of this clock or timebase as another one has it, at the rates that they run at now.
  public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
    CMSyncConvertTime(time, from: self, to: clockOrTimebase)
  }
}

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

/// A clock or a timebase, as text of Core Media calls it.
public typealias CMClockOrTimebase = any CMSyncProtocol

/// The time now.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime { clockOrTimebase.time }

/// An instant of one clock or timebase as another one has it, at the rates that they run at now.
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

/// Nanoseconds of the host's clock, as a time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
}

/// A time of the host's clock, in nanoseconds; 0 where it is no number.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  UInt64(clamping: hostTime.converted(toTimescale: 1_000_000_000, rounding: .roundTowardZero).value)
}
