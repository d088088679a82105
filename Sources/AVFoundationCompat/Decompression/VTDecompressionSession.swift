import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// Decompresses pictures that a program has in memory: ProRes, and what else libavcodec decodes of H.264, HEVC and JPEG.
///
/// Pictures are decoded one after the other on a queue of the session's, which calls the program back.
public final class VTDecompressionSession: Sendable {
  let format: VideoFormatDescription
  let callback: VTDecompressionOutputCallback?
  private let queue = DispatchQueue(label: "decompression")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Places for pictures that wait: whoever hands over more waits with them.
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
    _ format: VideoFormatDescription, _ wanted: PictureConversion?,
    _ callback: VTDecompressionOutputCallback?
  ) {
    (self.format, self.callback) = (format, callback)
    worker = DecompressionWorker(format, wanted)
    queue.setSpecific(key: onQueue, value: true)
  }

  /// Why the last call was refused, or the last picture was not decoded; nil where none was.
  public var error: AVError? { state.withLock { $0.error } }

  /// True until ``VTDecompressionSessionInvalidate(_:)``.
  var isValid: Bool { state.withLock { $0.isValid } }

  private var isOnQueue: Bool { DispatchQueue.getSpecific(key: onQueue) == true }

  func refuse(_ error: AVError) { state.withLock { $0.error = error } }

  private func note(_ error: AVError?) {
    if let error { state.withLock { $0.error = error } }
  }

  /// True for pictures that the decoder can go on with: alike but for what is said of them.
  func accepts(_ other: VideoFormatDescription) -> Bool {
    other.mediaSubType == format.mediaSubType && other.dimensions == format.dimensions
      && other.decoderConfiguration == format.decoderConfiguration
  }

  func submit(
    _ sample: CMSampleBuffer, _ flags: VTDecodeFrameFlags,
    _ deliver: @escaping VTDecompressionOutputHandler
  ) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    guard let picture = sample.compressedPicture else {
      refuse(AVError(.invalidSourceMedia, "the sample is not a compressed picture"))
      return kVTParameterErr
    }
    guard accepts(picture.format) else {
      refuse(
        AVError(
          .mediaChanged,
          "a picture of another format: a session decodes pictures of one; make "
            + "another session"))
      return kVTFormatDescriptionChangeNotSupportedErr
    }
    let receiver = DecompressionWorker.Receiver(
      time: sample.presentationTimeStamp, duration: sample.duration,
      isShown: !flags.contains(._DoNotOutputFrame), deliver: deliver)
    // What the queue calls cannot wait for the queue.
    if isOnQueue {
      note(worker.decode(picture, receiver))
      return noErr
    }
    guard flags.contains(._EnableAsynchronousDecompression) else {
      queue.sync { note(worker.decode(picture, receiver)) }
      return noErr
    }
    places.wait()
    state.withLock { $0.waitingCount += 1 }
    queue.async { [self] in
      note(worker.decode(picture, receiver))
      state.withLock { $0.waitingCount -= 1 }
      places.signal()
    }
    return noErr
  }

  /// Has all pictures come out.
  func finish() -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    if isOnQueue { note(worker.finish()) } else { queue.sync { note(worker.finish()) } }
    return noErr
  }

  /// Ends the session; what waits is not decoded.
  func invalidate() {
    state.withLock { $0.isValid = false }
    worker.end()
    // What is being handed over is over then, as for Apple's.
    if !isOnQueue { queue.sync {} }
  }

  // MARK: Properties

  /// The properties, and whether each is only to be read.
  static let properties: [String: (type: String, isReadOnly: Bool)] = [
    kVTDecompressionPropertyKey_RealTime: (kVTPropertyType_Boolean, false),
    kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded: (kVTPropertyType_Number, true),
    kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder:
      (kVTPropertyType_Boolean, true),
  ]

  func set(_ value: Any?, for key: String) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    guard let property = Self.properties[key] else {
      refuse(AVError(.operationNotAllowed, "decompression has no property '\(key)' here"))
      return kVTPropertyNotSupportedErr
    }
    guard !property.isReadOnly else {
      refuse(AVError(.operationNotAllowed, "'\(key)' is only to be read"))
      return kVTPropertyReadOnlyErr
    }
    let flag = value as? Bool
    guard value == nil || flag != nil else {
      refuse(AVError(.unsupportedOutputSettings, "'\(key)' is true or false"))
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

  /// What can be told and asked, as of a compression session.
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
