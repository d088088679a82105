// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

extension AttachmentStore {
  /// Where a sample's time on the way out is noted. No list of attachments names it.
  static let outputTimeKey = "AVFoundationCompat.OutputPresentationTimeStamp"

  /// A sample's time on the way out; nil for its own.
  var outputTime: CMTime? {
    get { contents.withLock { $0.ofBuffer[Self.outputTimeKey]?.value as? CMTime } }
    set {
      let entry = newValue.map { Contents.Entry(value: $0, propagates: false) }
      nonisolated(unsafe) let sent = entry
      contents.withLock { $0.ofBuffer[Self.outputTimeKey] = sent }
    }
  }
}

extension SampleBuffer {
  /// When it is shown or heard on the way out: its ``presentationTimeStamp``, unless another time was set. Queues sort
  /// by it; a writer goes by ``presentationTimeStamp``.
  public var outputPresentationTimeStamp: CMTime { notes?.outputTime ?? presentationTimeStamp }

  /// Sets ``outputPresentationTimeStamp``, of all copies of the sample; an invalid time takes it back.
  ///
  /// - Throws: `CMSampleBuffer.Error.requiredParameterMissing` for a sample that nothing can be noted on: one from
  ///   outside of this module.
  public func setOutputPresentationTimeStamp(newValue: CMTime) throws {
    guard let notes else { throw CMSampleBuffer.Error.requiredParameterMissing }
    notes.outputTime = newValue.isValid ? newValue : nil
  }
}

/// When the sample is shown or heard on the way out: see ``MediaCore/SampleBuffer/outputPresentationTimeStamp``.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

/// Sets when a sample, and all copies of it, are shown or heard on the way out; an invalid time takes it back.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` for a sample that nothing can be noted on: one from
///   outside of this module.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
  do {
    try sbuf.setOutputPresentationTimeStamp(newValue: outputPresentationTimeStamp)
    return noErr
  } catch { return kCMSampleBufferError_RequiredParameterMissing }
}
