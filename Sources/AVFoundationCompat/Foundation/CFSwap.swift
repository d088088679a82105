// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Core Foundation's byte swapping functions, which Foundation lacks on Linux. Programs use them to write H.264 NAL unit
// lengths.

/// Converts from host to big-endian byte order.
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
/// Converts from host to big-endian byte order.
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
/// Converts from host to big-endian byte order.
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
/// Converts from big-endian to host byte order.
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
/// Converts from big-endian to host byte order.
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
/// Converts from big-endian to host byte order.
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
