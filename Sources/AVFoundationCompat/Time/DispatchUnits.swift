// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Dispatch's units, which it does not have on Linux. Programs use them as timescales.

public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1000
public let USEC_PER_SEC: UInt64 = 1_000_000
public let MSEC_PER_SEC: UInt64 = 1000
