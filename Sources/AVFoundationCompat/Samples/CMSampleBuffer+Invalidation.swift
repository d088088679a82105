public import MediaCore
import Synchronization

/// Called when a program invalidates a sample.
public typealias CMSampleBufferInvalidateHandler = @Sendable (CMSampleBuffer) -> Void

extension AttachmentStore {
  /// The key of a sample's handler, which attachment dictionaries omit.
  static let invalidateHandlerKey = "AVFoundationCompat.InvalidateHandler"
  /// The keys that only this module uses.
  static let privateKeys: Set<String> = [outputTimeKey, invalidateHandlerKey]

  /// Removes and returns a sample's handler; nil for none.
  fileprivate func takeInvalidateHandler() -> CMSampleBufferInvalidateHandler? {
    contents.withLock {
      let entry = $0.ofBuffer.removeValue(forKey: Self.invalidateHandlerKey)
      return entry?.value as? CMSampleBufferInvalidateHandler
    }
  }
}

extension SampleBuffer {
  /// Sets a handler, replacing an earlier one, that is called once: by the first call of ``invalidate()`` on any copy
  /// of the sample. It is not called when a sample is released without that call. It is ignored for a sample created
  /// outside of this module.
  public func setInvalidateHandler(_ invalidateHandler: @escaping CMSampleBufferInvalidateHandler) {
    notes?.contents.withLock {
      $0.ofBuffer[AttachmentStore.invalidateHandlerKey] = AttachmentStore.Contents.Entry(
        value: invalidateHandler, propagates: false)
    }
  }

  /// Calls the handler of ``setInvalidateHandler(_:)``, if any. The sample's memory is freed when the sample is
  /// released.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func invalidate() throws { notes?.takeInvalidateHandler()?(self) }
}

/// Same as ``MediaCore/SampleBuffer/setInvalidateHandler(_:)``.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` for a sample created outside of this module.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
  _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
  guard sbuf.notes != nil else { return kCMSampleBufferError_RequiredParameterMissing }
  sbuf.setInvalidateHandler(invalidateHandler)
  return noErr
}

/// Same as ``MediaCore/SampleBuffer/invalidate()``.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.notes?.takeInvalidateHandler()?(sbuf)
  return noErr
}
