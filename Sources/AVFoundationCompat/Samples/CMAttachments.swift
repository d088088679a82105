// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// Stands where Core Foundation's array does.
public typealias CFArray = [Any]
/// Stands where any value of Core Foundation does.
public typealias CFTypeRef = Any
/// Whether what is made of a buffer gets its attachment, too.
public typealias CMAttachmentMode = UInt32
/// It does not.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// It does.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// What attachments can be put on: sample buffers, pictures, blocks of bytes.
public protocol CMAttachmentBearer {
  /// A value by its name, and its mode.
  func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)?
  /// Puts a value on the buffer; nil takes the one of that name off.
  func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode)
  /// All values of a mode, by their names.
  func attachments(ofMode mode: CMAttachmentMode) -> [String: Any]
}

extension AttachmentStore {
  func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)? {
    contents.withLock { $0.ofBuffer[key] }.map { entry in
      (
        entry.value,
        entry.propagates ? kCMAttachmentMode_ShouldPropagate : kCMAttachmentMode_ShouldNotPropagate
      )
    }
  }

  func set(_ value: Any?, forKey key: String, mode: CMAttachmentMode) {
    let entry = value.map {
      Contents.Entry(value: $0, propagates: mode == kCMAttachmentMode_ShouldPropagate)
    }
    // `Any`, as in Apple's call: the lock guards the entry, and the program gives the value away.
    nonisolated(unsafe) let sent = entry
    contents.withLock { $0.ofBuffer[key] = sent }
  }

  func attachments(ofMode mode: CMAttachmentMode) -> [String: Any] {
    let propagates = mode == kCMAttachmentMode_ShouldPropagate
    return contents.withLock { $0 }.ofBuffer
      .filter { $0.value.propagates == propagates && !Self.privateKeys.contains($0.key) }
      .mapValues(\.value)
  }
}

extension SampleBuffer: CMAttachmentBearer {
  /// A value by its name, and its mode.
  public func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)? {
    notes?.attachment(forKey: key)
  }
  /// Puts a value on the sample; every copy of it has it, too.
  public func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode) {
    notes?.set(value, forKey: key, mode: mode)
  }
  /// All values of a mode, by their names.
  public func attachments(ofMode mode: CMAttachmentMode) -> [String: Any] {
    notes?.attachments(ofMode: mode) ?? [:]
  }
}

extension PixelBuffer: CMAttachmentBearer {
  /// A value by its name, and its mode. Color, field order and the shape of a pixel are there under Core
  /// Video's names unless they were set anew.
  public func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)? {
    attachments.withLock { $0 }?.attachment(forKey: key)
      ?? ImageBufferAttachments.described(by: details)[key].map {
        ($0, kCMAttachmentMode_ShouldPropagate)
      }
  }
  /// Puts a value on the picture.
  public func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode) {
    let store = attachments.withLock { store in
      let present = store ?? AttachmentStore()
      store = present
      return present
    }
    store.set(value, forKey: key, mode: mode)
  }
  /// All values of a mode, by their names.
  public func attachments(ofMode mode: CMAttachmentMode) -> [String: Any] {
    let set = attachments.withLock { $0 }
    let own = set?.attachments(ofMode: mode) ?? [:]
    guard mode == kCMAttachmentMode_ShouldPropagate else { return own }
    return ImageBufferAttachments.described(by: details).merging(own) { $1 }
  }
}

/// Puts a value on a buffer; nil takes it off.
public func CMSetAttachment(
  _ target: any CMAttachmentBearer, key: CFString, value: CFTypeRef?,
  attachmentMode: CMAttachmentMode
) {
  target.setAttachment(value, forKey: key, mode: attachmentMode)
}

/// A value that was put on a buffer, and its mode.
public func CMGetAttachment(
  _ target: any CMAttachmentBearer, key: CFString,
  attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  guard let (value, mode) = target.attachment(forKey: key) else { return nil }
  attachmentModeOut?.pointee = mode
  return value
}

/// Takes a value off a buffer.
public func CMRemoveAttachment(_ target: any CMAttachmentBearer, key: CFString) {
  target.setAttachment(nil, forKey: key, mode: kCMAttachmentMode_ShouldNotPropagate)
}

/// Takes all values off a buffer.
public func CMRemoveAllAttachments(_ target: any CMAttachmentBearer) {
  for mode in [kCMAttachmentMode_ShouldPropagate, kCMAttachmentMode_ShouldNotPropagate] {
    for key in target.attachments(ofMode: mode).keys { CMRemoveAttachment(target, key: key) }
  }
}

/// All values of a mode on a buffer; nil if there are none.
public func CMCopyDictionaryOfAttachments(
  allocator: CFAllocator?, target: any CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
  let all = target.attachments(ofMode: attachmentMode)
  return all.isEmpty ? nil : all
}

/// Puts several values on a buffer.
public func CMSetAttachments(
  _ target: any CMAttachmentBearer, attachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
  for (key, value) in attachments {
    target.setAttachment(value, forKey: key, mode: attachmentMode)
  }
}

/// Puts those values of one buffer on another one that what is made of it gets.
public func CMPropagateAttachments(
  _ source: any CMAttachmentBearer, destination: any CMAttachmentBearer
) {
  let mode = kCMAttachmentMode_ShouldPropagate
  CMSetAttachments(destination, attachments: source.attachments(ofMode: mode), attachmentMode: mode)
}
