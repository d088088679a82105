// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// False: no screen is recorded here.
public func CGPreflightScreenCaptureAccess() -> Bool { false }

/// False, and nobody is asked: no screen is recorded here.
@discardableResult
public func CGRequestScreenCaptureAccess() -> Bool { false }

/// An object of Core Media IO.
public typealias CMIOObjectID = UInt32
/// Names a property of an object.
public typealias CMIOObjectPropertySelector = UInt32
/// Names a part of an object.
public typealias CMIOObjectPropertyScope = UInt32
/// Numbers a part of an object.
public typealias CMIOObjectPropertyElement = UInt32

/// The system itself.
public let kCMIOObjectSystemObject = 1
/// All of an object.
public let kCMIOObjectPropertyScopeGlobal = 0x676C_6F62
/// The first part of an object.
public let kCMIOObjectPropertyElementMain = 0
/// Whether the screens of phones on a cable are cameras; here they are not.
public let kCMIOHardwarePropertyAllowScreenCaptureDevices = 0x7965_7320
/// An object has no such property.
public let kCMIOHardwareUnknownPropertyError: OSStatus = 0x7768_6F3F

/// Which property of an object is meant.
public struct CMIOObjectPropertyAddress: Sendable, Hashable {
  public var mSelector: CMIOObjectPropertySelector
  public var mScope: CMIOObjectPropertyScope
  public var mElement: CMIOObjectPropertyElement

  /// An address from its parts.
  public init(
    mSelector: CMIOObjectPropertySelector, mScope: CMIOObjectPropertyScope,
    mElement: CMIOObjectPropertyElement
  ) {
    self.mSelector = mSelector
    self.mScope = mScope
    self.mElement = mElement
  }
}

/// Sets nothing: there is no Core Media IO.
///
/// - Returns: ``kCMIOHardwareUnknownPropertyError``.
@discardableResult
public func CMIOObjectSetPropertyData(
  _ objectID: CMIOObjectID, _ address: UnsafePointer<CMIOObjectPropertyAddress>?,
  _ qualifierDataSize: UInt32, _ qualifierData: UnsafeRawPointer?, _ dataSize: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  kCMIOHardwareUnknownPropertyError
}
