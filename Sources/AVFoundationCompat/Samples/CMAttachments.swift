// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// Stands for Core Foundation's array type.
public typealias CFArray = [Any]
/// Stands for any Core Foundation type.
public typealias CFTypeRef = Any
/// Whether an attachment is propagated to buffers made from the buffer.
public typealias CMAttachmentMode = UInt32
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object with attachments: a sample buffer, pixel buffer or block buffer.
public protocol CMAttachmentBearer {
  /// The value for a key, and its mode.
  func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)?
  /// Sets the value for a key; nil removes it.
  func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode)
  /// All values with a mode, by key.
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
    // `Any`, as in Apple's API. The lock protects the entry, and the caller hands over the value.
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
  /// The value for a key, and its mode.
  public func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)? {
    notes?.attachment(forKey: key)
  }
  /// Sets the value for a key, on all copies of the sample.
  public func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode) {
    notes?.set(value, forKey: key, mode: mode)
  }
  /// All values with a mode, by key.
  public func attachments(ofMode mode: CMAttachmentMode) -> [String: Any] {
    notes?.attachments(ofMode: mode) ?? [:]
  }
}

extension PixelBuffer: CMAttachmentBearer {
  /// The value for a key, and its mode. Color, field order and pixel aspect ratio have Core Video's keys, with the
  /// values of the description unless others were set.
  public func attachment(forKey key: String) -> (value: Any, mode: CMAttachmentMode)? {
    attachments.withLock { $0 }?.attachment(forKey: key)
      ?? ImageBufferAttachments.described(by: details)[key].map {
        ($0, kCMAttachmentMode_ShouldPropagate)
      }
  }
  /// Sets the value for a key; nil removes it.
  public func setAttachment(_ value: Any?, forKey key: String, mode: CMAttachmentMode) {
    let store = attachments.withLock { store in
      let present = store ?? AttachmentStore()
      store = present
      return present
    }
    store.set(value, forKey: key, mode: mode)
  }
  /// All values with a mode, by key.
  public func attachments(ofMode mode: CMAttachmentMode) -> [String: Any] {
    let set = attachments.withLock { $0 }
    let own = set?.attachments(ofMode: mode) ?? [:]
    guard mode == kCMAttachmentMode_ShouldPropagate else { return own }
    return ImageBufferAttachments.described(by: details).merging(own) { $1 }
  }
}

/// Attaches a value to a buffer; nil removes it.
public func CMSetAttachment(
  _ target: any CMAttachmentBearer, key: CFString, value: CFTypeRef?,
  attachmentMode: CMAttachmentMode
) {
  target.setAttachment(value, forKey: key, mode: attachmentMode)
}

/// A value attached to a buffer, and its mode.
public func CMGetAttachment(
  _ target: any CMAttachmentBearer, key: CFString,
  attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  guard let (value, mode) = target.attachment(forKey: key) else { return nil }
  attachmentModeOut?.pointee = mode
  return value
}

/// Removes an attachment from a buffer.
public func CMRemoveAttachment(_ target: any CMAttachmentBearer, key: CFString) {
  target.setAttachment(nil, forKey: key, mode: kCMAttachmentMode_ShouldNotPropagate)
}

/// Removes all attachments from a buffer.
public func CMRemoveAllAttachments(_ target: any CMAttachmentBearer) {
  for mode in [kCMAttachmentMode_ShouldPropagate, kCMAttachmentMode_ShouldNotPropagate] {
    for key in target.attachments(ofMode: mode).keys { CMRemoveAttachment(target, key: key) }
  }
}

/// All attachments with a mode; nil if there are none.
public func CMCopyDictionaryOfAttachments(
  allocator: CFAllocator?, target: any CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
  let all = target.attachments(ofMode: attachmentMode)
  return all.isEmpty ? nil : all
}

/// Attaches several values to a buffer.
public func CMSetAttachments(
  _ target: any CMAttachmentBearer, attachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
  for (key, value) in attachments {
    target.setAttachment(value, forKey: key, mode: attachmentMode)
  }
}

/// Copies the attachments that propagate from one buffer to another.
public func CMPropagateAttachments(
  _ source: any CMAttachmentBearer, destination: any CMAttachmentBearer
) {
  let mode = kCMAttachmentMode_ShouldPropagate
  CMSetAttachments(destination, attachments: source.attachments(ofMode: mode), attachmentMode: mode)
}
