import Foundation

/// Seconds from the beginning of 2001.
public typealias CFAbsoluteTime = Double
/// Seconds.
public typealias CFTimeInterval = Double

/// The time of day, in seconds from the beginning of 2001. It is set back and forth as clocks are.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }
