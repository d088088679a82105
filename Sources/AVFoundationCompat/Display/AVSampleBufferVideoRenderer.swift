public import Dispatch
import Foundation
public import MediaCore
import Synchronization

/// Delivers each frame at its time to the program that draws it, because there is no window server here.
///
/// ```swift
/// renderer.setFrameHandler(queue: .main) { frame in
///   if let frame { window.draw(frame) } else { window.clear() }
/// }
/// ```
///
/// A sample's time is ``MediaCore/SampleBuffer/outputPresentationTimeStamp`` on ``timebase``. A sample with
/// ``kCMSampleAttachmentKey_DisplayImmediately`` is shown immediately and replaces all queued ones; one with
/// ``kCMSampleAttachmentKey_DoNotDisplay`` is only decoded. Compressed frames are decoded when they are enqueued; a
/// frame that is displayed after frames not yet enqueued waits for them.
///
/// If several frames are due, only the last is shown; while the handler is busy, none is. ``droppedFrameCount``
/// counts the skipped frames.
public final class AVSampleBufferVideoRenderer: AVQueuedSampleBufferRendering, Sendable {
  /// The number of queued frames at which no more are requested.
  static let capacity = 8
  /// In seconds. Short because a timeline can be changed and an earlier frame can arrive at any time.
  private static let longestWait = 0.01

  /// The program's frames and blocks are released outside the lock because their deinitializers may call the renderer.
  private struct State: Sendable {
    var control: CMTimebase?
    var schedule = FrameSchedule()
    var displayed: CVPixelBuffer?
    var droppedFrameCount = 0
    /// Samples that are not decoded yet.
    var arrivingCount = 0
    /// Incremented by each flush, to recognize frames from before it that are decoded later.
    var flushCount = 0
    var status = AVQueuedSampleBufferRenderingStatus.unknown
    var error: AVError?
    var decoder: VTDecompressionSession?
    var drawer: Drawer?
    /// True while a handler draws.
    var isDrawing = false
    /// True while a timer is pending.
    var isTimed = false

    var waitingCount: Int { arrivingCount + schedule.count }
  }

  private struct Drawer: Sendable {
    let queue: DispatchQueue
    let draw: @Sendable (CVPixelBuffer?) -> Void
  }

  private let state = Mutex(State())
  private let requests = MediaDataRequests()
  let claim = TimelineClaim()
  /// Decodes frames and schedules them.
  private let queue = DispatchQueue(label: "display", qos: .userInteractive)
  private let hostTimebase = CMTimebase.ofHost()

  /// A renderer without samples.
  public init() {}

  // MARK: Time

  /// ``controlTimebase``, or the host clock.
  public var timebase: CMTimebase { controlTimebase ?? hostTimebase }

  /// The timeline set by the program; nil for the host clock.
  var controlTimebase: CMTimebase? {
    get { state.withLock { $0.control } }
    set {
      state.withLock { $0.control = newValue }
      queue.async { self.showWhatIsDue() }
    }
  }

  // MARK: State

  /// The status. A flush clears a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
  /// Why a sample could not be shown, an ``AVError``; nil if none failed.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// False: the system never takes a decoder away here.
  public var requiresFlushToResumeDecoding: Bool { false }
  /// True while fewer than eight frames are queued; false from a failure to the next flush.
  public var isReadyForMoreMediaData: Bool {
    state.withLock { $0.status != .failed && $0.waitingCount < Self.capacity }
  }
  /// True if a frame is queued or shown.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    state.withLock { $0.schedule.count > 0 || $0.displayed != nil }
  }
  /// The number of frames not shown because a later one was due or the handler was busy. Not in AVFoundation.
  public var droppedFrameCount: Int { state.withLock { $0.droppedFrameCount } }

  /// The frame currently shown; nil if there is none.
  public func copyDisplayedPixelBuffer() -> CVPixelBuffer? { state.withLock { $0.displayed } }

  // MARK: Samples

  /// Adds a frame to the queue: uncompressed, or compressed in decode order.
  ///
  /// A sample without a frame and a frame that cannot be decoded are failures: ``error`` gives the reason, and nothing
  /// more is accepted until a flush.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    let notes = sampleBuffer.sampleAttachments[0]
    let entry = FrameSchedule.Entry(
      time: sampleBuffer.outputPresentationTimeStamp,
      isImmediate: notes[.displayImmediately] as? Bool == true,
      isHidden: notes[.doNotDisplay] as? Bool == true)
    let flushCount: Int? = state.withLock { state in
      guard state.status != .failed else { return nil }
      state.status = .rendering
      state.arrivingCount += 1
      return state.flushCount
    }
    guard let flushCount else { return }
    queue.async {
      self.take(sampleBuffer, entry, flushCount)
      self.state.withLock { $0.arrivingCount -= 1 }
      self.showWhatIsDue()
    }
  }

  private func take(
    _ sample: CMSampleBuffer, _ entry: FrameSchedule.Entry, _ flushCount: Int
  ) {
    guard state.withLock({ $0.flushCount == flushCount && $0.status != .failed }) else { return }
    guard let format = sample.compressedFrame.map({ CMFormatDescription.video($0.format) }) else {
      guard let frame = sample.imageBuffer else {
        return fail(
          AVError(.invalidSourceMedia, "the sample has no frame to show"), flushCount)
      }
      return add(frame, entry, flushCount)
    }
    guard let decoder = decoder(for: format, flushCount) else {
      return fail(AVError(.decodeFailed, "no decoder for \(format.mediaSubType)"), flushCount)
    }
    // The decoder retains the handler as long as it holds the frame, so the handler must not retain the decoder.
    VTDecompressionSessionDecodeFrame(
      decoder, sampleBuffer: sample, flags: entry.isHidden ? ._DoNotOutputFrame : [],
      infoFlagsOut: nil
    ) { [weak self] _, _, frame, _, _ in
      if let frame { self?.add(frame, entry, flushCount) }
    }
    if let error = decoder.error {
      fail(
        AVError(.decodeFailed, "a frame could not be decoded", underlyingError: error), flushCount)
    }
  }

  private func decoder(
    for format: CMFormatDescription, _ flushCount: Int
  ) -> VTDecompressionSession? {
    if let present = state.withLock({ $0.decoder }) {
      if VTDecompressionSessionCanAcceptFormatDescription(present, formatDescription: format) {
        return present
      }
      // The last frames of the previous format may still be in the decoder.
      VTDecompressionSessionFinishDelayedFrames(present)
    }
    var made: VTDecompressionSession?
    VTDecompressionSessionCreate(
      allocator: nil, formatDescription: format, decoderSpecification: nil,
      imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &made)
    let session = made
    state.withLock { if $0.flushCount == flushCount { $0.decoder = session } }
    return session
  }

  private func add(_ frame: CVPixelBuffer, _ entry: FrameSchedule.Entry, _ flushCount: Int) {
    guard !entry.isHidden else { return }
    _ = state.withLock { state -> [CVPixelBuffer] in
      guard state.flushCount == flushCount else { return [] }
      let replaced = state.schedule.add(frame, entry)
      state.droppedFrameCount += replaced.count
      return replaced
    }
  }

  /// Fails until the next flush; does nothing if there was one since the sample was enqueued.
  private func fail(_ error: AVError, _ flushCount: Int) {
    let isNew = state.withLock { state in
      guard state.flushCount == flushCount else { return false }
      (state.status, state.error, state.decoder) = (.failed, error, nil)
      return true
    }
    if isNew { failureHandler.withLock { $0 }?(error) }
  }

  /// Called for each failure.
  let failureHandler = Mutex<(@Sendable (AVError) -> Void)?>(nil)

  // MARK: Display

  /// Sets the function that receives each frame at its time on a serial queue, and nil when no frame should be visible.
  /// Nil for no more calls. Not in AVFoundation.
  public func setFrameHandler(
    queue: DispatchQueue, _ handler: (@Sendable (_ frame: CVPixelBuffer?) -> Void)?
  ) {
    let drawer = handler.map { Drawer(queue: queue, draw: $0) }
    _ = state.withLock { state in
      defer { state.drawer = drawer }
      return state.drawer
    }
  }

  /// Shows the frame that is due, and schedules the next check.
  private func showWhatIsDue() {
    let now = timebase.time
    let rate = timebase.rate
    let look = state.withLock { state -> (wait: Double?, gone: [CVPixelBuffer?]) in
      guard !state.isDrawing else { return (nil, []) }
      var gone: [CVPixelBuffer?] = []
      if let due = state.schedule.takeDue(at: now) {
        state.droppedFrameCount += due.passedOver.count
        gone = due.passedOver + [state.displayed]
        state.displayed = due.frame
        draw(due.frame, &state)
      }
      guard !state.isDrawing, !state.isTimed, let next = state.schedule.firstTime else {
        return (nil, gone)
      }
      state.isTimed = true
      let seconds = rate > 0 ? (next - now).seconds / rate : Self.longestWait
      return (min(max(seconds, 0.001), Self.longestWait), gone)
    }
    if let wait = look.wait {
      queue.asyncAfter(deadline: .now() + wait) { [weak self] in
        self?.state.withLock { $0.isTimed = false }
        self?.showWhatIsDue()
      }
    }
    askForMore()
  }

  private func draw(_ frame: CVPixelBuffer?, _ state: inout State) {
    guard let drawer = state.drawer else { return }
    state.isDrawing = true
    drawer.queue.async { [weak self] in
      drawer.draw(frame)
      guard let self else { return }
      self.state.withLock { $0.isDrawing = false }
      self.queue.async { [weak self] in self?.showWhatIsDue() }
    }
  }

  // MARK: Flushing

  /// Discards the queued samples and clears a failure; the shown frame stays.
  public func flush() {
    _ = state.withLock { state in
      defer { (state.schedule, state.decoder) = (FrameSchedule(), nil) }
      state.flushCount += 1
      (state.status, state.error) = (.unknown, nil)
      return (state.schedule, state.decoder)
    }
    queue.async { self.askForMore() }
  }

  /// Discards the queued samples and clears a failure.
  ///
  /// - Parameters:
  ///   - removesDisplayedImage: True to remove the shown frame: the frame handler receives nil.
  ///   - handler: Called when the flush is complete.
  public func flush(
    removingDisplayedImage removesDisplayedImage: Bool,
    completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    flush()
    queue.async {
      if removesDisplayedImage {
        _ = self.state.withLock { state in
          defer { state.displayed = nil }
          let drawer = state.drawer
          drawer?.queue.async { drawer?.draw(nil) }
          return state.displayed
        }
      }
      handler?()
    }
  }

  // MARK: Asking for samples

  /// Calls `block` on a queue whenever ``isReadyForMoreMediaData`` is true, until ``stopRequestingMediaData()``. If
  /// there is still room when it returns, it is called again after a few milliseconds.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    requests.begin(on: queue, block)
    askForMore()
  }

  /// Ends the calls.
  public func stopRequestingMediaData() { requests.end() }

  private func askForMore() {
    requests.ask(again: queue) { [weak self] in self?.isReadyForMoreMediaData == true }
  }
}
