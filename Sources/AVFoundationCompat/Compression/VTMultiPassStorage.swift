// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore

/// An encoder's notes from a first pass for a second one. Not supported: every frame is encoded once.
public final class VTMultiPassStorage: Sendable {
  private init() {}
}

/// Creates nothing: frames are encoded in one pass.
///
/// - Returns: ``kVTPropertyNotSupportedErr``, with no storage.
@discardableResult
public func VTMultiPassStorageCreate(
  allocator: CFAllocator?, fileURL: CFURL?, timeRange: CMTimeRange, options: CFDictionary?,
  multiPassStorageOut: UnsafeMutablePointer<VTMultiPassStorage?>
) -> OSStatus {
  multiPassStorageOut.pointee = nil
  return kVTPropertyNotSupportedErr
}

/// - Returns: ``kVTPropertyNotSupportedErr``, always: there is no storage to close.
@discardableResult
public func VTMultiPassStorageClose(_ multiPassStorage: VTMultiPassStorage) -> OSStatus {
  kVTPropertyNotSupportedErr
}

/// Options of a pass.
public struct VTCompressionSessionOptionFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// No further pass follows.
  public static let beginFinalPass = VTCompressionSessionOptionFlags(rawValue: 1)
}

/// Has no effect: a session without storage has one pass.
///
/// - Returns: ``kVTPropertyNotSupportedErr``.
@discardableResult
public func VTCompressionSessionBeginPass(
  _ session: VTCompressionSession, flags: VTCompressionSessionOptionFlags,
  _ reserved: UnsafeMutablePointer<UInt32>?
) -> OSStatus { kVTPropertyNotSupportedErr }

/// Has no effect, and requests no further pass.
///
/// - Returns: ``kVTPropertyNotSupportedErr``.
@discardableResult
public func VTCompressionSessionEndPass(
  _ session: VTCompressionSession, furtherPassesRequestedOut: UnsafeMutablePointer<DarwinBoolean>?,
  _ reserved: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  furtherPassesRequestedOut?.pointee = false
  return kVTPropertyNotSupportedErr
}

/// A Boolean as C declares it.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable, Hashable {
  public let boolValue: Bool
  /// A value.
  public init(_ value: Bool) { boolValue = value }
  /// A value.
  public init(booleanLiteral value: Bool) { boolValue = value }
}
