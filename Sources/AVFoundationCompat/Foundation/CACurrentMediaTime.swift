// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Seconds on the clock that devices' times are on.
public func CACurrentMediaTime() -> CFTimeInterval { CMClockGetHostTimeClock().time.seconds }

/// Stands where Core Foundation's address of a file does.
public typealias CFURL = URL
/// Stands where Core Foundation's bytes do.
public typealias CFData = Data
