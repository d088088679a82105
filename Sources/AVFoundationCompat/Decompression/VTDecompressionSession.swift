import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// Decompresses frames in memory: ProRes, and H.264, HEVC and JPEG as far as libavcodec decodes them.
///
/// Frames are decoded one at a time on the session's own queue, on which callbacks run too.
public final class VTDecompressionSession: Sendable {
  let format: VideoFormatDescription
  let callback: VTDecompressionOutputCallback?
  private let queue = DispatchQueue(label: "decompression")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Limits the number of waiting frames; a call that would exceed it waits.
  private let places = DispatchSemaphore(value: 8)
  private let state = Mutex(State())
  private let worker: DecompressionWorker

  private struct State: Sendable {
    var isRealTime: Bool?
    var waitingCount = 0
    var isValid = true
    var error: AVError?
  }

  init(
    _ format: VideoFormatDescription, _ wanted: FrameConversion?,
    _ callback: VTDecompressionOutputCallback?
  ) {
    (self.format, self.callback) = (format, callback)
    worker = DecompressionWorker(format, wanted)
    queue.setSpecific(key: onQueue, value: true)
  }

  /// The reason for the last failure, a refused call or a frame that was not decoded; nil if there was none.
  public var error: AVError? { state.withLock { $0.error } }

  /// True until ``VTDecompressionSessionInvalidate(_:)``.
  var isValid: Bool { state.withLock { $0.isValid } }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: onQueue) == true }

  func refuse(_ error: AVError) { state.withLock { $0.error = error } }

  private func note(_ error: AVError?) {
    if let error { state.withLock { $0.error = error } }
  }

  /// True for frames that the current decoder accepts: same codec, size and decoder configuration.
  func accepts(_ other: VideoFormatDescription) -> Bool {
    other.mediaSubType == format.mediaSubType && other.dimensions == format.dimensions
      && other.decoderConfiguration == format.decoderConfiguration
  }

  func submit(
    _ sample: CMSampleBuffer, _ flags: VTDecodeFrameFlags,
    _ deliver: @escaping VTDecompressionOutputHandler
  ) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    guard let frame = sample.compressedFrame else {
      refuse(AVError(.invalidSourceMedia, "the sample is not a compressed frame"))
      return kVTParameterErr
    }
    guard accepts(frame.format) else {
      refuse(
        AVError(
          .mediaChanged,
          "the frame's format differs from the session's; make "
            + "another session"))
      return kVTFormatDescriptionChangeNotSupportedErr
    }
    let receiver = DecompressionWorker.Receiver(
      time: sample.presentationTimeStamp, duration: sample.duration,
      isShown: !flags.contains(._DoNotOutputFrame), deliver: deliver)
    // A callback running on the queue must not wait for the queue.
    if isOnQueue {
      note(worker.decode(frame, receiver))
      return noErr
    }
    guard flags.contains(._EnableAsynchronousDecompression) else {
      queue.sync { note(worker.decode(frame, receiver)) }
      return noErr
    }
    places.wait()
    state.withLock { $0.waitingCount += 1 }
    queue.async { [self] in
      note(worker.decode(frame, receiver))
      state.withLock { $0.waitingCount -= 1 }
      places.signal()
    }
    return noErr
  }

  /// Finishes all frames.
  func finish() -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    if isOnQueue { note(worker.finish()) } else { queue.sync { note(worker.finish()) } }
    return noErr
  }

  /// Ends the session; waiting frames are not decoded.
  func invalidate() {
    state.withLock { $0.isValid = false }
    worker.end()
    // Callbacks in progress have finished when this returns, as in Apple's implementation.
    if !isOnQueue { queue.sync {} }
  }

  // MARK: Properties

  /// The properties: type, and whether read-only.
  static let properties: [String: (type: String, isReadOnly: Bool)] = [
    kVTDecompressionPropertyKey_RealTime: (kVTPropertyType_Boolean, false),
    kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: (kVTPropertyType_Number, true),
    kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder:
      (kVTPropertyType_Boolean, true),
  ]

  func set(_ value: Any?, for key: String) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    guard let property = Self.properties[key] else {
      refuse(AVError(.operationNotAllowed, "decompression has no property '\(key)'"))
      return kVTPropertyNotSupportedErr
    }
    guard !property.isReadOnly else {
      refuse(AVError(.operationNotAllowed, "'\(key)' is read-only"))
      return kVTPropertyReadOnlyErr
    }
    let flag = value as? Bool
    guard value == nil || flag != nil else {
      refuse(AVError(.unsupportedOutputSettings, "'\(key)' must be true or false"))
      return kVTParameterErr
    }
    state.withLock { $0.isRealTime = flag }
    return noErr
  }

  func value(of key: String) -> Any? {
    switch key {
    case kVTDecompressionPropertyKey_RealTime: return state.withLock { $0.isRealTime }
    case kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded:
      return state.withLock { $0.waitingCount } + worker.pendingCount
    case kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: return false
    default: return nil
    }
  }

  /// The supported properties, in the form used for compression sessions.
  static var propertyDictionary: [String: Any] {
    properties.mapValues { property in
      [
        kVTPropertyTypeKey: property.type,
        kVTPropertyReadWriteStatusKey: property.isReadOnly
          ? kVTPropertyReadWriteStatus_ReadOnly : kVTPropertyReadWriteStatus_ReadWrite,
      ]
    }
  }
}
