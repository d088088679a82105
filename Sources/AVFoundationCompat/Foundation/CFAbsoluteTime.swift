import Foundation

/// Seconds since the beginning of 2001.
public typealias CFAbsoluteTime = Double
/// Seconds.
public typealias CFTimeInterval = Double

/// The wall clock time, in seconds since the beginning of 2001. It can jump when the clock is set.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }
