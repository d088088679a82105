import AssetWriter
import Dispatch
import MediaCore
import Synchronization

/// Compresses frames for a program that sends the bytes or writes them with an ``AVAssetWriterInput`` without settings.
/// ProRes uses this package's encoder; H.264 and HEVC use libavcodec.
///
/// Frames are compressed one at a time on the session's own queue, on which callbacks run too.
public final class VTCompressionSession: Sendable {
  let codec: VideoCodecType
  let dimensions: VideoDimensions
  /// The format of the pool's frames; nil for the codec's default.
  let attributes: PixelBufferAttributes?
  let callback: VTCompressionOutputCallback?
  private let queue = DispatchQueue(label: "compression")
  private let onQueue = DispatchSpecificKey<Bool>()
  /// Limits the number of waiting frames; a call that would exceed it waits.
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

  /// A waiting frame.
  struct Job: Sendable {
    var frame: PixelBuffer
    var ticks: Int64
    var isKey: Bool
    var takesPlace: Bool
    var receiver: Receiver
  }

  /// Receives a compressed frame with its time and duration. The source frame is not retained because a look-ahead
  /// encoder holds dozens of them.
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

  /// The reason for the last failure, a refused call or a frame that was not compressed; nil if there was none.
  public var error: AVError? { state.withLock { $0.error } }

  /// True until ``VTCompressionSessionInvalidate(_:)``.
  var isValid: Bool { state.withLock { $0.isValid } }

  func refuse(_ error: AVError) { state.withLock { $0.error = error } }

  // MARK: Properties

  func set(_ value: Any?, for key: String) -> OSStatus {
    // The lock runs its closure before this call returns.
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
          .operationNotAllowed, "'\(key)' must be set before the first frame is compressed")
        return kVTPropertyReadOnlyErr
      }
      state.properties = changed
      return noErr
    }
  }

  /// True if the encoder accepts a new bit rate while running.
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

  // MARK: Frames

  /// The pool for source frames; nil if there is not enough memory.
  var pixelBufferPool: PixelBufferPool? {
    let details = pooledFrames
    return state.withLock { state in
      if state.pool == nil { state.pool = try? PixelBufferPool(details, capacity: 4) }
      return state.pool
    }
  }

  private var pooledFrames: PixelBuffer.Description {
    let usual: PixelFormat =
      codec.isInterframe ? .nv12 : codec.is4444 ? .yuv444p10 : .p210
    let format = attributes?.format ?? usual
    return PixelBuffer.Description(
      format: format, width: dimensions.width, height: dimensions.height,
      color: PixelBuffer.Description.usualColor(of: format, range: attributes?.range ?? .video))
  }

  /// Checks the properties as the first frame would.
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
    _ frame: PixelBuffer, at time: CMTime, duration: CMTime, isKey: Bool,
    _ deliver: @escaping VTCompressionOutputHandler
  ) -> OSStatus {
    let isOnQueue = DispatchQueue.getSpecific(key: onQueue) == true
    // A callback running on the queue must not wait for the queue.
    if !isOnQueue { places.wait() }
    let status = state.withLock { state -> OSStatus in
      guard state.isValid else { return kVTInvalidSessionErr }
      if let refusal = refusal(of: frame, at: time, after: state.lastTime) {
        state.error = refusal
        return kVTParameterErr
      }
      let ticks = Self.ticks(time) ?? 0
      (state.lastTime, state.hasStarted) = (ticks, true)
      state.jobs.append(
        Job(
          frame: frame, ticks: ticks, isKey: isKey, takesPlace: !isOnQueue,
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
    let time = time.converted(toTimescale: FrameCompressor.timescale)
    // Leaves room because encoders add to the value.
    return time.isNumeric && time.value.magnitude < 1 << 60 ? time.value : nil
  }

  private func refusal(
    of frame: PixelBuffer, at time: CMTime, after last: Int64?
  ) -> AVError? {
    guard let ticks = Self.ticks(time) else {
      return AVError(.invalidSourceMedia, "a frame's time must be numeric, not \(time)")
    }
    if let last, ticks <= last {
      return AVError(.invalidSourceMedia, "the frame at \(time) is not later than the one before")
    }
    guard frame.width == dimensions.width, frame.height == dimensions.height else {
      return AVError(
        .mediaChanged,
        "a \(frame.width)x\(frame.height) frame does not fit a \(dimensions) session")
    }
    return nil
  }

  /// Compresses the oldest waiting frame.
  private func work() {
    let (job, properties) = state.withLock { state in
      (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.properties)
    }
    guard let job else { return }
    defer { if job.takesPlace { places.signal() } }
    note(worker.compress(job, properties))
  }

  /// Finishes all frames up to a time; all frames if the time is not numeric.
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

  /// Ends the session; waiting frames are not compressed.
  func invalidate() {
    let dropped = state.withLock { state in
      state.isValid = false
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in dropped where job.takesPlace { places.signal() }
    // Compression in progress has finished when this returns, as in Apple's implementation.
    if DispatchQueue.getSpecific(key: onQueue) == true {
      worker.end()
    } else {
      queue.sync { worker.end() }
    }
  }
}
