import AssetWriter
import Dispatch
import MediaCore
import Synchronization

/// Compresses pictures for a program that wants the bytes: to send them, or to write them with an
/// ``AVAssetWriterInput`` without settings. ProRes by this package's encoder, H.264 and HEVC by libavcodec.
///
/// Pictures are compressed one after the other on a queue of the session's, which calls the program back.
public final class VTCompressionSession: Sendable {
  /// What is made.
  let codec: VideoCodecType
  let dimensions: VideoDimensions
  /// What pictures of the pool are; nil for what suits the codec.
  let attributes: PixelBufferAttributes?
  let callback: VTCompressionOutputCallback?
  private let queue = DispatchQueue(label: "compression")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Places for pictures that wait: whoever hands over more waits with them.
  private let places = DispatchSemaphore(value: 8)
  private let state: Mutex<State>
  private let worker: CompressionWorker

  private struct State: Sendable {
    var properties: CompressionProperties
    var jobs: [Job] = []
    var lastTime: Int64?
    var pool: PixelBufferPool?
    var hasStarted = false
    var isValid = true
    var error: AVError?
  }

  /// A picture that waits.
  struct Job: Sendable {
    var picture: PixelBuffer
    var ticks: Int64
    var isKey: Bool
    var takesPlace: Bool
    var receiver: Receiver
  }

  /// Who is given a picture once it is compressed, and what is said of it then. The picture itself is not kept: an
  /// encoder that looks ahead has dozens of them.
  struct Receiver: Sendable {
    var time: CMTime
    var duration: CMTime
    var deliver: VTCompressionOutputHandler
  }

  init(
    _ codec: VideoCodecType, _ dimensions: VideoDimensions, _ attributes: PixelBufferAttributes?,
    _ callback: VTCompressionOutputCallback?
  ) {
    (self.codec, self.dimensions) = (codec, dimensions)
    (self.attributes, self.callback) = (attributes, callback)
    state = Mutex(State(properties: CompressionProperties(codec, dimensions)))
    worker = CompressionWorker(codec)
    queue.setSpecific(key: onQueue, value: true)
  }

  /// Why the last call was refused, or the last picture was not compressed; nil where none was.
  public var error: AVError? { state.withLock { $0.error } }

  /// True until ``VTCompressionSessionInvalidate(_:)``.
  var isValid: Bool { state.withLock { $0.isValid } }

  func refuse(_ error: AVError) { state.withLock { $0.error = error } }

  // MARK: Properties

  func set(_ value: Any?, for key: String) -> OSStatus {
    nonisolated(unsafe) let sent = value
    return state.withLock { state -> OSStatus in
      guard state.isValid else { return kVTInvalidSessionErr }
      var changed = state.properties
      do throws(CompressionProperties.Refusal) { try changed.set(sent, for: key) } catch {
        state.error = error.error
        return error.status
      }
      if state.hasStarted, !adapts(&changed, to: key) {
        state.error = AVError(
          .operationNotAllowed, "'\(key)' is set before the first picture is compressed")
        return kVTPropertyReadOnlyErr
      }
      state.properties = changed
      return noErr
    }
  }

  /// True where the encoder takes another bit rate while it works.
  private func adapts(_ properties: inout CompressionProperties, to key: String) -> Bool {
    guard key == kVTCompressionPropertyKey_AverageBitRate,
      let rate = (try? properties.settings())?.compression.averageBitRate
    else { return false }
    return worker.adapt(to: rate)
  }

  func value(of key: String) -> Any? {
    switch key {
    case kVTCompressionPropertyKey_NumberOfPendingFrames:
      return state.withLock { $0.jobs.count } + worker.pendingCount
    case kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: return false
    case kVTCompressionPropertyKey_EncoderID: return VideoEncoderList.identifier(of: codec)
    default: return state.withLock { $0.properties }[key]
    }
  }

  // MARK: Pictures

  /// The memory that pictures are best handed over in; nil without memory.
  var pixelBufferPool: PixelBufferPool? {
    let details = pooledPictures
    return state.withLock { state in
      if state.pool == nil { state.pool = try? PixelBufferPool(details, capacity: 4) }
      return state.pool
    }
  }

  private var pooledPictures: PixelBuffer.Description {
    let usual: PixelFormat =
      codec.isInterframe ? .nv12 : codec.is4444 ? .yuv444p10 : .p210
    let format = attributes?.format ?? usual
    return PixelBuffer.Description(
      format: format, width: dimensions.width, height: dimensions.height,
      color: PixelBuffer.Description.usualColor(of: format, range: attributes?.range ?? .video))
  }

  /// Looks at the properties as the first picture will.
  func prepare() -> OSStatus {
    state.withLock { state in
      guard state.isValid else { return kVTInvalidSessionErr }
      do throws(AVError) { _ = try state.properties.settings() } catch {
        state.error = error
        return kVTParameterErr
      }
      return noErr
    }
  }

  func submit(
    _ picture: PixelBuffer, at time: CMTime, duration: CMTime, isKey: Bool,
    _ deliver: @escaping VTCompressionOutputHandler
  ) -> OSStatus {
    let isOnQueue = DispatchQueue.getSpecific(key: onQueue) == true
    // One that is handed over by what the queue calls cannot wait for the queue.
    if !isOnQueue { places.wait() }
    let status = state.withLock { state -> OSStatus in
      guard state.isValid else { return kVTInvalidSessionErr }
      if let refusal = refusal(of: picture, at: time, after: state.lastTime) {
        state.error = refusal
        return kVTParameterErr
      }
      let ticks = Self.ticks(time) ?? 0
      (state.lastTime, state.hasStarted) = (ticks, true)
      state.jobs.append(
        Job(
          picture: picture, ticks: ticks, isKey: isKey, takesPlace: !isOnQueue,
          receiver: Receiver(time: time, duration: duration, deliver: deliver)))
      return noErr
    }
    if status != noErr {
      if !isOnQueue { places.signal() }
    } else {
      queue.async { [self] in work() }
    }
    return status
  }

  private static func ticks(_ time: CMTime) -> Int64? {
    let time = time.converted(toTimescale: PictureCompressor.timescale)
    // Encoders add to it.
    return time.isNumeric && time.value.magnitude < 1 << 60 ? time.value : nil
  }

  private func refusal(
    of picture: PixelBuffer, at time: CMTime, after last: Int64?
  ) -> AVError? {
    guard let ticks = Self.ticks(time) else {
      return AVError(.invalidSourceMedia, "a picture's time is a number, not \(time)")
    }
    if let last, ticks <= last {
      return AVError(.invalidSourceMedia, "the picture at \(time) is not later than the one before")
    }
    guard picture.width == dimensions.width, picture.height == dimensions.height else {
      return AVError(
        .mediaChanged,
        "a picture of \(picture.width)x\(picture.height) does not fit a session of \(dimensions)")
    }
    return nil
  }

  /// Compresses the picture that has waited longest.
  private func work() {
    let (job, properties) = state.withLock { state in
      (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.properties)
    }
    guard let job else { return }
    defer { if job.takesPlace { places.signal() } }
    note(worker.compress(job, properties))
  }

  /// Has all pictures come out that are no later than a time; all there are for one that is no number.
  func complete(until time: CMTime) -> OSStatus {
    guard isValid else { return kVTInvalidSessionErr }
    let limit = Self.ticks(time)
    let body: @Sendable () -> Void = { [self] in
      while state.withLock({ state in
        state.jobs.first.map { job in limit.map { job.ticks <= $0 } ?? true } ?? false
      }) { work() }
      note(worker.complete(until: limit))
    }
    if DispatchQueue.getSpecific(key: onQueue) == true { body() } else { queue.sync(execute: body) }
    return noErr
  }

  private func note(_ error: AVError?) {
    if let error { state.withLock { $0.error = error } }
  }

  /// Ends the session; what waits is not compressed.
  func invalidate() {
    let dropped = state.withLock { state in
      state.isValid = false
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in dropped where job.takesPlace { places.signal() }
    // What is being compressed is over then, as for Apple's.
    if DispatchQueue.getSpecific(key: onQueue) == true {
      worker.end()
    } else {
      queue.sync { worker.end() }
    }
  }
}
