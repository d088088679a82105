// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Seconds on the clock used for device timestamps.
public func CACurrentMediaTime() -> CFTimeInterval { CMClockGetHostTimeClock().time.seconds }

/// Core Foundation's URL type.
public typealias CFURL = URL
/// Core Foundation's data type.
public typealias CFData = Data
