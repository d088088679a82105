import Dispatch
public import Foundation
public import MediaCore
import Synchronization
public import VideoRecorder

/// Takes single pictures of a running session: the older way, of code that has no photo output. RAW photos are made
/// by ``AVCapturePhotoOutput`` alone.
///
/// Unchecked because its superclass is open: each stored property here is a `let` of a `Sendable` type, and what
/// changes is behind a `Mutex`.
public final class AVCaptureStillImageOutput: CaptureOutput, @unchecked Sendable {
  private let state = Mutex(State())
  private let converter = PictureConverter()
  /// Where pictures are converted and handlers are called, in order.
  private let queue = DispatchQueue(label: "still-image-output")

  private struct State: Sendable {
    var form = StillImageForm.jpeg(quality: 0.9)
    /// What is wrong with the settings that were given last.
    var refusal: AVError?
    /// Those that wait for a picture, in order.
    var waiting: [Request] = []
    /// Those whose handler was not called yet, of all.
    var underWay = 0
  }

  private struct Request: Sendable {
    let form: StillImageForm
    let connection: AVCaptureConnection
    let handler: @Sendable (CMSampleBuffer?, (any Error)?) -> Void
  }

  /// Captures that may be under way: those that wait hold nothing, those that are made hold a picture each.
  private static let mostRequests = 8

  /// An output that makes JPEG pictures.
  public override init() { super.init() }

  // MARK: What is made

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The form of pictures: ``AVVideoCodecKey`` with JPEG, as at first, where ``AVVideoCompressionPropertiesKey``
  /// may have an ``AVVideoQualityKey``; or `kCVPixelBufferPixelFormatTypeKey` with one of
  /// ``availableImageDataCVPixelFormatTypes``. Nil and an empty dictionary stand for JPEG.
  ///
  /// Apple's stops the program for settings that cannot be met. Here captures end with an
  /// ``AVError/Code/unsupportedOutputSettings`` that names the key, until better ones are set.
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

  /// The codes of the layout that the connected device gives and of those that pictures are brought to; empty without
  /// a device, and for a sensor's mosaic.
  public var availableImageDataCVPixelFormatTypes: [OSType] {
    guard case .video(let video)? = connection(with: .video)?.formatDescription else { return [] }
    return video.availableLayouts.map(\.rawValue)
  }

  /// JPEG; none without a device, and for a sensor's mosaic.
  public var availableImageDataCodecTypes: [AVVideoCodecType] {
    availableImageDataCVPixelFormatTypes.isEmpty ? [] : [.jpeg]
  }

  /// False: a picture is one of the device's. To set it changes nothing.
  public var automaticallyEnablesStillImageStabilizationWhenAvailable: Bool {
    get { false }
    set {}
  }
  /// False: no pictures are merged.
  public var isStillImageStabilizationSupported: Bool { false }
  /// False: no pictures are merged.
  public var isStillImageStabilizationActive: Bool { false }
  /// False: pictures have the size of the active format. To set it changes nothing.
  public var isHighResolutionStillImageOutputEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Captures

  /// True from a capture's call until its handler was called.
  public var isCapturingStillImage: Bool { state.withLock { $0.underWay > 0 } }

  /// Takes the picture that comes next, and hands it to a function on a queue of the output's own.
  ///
  /// - Parameters:
  ///   - connection: One of the output's.
  ///   - handler: Has the picture, or an ``AVError``. For JPEG settings the sample holds the picture uncompressed,
  ///     and ``jpegStillImageNSDataRepresentation(_:)`` makes the file of it. Device memory is held for as long as
  ///     the sample is.
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

  /// The file of a picture that a capture gave: JPEG with its numbers taken for sRGB. Nil for sound, for a sensor's
  /// mosaic, and for a picture that is larger than JPEG can be.
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
        .sessionNotRunning, "no pictures flow from \(connection.device); start the session first")
    }
    guard !video.availableLayouts.isEmpty else {
      return AVError(
        .formatUnsupported,
        "\(connection.device) gives no pictures that can be converted; use an AVCapturePhotoOutput")
    }
    return nil
  }

  // MARK: CaptureOutput

  /// One connection of pictures.
  public override func connectionLimit(for mediaType: AVMediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Takes a picture where a capture waits for one. A damaged one is passed over.
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
      endAll(AVError(.mediaChanged, "\(connection.device) gives no more pictures in this format"))
    case .sample, .lost, .signalLost, .signalRestored: break
    }
  }

  /// Ends captures whose pictures are not connected any more.
  public override func connectionsDidChange() {
    let connections = connections
    endAll(AVError(.sessionConfigurationChanged, "the pictures were disconnected from the output"))
    {
      !connections.contains($0.connection)
    }
  }

  /// Ends captures that wait.
  public override func sessionDidStop() {
    endAll(AVError(.sessionNotRunning, "the session stopped before a picture arrived"))
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
