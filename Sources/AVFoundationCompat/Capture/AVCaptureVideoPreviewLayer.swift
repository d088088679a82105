public import Dispatch
public import Foundation
public import MediaCore
import Synchronization
public import VideoRecorder

/// How video fills a layer.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Keeps the aspect ratio and shows the whole frame.
  public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
  /// Keeps the aspect ratio and crops to fill the layer.
  public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// Stretches to the layer's aspect ratio.
  public static let resize = Self(rawValue: "AVLayerVideoGravityResize")
}

/// Passes a session's frames to the code that draws them, because there is no window server here.
///
/// ```swift
/// let preview = AVCaptureVideoPreviewLayer(session: session)
/// preview.setFrameHandler(queue: .main) { frame in window.draw(frame) }
/// ```
///
/// Frames that arrive while the handler is busy are dropped. The layer is not listed among the session's outputs.
public final class AVCaptureVideoPreviewLayer: Sendable {
  let output = CaptureVideoDataOutput()
  private let state = Mutex(State())

  private struct State: Sendable {
    weak var session: CaptureSession?
    var gravity = AVLayerVideoGravity.resizeAspect
    var frame = CGRect.zero
  }

  /// A layer without a session.
  public init() {}

  /// A layer for a session, connected to the session's first video stream.
  public init(session: AVCaptureSession) { self.session = session }

  /// A layer for a session, without a connection.
  public init(sessionWithNoConnection session: AVCaptureSession) {
    attachWithoutConnection(session)
  }

  func attachWithoutConnection(_ session: AVCaptureSession) {
    state.withLock { $0.session = session }
    session.addOnlooker(output, isManual: true)
  }

  deinit {
    output.setSampleBufferHandler(nil)
    state.withLock { $0.session }?.removeOnlooker(output)
  }

  /// The session whose video is shown.
  public var session: AVCaptureSession? {
    get { state.withLock { $0.session } }
    set {
      let before = state.withLock { state in
        defer { state.session = newValue }
        return state.session
      }
      guard before !== newValue else { return }
      before?.removeOnlooker(output)
      newValue?.addOnlooker(output, isManual: false)
    }
  }

  /// The connection that delivers frames to the layer; nil if there is none.
  public var connection: AVCaptureConnection? { output.connection(with: .video) }

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

  /// Sets the function that receives frames on a serial queue; nil to stop.
  public func setFrameHandler(
    queue: DispatchQueue, _ handler: (@Sendable (CVPixelBuffer) -> Void)?
  ) {
    guard let handler else {
      output.setSampleBufferHandler(nil)
      return
    }
    output.setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        deliver: { sample, _ in if let rect = sample.imageBuffer { handler(rect) } }))
  }
}

extension AVCaptureVideoPreviewLayer: Hashable {
  /// True for the same object.
  public static func == (lhs: AVCaptureVideoPreviewLayer, rhs: AVCaptureVideoPreviewLayer) -> Bool {
    lhs === rhs
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
