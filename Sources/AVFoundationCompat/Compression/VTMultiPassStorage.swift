// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
public import MediaCore

/// What an encoder notes of a first pass for a second one. There is none: every frame is made once.
public final class VTMultiPassStorage: Sendable {
  private init() {}
}

/// Makes nothing: frames are made in one pass.
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

/// - Returns: ``kVTPropertyNotSupportedErr``: there is no storage to close.
@discardableResult
public func VTMultiPassStorageClose(_ multiPassStorage: VTMultiPassStorage) -> OSStatus {
  kVTPropertyNotSupportedErr
}

/// How a pass is made.
public struct VTCompressionSessionOptionFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// No further pass follows.
  public static let beginFinalPass = VTCompressionSessionOptionFlags(rawValue: 1)
}

/// Changes nothing: a session without storage has one pass.
///
/// - Returns: ``kVTPropertyNotSupportedErr``.
@discardableResult
public func VTCompressionSessionBeginPass(
  _ session: VTCompressionSession, flags: VTCompressionSessionOptionFlags,
  _ reserved: UnsafeMutablePointer<UInt32>?
) -> OSStatus { kVTPropertyNotSupportedErr }

/// Changes nothing, and wants no further pass.
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

/// Stands where C's truth value does.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable, Hashable {
  /// The value.
  public let boolValue: Bool
  /// A value.
  public init(_ value: Bool) { boolValue = value }
  /// A value.
  public init(booleanLiteral value: Bool) { boolValue = value }
}
