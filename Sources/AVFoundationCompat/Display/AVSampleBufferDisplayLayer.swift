public import Dispatch
public import Foundation
public import MediaCore
import Synchronization

/// Delivers each enqueued frame at its time to the program that draws it, because there is no window server here. See
/// ``AVSampleBufferVideoRenderer`` for which frame is shown when.
///
/// ```swift
/// let layer = AVSampleBufferDisplayLayer()
/// layer.setFrameHandler(queue: .main) { frame in
///   if let frame { window.draw(frame, in: layer.frame) } else { window.clear() }
/// }
/// layer.enqueue(sampleBuffer)
/// ```
public final class AVSampleBufferDisplayLayer: AVQueuedSampleBufferRendering, Sendable {
  /// The renderer of the layer's frames.
  public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
  private let state = Mutex(State())

  private struct State: Sendable {
    var gravity = AVLayerVideoGravity.resizeAspect
    var frame = CGRect.zero
  }

  /// A layer without frames.
  public init() {
    sampleBufferRenderer.failureHandler.withLock { handler in
      handler = { [weak self] error in
        NotificationCenter.default.post(
          name: .AVSampleBufferDisplayLayerFailedToDecode, object: self,
          userInfo: [AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey: error])
      }
    }
  }

  /// Sets the function that receives each frame at its time on a serial queue, and nil when no frame should be visible.
  /// Nil for no more calls. Not in AVFoundation.
  public func setFrameHandler(
    queue: DispatchQueue, _ handler: (@Sendable (_ frame: CVPixelBuffer?) -> Void)?
  ) { sampleBufferRenderer.setFrameHandler(queue: queue, handler) }

  /// How video should fill the layer, for the drawing code.
  public var videoGravity: AVLayerVideoGravity {
    get { state.withLock { $0.gravity } }
    set { state.withLock { $0.gravity = newValue } }
  }
  /// The layer's rectangle in its parent, for the drawing code.
  public var frame: CGRect {
    get { state.withLock { $0.frame } }
    set { state.withLock { $0.frame = newValue } }
  }
  /// The layer's bounds: its frame's size, from (0, 0).
  public var bounds: CGRect {
    get { CGRect(origin: .zero, size: frame.size) }
    set { frame = CGRect(origin: frame.origin, size: newValue.size) }
  }

  /// The timeline of the samples' times; nil for the host clock. It is polled a hundred times a second.
  public var controlTimebase: CMTimebase? {
    get { sampleBufferRenderer.controlTimebase }
    set { sampleBufferRenderer.controlTimebase = newValue }
  }
  /// ``controlTimebase``, or the host clock.
  public var timebase: CMTimebase { sampleBufferRenderer.timebase }

  /// The status. A flush clears a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }
  /// Why a sample could not be shown, an ``AVError``; nil if none failed.
  public var error: (any Error)? { sampleBufferRenderer.error }
  /// True while fewer than eight frames are queued; false from a failure to the next flush.
  public var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }
  /// True if a frame is queued or shown.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart
  }
  /// True while a frame is shown.
  public var isReadyForDisplay: Bool { sampleBufferRenderer.copyDisplayedPixelBuffer() != nil }
  /// False: the system never takes a decoder away here.
  public var requiresFlushToResumeDecoding: Bool { false }
  /// False. Setting it has no effect: the drawing code controls the screen.
  public var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { false }
    set {}
  }
  /// False. Setting it has no effect: recording of the screen is not prevented.
  public var preventsCapture: Bool {
    get { false }
    set {}
  }

  /// Adds a frame to the queue: see ``AVSampleBufferVideoRenderer/enqueue(_:)``.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    sampleBufferRenderer.enqueue(sampleBuffer)
  }
  /// Discards the queued samples and clears a failure; the shown frame stays.
  public func flush() { sampleBufferRenderer.flush() }
  /// Discards the queued samples, clears a failure and removes the shown frame: the frame handler receives nil.
  public func flushAndRemoveImage() {
    sampleBufferRenderer.flush(removingDisplayedImage: true)
  }
  /// Calls `block` on a queue whenever ``isReadyForMoreMediaData`` is true, until ``stopRequestingMediaData()``.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) { sampleBufferRenderer.requestMediaDataWhenReady(on: queue, using: block) }
  /// Ends the calls.
  public func stopRequestingMediaData() { sampleBufferRenderer.stopRequestingMediaData() }
}

extension AVSampleBufferDisplayLayer: AVKeyValueObservable, ComparedByIdentity {}
extension AVSampleBufferVideoRenderer: AVKeyValueObservable, ComparedByIdentity {}
