public import MediaCore

extension CMClock {
  /// The same instant on this clock and on the host's clock, which it follows: both times are equal.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
    let now = time
    return (now, now)
  }
}

/// The same instant on a clock and on the host's clock, see ``CMClock/anchorTime()``.
@discardableResult
public func CMClockGetAnchorTime(
  _ clock: CMClock, clockTimeOut: inout CMTime, referenceClockTimeOut: inout CMTime
) -> OSStatus {
  clockTimeOut = clock.time
  referenceClockTimeOut = clockTimeOut
  return noErr
}
