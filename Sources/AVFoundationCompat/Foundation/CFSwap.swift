// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Core Foundation's turns of bytes, which Foundation leaves out on Linux. Programs write the lengths of H.264's units so.

/// A number whose bytes in memory are in the order of networks.
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
/// A number whose bytes in memory are in the order of networks.
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
/// A number whose bytes in memory are in the order of networks.
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
/// A number of bytes in the order of networks.
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
/// A number of bytes in the order of networks.
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
/// A number of bytes in the order of networks.
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
