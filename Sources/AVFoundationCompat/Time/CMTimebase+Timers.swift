// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Dispatch
public import MediaCore

/// A timebase has no such timer, or cannot have such a time.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749

extension CMTimebase {
  /// Takes a timer of Dispatch that is to fire by this timeline. It does not before it has a time: see
  /// ``setTimerNextFireTime(_:fireTime:flags:)``. The program activates it.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func addTimer(_ timerSource: any DispatchSourceTimer) throws { timers.add(timerSource) }

  /// Lets go of a timer, which does not fire any more.
  ///
  /// - Throws: `AVError` for one that was not added.
  public func removeTimer(_ timerSource: any DispatchSourceTimer) throws {
    guard timers.remove(timerSource) else { throw Self.unknownTimer }
  }

  /// Has a timer fire once, when the timeline comes to a time: at once where it is there, also where it is set to that
  /// later, and not while it stands still.
  ///
  /// - Parameters:
  ///   - timerSource: A timer that was added.
  ///   - fireTime: When; a time that is no number for never.
  ///   - flags: Ignored.
  /// - Throws: `AVError` for a timer that was not added.
  public func setTimerNextFireTime(
    _ timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32 = 0
  ) throws {
    let isKnown =
      fireTime.isNumeric
      ? timers.fire(timerSource, at: fireTime, on: timeline) : timers.silence(timerSource)
    guard isKnown else { throw Self.unknownTimer }
  }

  /// Has a timer fire once, now.
  ///
  /// - Throws: `AVError` for a timer that was not added.
  public func setTimerToFireImmediately(_ timerSource: any DispatchSourceTimer) throws {
    guard timers.fire(timerSource, at: nil, on: timeline) else { throw Self.unknownTimer }
  }

  private static var unknownTimer: AVError {
    AVError(.operationNotAllowed, "the timer is not one of this timebase; add it first")
  }

  /// The clock that it runs with.
  public var source: CMClockOrTimebase { sourceClock }
}

private func status(_ call: () throws -> Void) -> OSStatus {
  (try? call()) == nil ? kCMTimebaseError_InvalidParameter : noErr
}

/// Takes a timer that is to fire by a timeline: see ``CMTimebase/addTimer(_:)``.
@discardableResult
public func CMTimebaseAddTimerDispatchSource(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.addTimer(timerSource) } }

/// Lets go of a timer: ``kCMTimebaseError_InvalidParameter`` for one that was not added.
@discardableResult
public func CMTimebaseRemoveTimerDispatchSource(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.removeTimer(timerSource) } }

/// Has a timer fire when a timeline comes to a time: see ``CMTimebase/setTimerNextFireTime(_:fireTime:flags:)``.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceNextFireTime(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
  status { try timebase.setTimerNextFireTime(timerSource, fireTime: fireTime, flags: flags) }
}

/// Has a timer fire now: ``kCMTimebaseError_InvalidParameter`` for one that was not added.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceToFireImmediately(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus { status { try timebase.setTimerToFireImmediately(timerSource) } }

extension CMSyncProtocol {
  /// False: all clocks here are the host's.
  public func mightDrift(relativeTo clockOrTimebase: any CMSyncProtocol) -> Bool { false }
}

/// False: all clocks here are the host's.
public func CMSyncMightDrift(
  _ clockOrTimebase1: CMClockOrTimebase, _ clockOrTimebase2: CMClockOrTimebase
) -> Bool { false }

/// Gives the host's clock: audio devices' samples have its times.
@discardableResult
public func CMAudioClockCreate(
  allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>
) -> OSStatus {
  clockOut.pointee = CMClockGetHostTimeClock()
  return noErr
}
