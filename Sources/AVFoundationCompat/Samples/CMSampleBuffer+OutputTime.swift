// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

extension AttachmentStore {
  /// The key of a sample's output presentation time, which attachment dictionaries omit.
  static let outputTimeKey = "AVFoundationCompat.OutputPresentationTimeStamp"

  /// A sample's output presentation time; nil for its presentation time.
  var outputTime: CMTime? {
    get { contents.withLock { $0.ofBuffer[Self.outputTimeKey]?.value as? CMTime } }
    set {
      let entry = newValue.map { Contents.Entry(value: $0, propagates: false) }
      // An entry's value is `Any`; this one is a `CMTime`, which is `Sendable`.
      nonisolated(unsafe) let sent = entry
      contents.withLock { $0.ofBuffer[Self.outputTimeKey] = sent }
    }
  }
}

extension SampleBuffer {
  /// The presentation time for output: ``presentationTimeStamp`` unless another time was set. Queues sort by it;
  /// writers use ``presentationTimeStamp``.
  public var outputPresentationTimeStamp: CMTime { notes?.outputTime ?? presentationTimeStamp }

  /// Sets ``outputPresentationTimeStamp`` of all copies of the sample; an invalid time resets it.
  ///
  /// - Throws: `CMSampleBuffer.Error.requiredParameterMissing` for a sample created outside of this module, which
  ///   cannot store it.
  public func setOutputPresentationTimeStamp(newValue: CMTime) throws {
    guard let notes else { throw CMSampleBuffer.Error.requiredParameterMissing }
    notes.outputTime = newValue.isValid ? newValue : nil
  }
}

extension SampleBuffer {
  /// Same as ``duration``: nothing is trimmed or slowed down.
  public var outputDuration: CMTime { duration }
  /// Same as ``decodeTimeStamp``: it does not follow ``outputPresentationTimeStamp``. Invalid if it equals the
  /// presentation time.
  public var outputDecodeTimeStamp: CMTime { decodeTimeStamp }

  /// No effect on a sample with media. Media that are missing cannot be made.
  ///
  /// - Throws: `CMSampleBuffer.Error.bufferNotReady` for audio that was not set yet.
  public func makeDataReady() throws {
    if awaitsAudio { throw CMSampleBuffer.Error.bufferNotReady }
  }
}

/// The sample's media were not set yet.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733

/// Same as ``CMSampleBufferGetDuration(_:)``: nothing is trimmed or slowed down.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}
/// The decode time; invalid if it equals the presentation time.
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDecodeTimeStamp
}
/// No effect; returns ``kCMSampleBufferError_BufferNotReady`` for audio that was not set yet.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  (try? sbuf.makeDataReady()) == nil ? kCMSampleBufferError_BufferNotReady : noErr
}

/// See ``MediaCore/SampleBuffer/outputPresentationTimeStamp``.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

/// Sets the output presentation time of all copies of a sample; an invalid time resets it.
///
/// - Returns: ``kCMSampleBufferError_RequiredParameterMissing`` for a sample created outside of this module, which
///   cannot store it.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
  do {
    try sbuf.setOutputPresentationTimeStamp(newValue: outputPresentationTimeStamp)
    return noErr
  } catch { return kCMSampleBufferError_RequiredParameterMissing }
}
