// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// False: screens cannot be recorded here.
public func CGPreflightScreenCaptureAccess() -> Bool { false }

/// False, without asking the user: screens cannot be recorded here.
@discardableResult
public func CGRequestScreenCaptureAccess() -> Bool { false }

/// The ID of a Core Media IO object.
public typealias CMIOObjectID = UInt32
/// A property of an object.
public typealias CMIOObjectPropertySelector = UInt32
/// A scope of an object.
public typealias CMIOObjectPropertyScope = UInt32
/// An element of an object.
public typealias CMIOObjectPropertyElement = UInt32

/// The system itself.
public let kCMIOObjectSystemObject = 1
/// The object as a whole.
public let kCMIOObjectPropertyScopeGlobal = 0x676C_6F62
/// The first element of an object.
public let kCMIOObjectPropertyElementMain = 0
/// Whether the screens of connected phones are cameras; here they are not.
public let kCMIOHardwarePropertyAllowScreenCaptureDevices = 0x7965_7320
/// The object does not have the property.
public let kCMIOHardwareUnknownPropertyError: OSStatus = 0x7768_6F3F

/// Identifies a property of an object.
public struct CMIOObjectPropertyAddress: Sendable, Hashable {
  public var mSelector: CMIOObjectPropertySelector
  public var mScope: CMIOObjectPropertyScope
  public var mElement: CMIOObjectPropertyElement

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
