// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import MediaCore

/// The timer was not added to the timebase, or the time is invalid.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749

extension CMTimebase {
  /// Adds a Dispatch timer that fires on this timeline. It does not fire before a time is set with
  /// ``setTimerNextFireTime(_:fireTime:flags:)``. The program must activate it.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func addTimer(_ timerSource: any DispatchSourceTimer) throws { timers.add(timerSource) }

  /// Removes a timer, which then no longer fires.
  ///
  /// - Throws: `AVError` if the timer was not added.
  public func removeTimer(_ timerSource: any DispatchSourceTimer) throws {
    guard timers.remove(timerSource) else { throw Self.unknownTimer }
  }

  /// Makes a timer fire once, when the timeline reaches a time: immediately if it is past that time or is set past
  /// it, and not while it is stopped.
  ///
  /// - Parameters:
  ///   - timerSource: A timer that was added.
  ///   - fireTime: The time; not numeric for never.
  ///   - flags: Ignored.
  /// - Throws: `AVError` if the timer was not added.
  public func setTimerNextFireTime(
    _ timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32 = 0
  ) throws {
    let isKnown =
      fireTime.isNumeric
      ? timers.fire(timerSource, at: fireTime, on: timeline) : timers.silence(timerSource)
    guard isKnown else { throw Self.unknownTimer }
  }

  /// Makes a timer fire once, now.
  ///
  /// - Throws: `AVError` if the timer was not added.
  public func setTimerToFireImmediately(_ timerSource: any DispatchSourceTimer) throws {
    guard timers.fire(timerSource, at: nil, on: timeline) else { throw Self.unknownTimer }
  }

  private static var unknownTimer: AVError {
    AVError(.operationNotAllowed, "the timer does not belong to this timebase; add it first")
  }

  /// The clock that drives the timebase.
  public var source: CMClockOrTimebase { sourceClock }
}

private func status(_ call: () throws -> Void) -> OSStatus {
  (try? call()) == nil ? kCMTimebaseError_InvalidParameter : noErr
}

/// Adds a timer that fires on a timeline: see ``CMTimebase/addTimer(_:)``.
@discardableResult
public func CMTimebaseAddTimerDispatchSource(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.addTimer(timerSource) } }

/// Removes a timer. Returns ``kCMTimebaseError_InvalidParameter`` if it was not added.
@discardableResult
public func CMTimebaseRemoveTimerDispatchSource(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.removeTimer(timerSource) } }

/// Makes a timer fire when a timeline reaches a time: see ``CMTimebase/setTimerNextFireTime(_:fireTime:flags:)``.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceNextFireTime(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
  status { try timebase.setTimerNextFireTime(timerSource, fireTime: fireTime, flags: flags) }
}

/// Makes a timer fire now. Returns ``kCMTimebaseError_InvalidParameter`` if it was not added.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceToFireImmediately(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.setTimerToFireImmediately(timerSource) } }

extension CMSyncProtocol {
  /// False: all clocks here are the host's clock.
  public func mightDrift(relativeTo clockOrTimebase: any CMSyncProtocol) -> Bool { false }
}

/// False: all clocks here are the host's clock.
public func CMSyncMightDrift(
  _ clockOrTimebase1: CMClockOrTimebase, _ clockOrTimebase2: CMClockOrTimebase
) -> Bool { false }

/// Returns the host's clock, because timestamps of audio devices are on it.
@discardableResult
public func CMAudioClockCreate(
  allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>
) -> OSStatus {
  clockOut.pointee = CMClockGetHostTimeClock()
  return noErr
}
