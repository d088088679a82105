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

extension SampleBuffer {
  /// As ``duration``: nothing is trimmed, and nothing is slower on the way out.
  public var outputDuration: CMTime { duration }
  /// When it is decoded; invalid if that is when it is shown. As ``decodeTimeStamp``: it is not moved with
  /// ``outputPresentationTimeStamp``.
  public var outputDecodeTimeStamp: CMTime { decodeTimeStamp }

  /// Does nothing where the sample has its media, and cannot make them where it has not.
  ///
  /// - Throws: `CMSampleBuffer.Error.bufferNotReady` for audio that is yet to be set.
  public func makeDataReady() throws {
    if awaitsSound { throw CMSampleBuffer.Error.bufferNotReady }
  }
}

/// The sample buffer's media are not there yet.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733

/// As ``CMSampleBufferGetDuration(_:)``: nothing is trimmed, and nothing is slower on the way out.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}
/// When the sample is decoded; invalid if that is when it is shown.
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDecodeTimeStamp
}
/// Does nothing: ``kCMSampleBufferError_BufferNotReady`` for audio that is yet to be set.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  (try? sbuf.makeDataReady()) == nil ? kCMSampleBufferError_BufferNotReady : noErr
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
