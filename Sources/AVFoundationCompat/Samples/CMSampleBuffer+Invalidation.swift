public import MediaCore
import Synchronization

/// Called when a program says that it is done with a sample.
public typealias CMSampleBufferInvalidateHandler = @Sendable (CMSampleBuffer) -> Void

extension AttachmentStore {
  /// Where a sample's handler is noted. No list of attachments names it.
  static let invalidateHandlerKey = "AVFoundationCompat.InvalidateHandler"
  /// What is noted for this module alone.
  static let privateKeys: Set<String> = [outputTimeKey, invalidateHandlerKey]

  /// Takes a sample's handler out; nil for none.
  fileprivate func takeInvalidateHandler() -> CMSampleBufferInvalidateHandler? {
    contents.withLock {
      let entry = $0.ofBuffer.removeValue(forKey: Self.invalidateHandlerKey)
      return entry?.value as? CMSampleBufferInvalidateHandler
    }
  }
}

extension SampleBuffer {
  /// Has a handler called once, at the first call of ``invalidate()`` on any copy of the sample, in place of one that
  /// was set before. It is not called for a sample that goes away without that call, nor is it set on a sample from
  /// outside of this module.
  public func setInvalidateHandler(_ invalidateHandler: @escaping CMSampleBufferInvalidateHandler) {
    notes?.contents.withLock {
      $0.ofBuffer[AttachmentStore.invalidateHandlerKey] = AttachmentStore.Contents.Entry(
        value: invalidateHandler, propagates: false)
    }
  }

  /// Calls the handler of ``setInvalidateHandler(_:)``, if there is one. The sample's memory is freed when nobody holds
  /// it.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func invalidate() throws { notes?.takeInvalidateHandler()?(self) }
}

/// Same as ``MediaCore/SampleBuffer/setInvalidateHandler(_:)``.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` for a sample from outside of this module.
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
