/// Makes the frames of a video composition in a program's own code, instead of layer instructions.
///
/// Set its class in ``AVMutableVideoComposition/customVideoCompositorClass``. An export, a reader's output or an
/// image generator creates an instance, so the class must be `final` or have a `required init()`. All calls except
/// ``cancelAllPendingVideoCompositionRequests()`` come from one queue.
public protocol AVVideoCompositing: AnyObject, Sendable {
  /// `[String: Any]?`, or a dictionary of `any Sendable`.
  associatedtype SourceAttributes = [String: Any]?
  /// `[String: Any]`, or a dictionary of `any Sendable`.
  associatedtype ContextAttributes = [String: Any]

  /// Called when a composition with this class is set.
  init()

  /// The pixel format of the tracks' frames: a format under ``kCVPixelBufferPixelFormatTypeKey``, or an array of
  /// them, of which the first supported one is used; nil for the decoder's format. Other keys have no effect.
  var sourcePixelBufferAttributes: SourceAttributes { get }
  /// The pixel format of buffers from ``AVVideoCompositionRenderContext/newPixelBuffer()``, in the same form; 32BGRA
  /// if no format is given.
  var requiredPixelBufferAttributesForRenderContext: ContextAttributes { get }
  /// Has no effect: frames are always passed in the tracks' colors.
  var supportsWideColorSourceFrames: Bool { get }
  /// Same as ``supportsWideColorSourceFrames``.
  var supportsHDRSourceFrames: Bool { get }

  /// Called before the first request, with the frames' size and composition.
  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
  /// Requests a frame. Finish it here, or later on any thread; up to three requests are pending at the same time.
  func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
  /// Called on another thread when no more frames are needed. Pending requests may be finished in any way.
  func cancelAllPendingVideoCompositionRequests()
}

extension AVVideoCompositing {
  public var supportsWideColorSourceFrames: Bool { false }
  public var supportsHDRSourceFrames: Bool { false }
  public func cancelAllPendingVideoCompositionRequests() {}
}
