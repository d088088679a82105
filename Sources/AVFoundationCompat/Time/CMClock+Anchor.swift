public import MediaCore

extension CMClock {
  /// An instant by this clock, and by the one that it is told from, which is the host's: the same time.
  ///
  /// - Throws: Nothing here; Apple's does.
  public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
    let now = time
    return (now, now)
  }
}

/// An instant by a clock, and by the host's clock: as ``CMClock/anchorTime()``.
@discardableResult
public func CMClockGetAnchorTime(
  _ clock: CMClock, clockTimeOut: inout CMTime, referenceClockTimeOut: inout CMTime
) -> OSStatus {
  clockTimeOut = clock.time
  referenceClockTimeOut = clockTimeOut
  return noErr
}
