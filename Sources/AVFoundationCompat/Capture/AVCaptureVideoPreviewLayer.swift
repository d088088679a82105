public import Dispatch
public import Foundation
public import MediaCore
import Synchronization
public import VideoRecorder

/// How a picture fills a layer.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A way from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// All of it, in its shape.
  public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
  /// In its shape, cut to the layer.
  public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// In the layer's shape.
  public static let resize = Self(rawValue: "AVLayerVideoGravityResize")
}

/// Hands a session's pictures to whoever draws them: there is no window server here to do it.
///
/// ```swift
/// let preview = AVCaptureVideoPreviewLayer(session: session)
/// preview.setPictureHandler(queue: .main) { picture in window.draw(picture) }
/// ```
///
/// While a handler is at work, pictures that come are left out. The layer is none of the session's outputs.
public final class AVCaptureVideoPreviewLayer: Sendable {
  let output = CaptureVideoDataOutput()
  private let state = Mutex(State())

  private struct State: Sendable {
    weak var session: CaptureSession?
    var gravity = AVLayerVideoGravity.resizeAspect
    var frame = CGRect.zero
  }

  /// A layer of no session yet.
  public init() {}

  /// A layer of a session; it takes the session's first pictures.
  public init(session: AVCaptureSession) { self.session = session }

  /// A layer of a session that makes no connection by itself.
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

  /// The session whose pictures are shown.
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

  /// The way of the pictures to the layer; nil without one.
  public var connection: AVCaptureConnection? { output.connection(with: .video) }

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

  /// Has pictures handed to a function on a serial queue; nil for no more.
  public func setPictureHandler(
    queue: DispatchQueue, _ handler: (@Sendable (CVPixelBuffer) -> Void)?
  ) {
    guard let handler else {
      output.setSampleBufferHandler(nil)
      return
    }
    output.setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        deliver: { sample, _ in if let picture = sample.imageBuffer { handler(picture) } }))
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
