// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Sets a property of a compression, decompression or pixel transfer session; nil resets it.
///
/// Properties must be set before the first frame. The average bit rate of H.264 can change later if the encoder
/// supports it.
///
/// - Returns: ``kVTPropertyNotSupportedErr`` for a key that the codec does not use here, ``kVTParameterErr`` for a
///   value that no encoder supports, ``kVTPropertyReadOnlyErr``, ``kVTInvalidSessionErr``. The session's `error` gives
///   the reason.
@discardableResult
public func VTSessionSetProperty(
  _ session: VTSession, key propertyKey: CFString, value propertyValue: CFTypeRef?
) -> OSStatus {
  if let session = session as? VTDecompressionSession {
    return session.set(propertyValue, for: propertyKey)
  }
  if let session = session as? VTPixelTransferSession {
    return session.set(propertyValue, for: propertyKey)
  }
  guard let session = session as? VTCompressionSession else { return kVTInvalidSessionErr }
  return session.set(propertyValue, for: propertyKey)
}

/// Sets several properties, in key order.
///
/// - Returns: As ``VTSessionSetProperty(_:key:value:)``, for the first property that is refused; the others are set.
@discardableResult
public func VTSessionSetProperties(
  _ session: VTSession, propertyDictionary: CFDictionary
) -> OSStatus {
  var first = noErr
  for (key, value) in propertyDictionary.sorted(by: { $0.key < $1.key }) {
    let status = VTSessionSetProperty(session, key: key, value: value)
    if first == noErr { first = status }
  }
  return first
}

/// Reads a property.
///
/// - Parameters:
///   - session: The session.
///   - propertyKey: The key.
///   - allocator: Ignored.
///   - propertyValueOut: A variable of type `CFTypeRef?`; set to the value, or to nil if the property has none.
/// - Returns: ``kVTPropertyNotSupportedErr``, ``kVTInvalidSessionErr``.
@discardableResult
public func VTSessionCopyProperty(
  _ session: VTSession, key propertyKey: CFString, allocator: CFAllocator?,
  valueOut propertyValueOut: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  if let session = session as? VTDecompressionSession, session.isValid {
    guard VTDecompressionSession.properties[propertyKey] != nil else {
      return kVTPropertyNotSupportedErr
    }
    propertyValueOut?.pointee = session.value(of: propertyKey)
    return noErr
  }
  if let session = session as? VTPixelTransferSession, session.isValid {
    guard VTPixelTransferSession.properties[propertyKey] != nil else {
      return kVTPropertyNotSupportedErr
    }
    propertyValueOut?.pointee = session.value(of: propertyKey)
    return noErr
  }
  guard let session = session as? VTCompressionSession, session.isValid else {
    return kVTInvalidSessionErr
  }
  guard CompressionProperties.all(of: session.codec).contains(where: { $0.key == propertyKey })
  else { return kVTPropertyNotSupportedErr }
  propertyValueOut?.pointee = session.value(of: propertyKey)
  return noErr
}

/// The properties that a session supports: for each key a dictionary with `kVTPropertyTypeKey`,
/// `kVTPropertyReadWriteStatusKey` and, for an enumeration, `kVTPropertySupportedValueListKey`.
@discardableResult
public func VTSessionCopySupportedPropertyDictionary(
  _ session: VTSession, supportedPropertyDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> OSStatus {
  supportedPropertyDictionaryOut.pointee = nil
  if let session = session as? VTDecompressionSession, session.isValid {
    supportedPropertyDictionaryOut.pointee = VTDecompressionSession.propertyDictionary
    return noErr
  }
  if let session = session as? VTPixelTransferSession, session.isValid {
    supportedPropertyDictionaryOut.pointee = VTPixelTransferSession.propertyDictionary
    return noErr
  }
  guard let session = session as? VTCompressionSession, session.isValid else {
    return kVTInvalidSessionErr
  }
  supportedPropertyDictionaryOut.pointee = VideoEncoderList.properties(of: session.codec)
  return noErr
}

/// The properties that have been set.
@discardableResult
public func VTSessionCopySerializableProperties(
  _ session: VTSession, allocator: CFAllocator?,
  dictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> OSStatus {
  dictionaryOut.pointee = nil
  if let session = session as? VTDecompressionSession, session.isValid {
    let key = kVTDecompressionPropertyKey_RealTime
    dictionaryOut.pointee = session.value(of: key).map { [key: $0] } ?? [:]
    return noErr
  }
  if let session = session as? VTPixelTransferSession, session.isValid {
    let keys = VTPixelTransferSession.properties.keys
    dictionaryOut.pointee = Dictionary(
      uniqueKeysWithValues: keys.compactMap { key in session.value(of: key).map { (key, $0) } })
    return noErr
  }
  guard let session = session as? VTCompressionSession, session.isValid else {
    return kVTInvalidSessionErr
  }
  var set: [String: Any] = [:]
  for property in CompressionProperties.all(of: session.codec) where !property.isReadOnly {
    set[property.key] = session.value(of: property.key)
  }
  dictionaryOut.pointee = set
  return noErr
}
