import Dispatch
public import Foundation
public import MediaCore
import Synchronization
public import VideoRecorder

/// Captures still images from a running session, for code that predates the photo output. Only ``AVCapturePhotoOutput``
/// makes RAW photos.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class AVCaptureStillImageOutput: CaptureOutput, @unchecked Sendable {
  private let state = Mutex(State())
  private let converter = FrameConverter()
  /// Converts frames and calls handlers, in order.
  private let queue = DispatchQueue(label: "still-image-output")

  private struct State: Sendable {
    var form = StillImageForm.jpeg(quality: 0.9)
    /// Why the last settings were refused.
    var refusal: AVError?
    /// Requests waiting for a frame, in order.
    var waiting: [Request] = []
    /// The number of requests whose handler has not been called yet.
    var underWay = 0
  }

  private struct Request: Sendable {
    let form: StillImageForm
    let connection: AVCaptureConnection
    let handler: @Sendable (CMSampleBuffer?, (any Error)?) -> Void
  }

  /// The maximum number of pending captures. A waiting one holds nothing; one being processed holds a frame.
  private static let mostRequests = 8

  /// An output that makes JPEG images.
  public override init() { super.init() }

  // MARK: Output format

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The image format: ``AVVideoCodecKey`` with JPEG, the default, optionally with an ``AVVideoQualityKey`` in
  /// ``AVVideoCompressionPropertiesKey``; or `kCVPixelBufferPixelFormatTypeKey` with one of
  /// ``availableImageDataCVPixelFormatTypes``. Nil and an empty dictionary mean JPEG.
  ///
  /// Apple's implementation stops the program for settings that cannot be met. Here captures fail with an
  /// ``AVError/Code/unsupportedOutputSettings`` that names the key, until valid settings are set.
  public var outputSettings: [String: Any]! {
    get { state.withLock { $0.form }.dictionary }
    set {
      let form = Result { () throws(AVError) in try StillImageForm(dictionary: newValue ?? [:]) }
      state.withLock { state in
        switch form {
        case .success(let form): (state.form, state.refusal) = (form, nil)
        case .failure(let error): state.refusal = error
        }
      }
    }
  }

  /// The codes of the connected device's pixel format and of those to which frames can be converted; empty without a
  /// device and for a sensor's mosaic.
  public var availableImageDataCVPixelFormatTypes: [OSType] {
    guard case .video(let video)? = connection(with: .video)?.formatDescription else { return [] }
    return video.availableLayouts.map(\.rawValue)
  }

  /// JPEG; empty without a device and for a sensor's mosaic.
  public var availableImageDataCodecTypes: [AVVideoCodecType] {
    availableImageDataCVPixelFormatTypes.isEmpty ? [] : [.jpeg]
  }

  /// False: an image is one of the device's frames. Setting it has no effect.
  public var automaticallyEnablesStillImageStabilizationWhenAvailable: Bool {
    get { false }
    set {}
  }
  /// False: frames are not merged.
  public var isStillImageStabilizationSupported: Bool { false }
  /// False: frames are not merged.
  public var isStillImageStabilizationActive: Bool { false }
  /// False: images have the size of the active format. Setting it has no effect.
  public var isHighResolutionStillImageOutputEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Captures

  /// True from the start of a capture until its handler has been called.
  public var isCapturingStillImage: Bool { state.withLock { $0.underWay > 0 } }

  /// Captures the next frame and passes it to a handler on the output's own queue.
  ///
  /// - Parameters:
  ///   - connection: A connection of this output.
  ///   - handler: Receives the image or an ``AVError``. For JPEG settings the sample holds the uncompressed frame,
  ///     which ``jpegStillImageNSDataRepresentation(_:)`` encodes. The sample occupies device memory while it is
  ///     retained.
  public func captureStillImageAsynchronously(
    from connection: AVCaptureConnection,
    completionHandler handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void
  ) {
    let obstacle = obstacle(to: connection)
    let error = state.withLock { state -> AVError? in
      if let error = obstacle ?? state.refusal { return error }
      guard state.underWay < Self.mostRequests else {
        return AVError(
          .maximumStillImageCaptureRequestsExceeded,
          "\(Self.mostRequests) still images are being captured; wait for one of them")
      }
      state.underWay += 1
      state.waiting.append(
        Request(form: state.form, connection: connection, handler: handler))
      return nil
    }
    if let error { queue.async { handler(nil, error) } }
  }

  /// Encodes a captured frame as JPEG, with its values taken as sRGB. Nil for audio, for a sensor's mosaic, and for a
  /// frame too large for JPEG.
  public static func jpegStillImageNSDataRepresentation(
    _ jpegSampleBuffer: CMSampleBuffer
  ) -> Data? { StillImageForm.jpegData(of: jpegSampleBuffer) }

  private func obstacle(to connection: AVCaptureConnection) -> AVError? {
    guard connections.contains(connection) else {
      return AVError(
        .operationNotAllowed, "the connection belongs to another output")
    }
    guard connection.isActive, case .video(let video)? = connection.formatDescription else {
      return AVError(
        .sessionNotRunning, "no frames flow from \(connection.device); start the session first")
    }
    guard !video.availableLayouts.isEmpty else {
      return AVError(
        .formatUnsupported,
        "\(connection.device) delivers no frames that can be converted; use an AVCapturePhotoOutput"
      )
    }
    return nil
  }

  // MARK: CaptureOutput

  /// One video connection.
  public override func connectionLimit(for mediaType: AVMediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Takes a frame if a capture is waiting. Damaged frames are skipped.
  public override func receive(_ event: CaptureEvent, from connection: AVCaptureConnection) {
    switch event {
    case .sample(let sample) where !sample.sourceFacts.isDamaged:
      let request = state.withLock { state in
        state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      guard let request else { return }
      queue.async { [self] in
        do throws(AVError) {
          end(request, try request.form.make(sample, with: converter), nil)
        } catch { end(request, nil, error) }
      }
    case .failed(let error): endAll(AVError(error))
    case .ended, .formatChanged:
      endAll(AVError(.mediaChanged, "\(connection.device) delivers no more frames in this format"))
    case .sample, .lost, .signalLost, .signalRestored: break
    }
  }

  /// Ends captures whose connection was removed.
  public override func connectionsDidChange() {
    let connections = connections
    endAll(AVError(.sessionConfigurationChanged, "the video was disconnected from the output")) {
      !connections.contains($0.connection)
    }
  }

  /// Ends waiting captures.
  public override func sessionDidStop() {
    endAll(AVError(.sessionNotRunning, "the session stopped before a frame arrived"))
  }

  private func endAll(_ error: AVError, where isOver: (Request) -> Bool = { _ in true }) {
    let over = state.withLock { state in
      let over = state.waiting.filter(isOver)
      state.waiting.removeAll(where: isOver)
      return over
    }
    guard !over.isEmpty else { return }
    queue.async { [self] in for request in over { end(request, nil, error) } }
  }

  private func end(_ request: Request, _ sample: CMSampleBuffer?, _ error: AVError?) {
    state.withLock { $0.underWay -= 1 }
    request.handler(sample, error)
  }
}
