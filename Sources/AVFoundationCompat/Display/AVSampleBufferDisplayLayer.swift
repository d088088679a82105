public import Dispatch
public import Foundation
public import MediaCore
import Synchronization

/// Hands pictures that a program enqueues, each when its time has come, to the program that draws them: there is no window
/// server here to do it. See ``AVSampleBufferVideoRenderer`` for which picture is shown when.
///
/// ```swift
/// let layer = AVSampleBufferDisplayLayer()
/// layer.setPictureHandler(queue: .main) { picture in
///   if let picture { window.draw(picture, in: layer.frame) } else { window.clear() }
/// }
/// layer.enqueue(sampleBuffer)
/// ```
public final class AVSampleBufferDisplayLayer: AVQueuedSampleBufferRendering, Sendable {
  /// What shows the layer's pictures.
  public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
  private let state = Mutex(State())

  private struct State: Sendable {
    var gravity = AVLayerVideoGravity.resizeAspect
    var frame = CGRect.zero
  }

  /// A layer that shows nothing yet.
  public init() {
    sampleBufferRenderer.failureHandler.withLock { handler in
      handler = { [weak self] error in
        NotificationCenter.default.post(
          name: .AVSampleBufferDisplayLayerFailedToDecode, object: self,
          userInfo: [AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey: error])
      }
    }
  }

  /// Has each picture handed to a function on a serial queue when its time has come, and nil when none is to be seen
  /// any more; nil for no more calls. Apple's has no such function.
  public func setPictureHandler(
    queue: DispatchQueue, _ handler: (@Sendable (_ picture: CVPixelBuffer?) -> Void)?
  ) { sampleBufferRenderer.setPictureHandler(queue: queue, handler) }

  /// How pictures are to fill the layer: for who draws.
  public var videoGravity: AVLayerVideoGravity {
    get { state.withLock { $0.gravity } }
    set { state.withLock { $0.gravity = newValue } }
  }
  /// Where the layer lies in its parent: for who draws.
  public var frame: CGRect {
    get { state.withLock { $0.frame } }
    set { state.withLock { $0.frame = newValue } }
  }
  /// The layer's own rectangle: its frame's size, from (0, 0).
  public var bounds: CGRect {
    get { CGRect(origin: .zero, size: frame.size) }
    set { frame = CGRect(origin: frame.origin, size: newValue.size) }
  }

  /// The timeline that samples' times are on; nil for the host's clock. It is looked at a hundred times a second.
  public var controlTimebase: CMTimebase? {
    get { sampleBufferRenderer.controlTimebase }
    set { sampleBufferRenderer.controlTimebase = newValue }
  }
  /// ``controlTimebase``, else the host's clock.
  public var timebase: CMTimebase { sampleBufferRenderer.timebase }

  /// How the layer is getting on. A flush ends a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }
  /// Why a sample could not be shown, an ``AVError``; nil if none failed.
  public var error: (any Error)? { sampleBufferRenderer.error }
  /// True while fewer than eight pictures wait; false from a failure to the next flush, as nothing is taken.
  public var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }
  /// True if a picture waits, or is shown.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart
  }
  /// True while a picture is shown.
  public var isReadyForDisplay: Bool { sampleBufferRenderer.copyDisplayedPixelBuffer() != nil }
  /// False: no system takes a decoder away here.
  public var requiresFlushToResumeDecoding: Bool { false }
  /// False. To set it changes nothing: who draws sees to the screen.
  public var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { false }
    set {}
  }
  /// False. To set it changes nothing: nobody is kept from recording what is drawn.
  public var preventsCapture: Bool {
    get { false }
    set {}
  }

  /// Hands a picture over: see ``AVSampleBufferVideoRenderer/enqueue(_:)``.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    sampleBufferRenderer.enqueue(sampleBuffer)
  }
  /// Forgets the samples that wait, and a failure; the picture that is shown stays.
  public func flush() { sampleBufferRenderer.flush() }
  /// Forgets the samples that wait, and a failure, and shows no picture any more: the drawer is given nil.
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
