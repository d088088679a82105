/// Makes the frames of a video composition: a program's own code, in place of layer instructions.
///
/// ``AVMutableVideoComposition/customVideoCompositorClass`` names its class, of which an export, a reader's
/// output or an image generator makes an object: the class is `final`, or has a `required init()`. All calls but
/// ``cancelAllPendingVideoCompositionRequests()`` come from one queue.
public protocol AVVideoCompositing: AnyObject, Sendable {
  /// `[String: Any]?`, or a dictionary of `any Sendable`.
  associatedtype SourceAttributes = [String: Any]?
  /// `[String: Any]`, or a dictionary of `any Sendable`.
  associatedtype ContextAttributes = [String: Any]

  /// An object, made when a composition with its class is set.
  init()

  /// How tracks' pictures are to be: a format under ``kCVPixelBufferPixelFormatTypeKey``, or several, of which the
  /// first is taken that pictures can be brought to; nil for the decoder's own. Other keys change nothing.
  var sourcePixelBufferAttributes: SourceAttributes { get }
  /// How pictures of ``AVVideoCompositionRenderContext/newPixelBuffer()`` are to be, likewise; 32BGRA where no
  /// format is named.
  var requiredPixelBufferAttributesForRenderContext: ContextAttributes { get }
  /// False: colors are handed over as the tracks have them, whatever they are.
  var supportsWideColorSourceFrames: Bool { get }
  /// Same as ``supportsWideColorSourceFrames``.
  var supportsHDRSourceFrames: Bool { get }

  /// Says what frames are for; called before the first request.
  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
  /// Asks for a frame. The request is finished here, or later on any thread; up to three are under way at
  /// once.
  func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
  /// Says that nobody wants frames any more; called from a thread of its own. Requests that are under way may
  /// be finished in any way.
  func cancelAllPendingVideoCompositionRequests()
}

extension AVVideoCompositing {
  /// False.
  public var supportsWideColorSourceFrames: Bool { false }
  /// False.
  public var supportsHDRSourceFrames: Bool { false }
  /// No effect.
  public func cancelAllPendingVideoCompositionRequests() {}
}
