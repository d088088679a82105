import Dispatch
public import MediaCore
import Synchronization
public import VideoRecorder

/// Takes stills from a Bayer sensor, RAW and processed, like `AVCapturePhotoOutput`.
///
/// ```swift
/// let output = CapturePhotoOutput()
/// try session.configure { session throws(CaptureError) in
///   session.sessionPreset = .photo
///   try session.add(CaptureDeviceInput(device: camera))
///   try session.add(output)
/// }
/// output.isAppleProRAWEnabled = output.isAppleProRAWSupported
/// try await session.start()
/// guard let format = output.availableRawPhotoPixelFormatTypes.first else { return }
/// let photos = try await output.capturePhoto(with: CapturePhotoSettings(rawPixelFormatType: format))
/// ```
///
/// Captures run one after the other, on the output's own queue.
///
/// `@unchecked Sendable` because its superclass is. That is safe: its own properties are two `let`s of `Sendable`
/// types and a `Mutex`.
public final class CapturePhotoOutput: CaptureOutput, @unchecked Sendable {
  let collector = FrameCollector()
  let queue = DispatchQueue(label: "photo-output")
  private let state = Mutex(State())

  private struct State {
    var isProRAWEnabled = false
    var maximumPriority = PhotoQualityPrioritization.balanced
    var calibration: SensorCalibration?
    var usedSettings: Set<Int64> = []
  }

  /// The code of the ProRAW format: Apple's full-range 16-bit RGBA.
  public static let appleProRAWPixelFormat: FourCharCode = "l64r"

  public override init() { super.init() }

  // MARK: Capabilities

  /// The RAW formats of the connected source: its Bayer format, followed by ProRAW if enabled; empty without a
  /// source.
  public var availableRawPhotoPixelFormatTypes: [FourCharCode] {
    guard let format = sourceFormat, let code = Self.code(of: format) else { return [] }
    return isAppleProRAWEnabled ? [code, Self.appleProRAWPixelFormat] : [code]
  }

  /// True for the code of a Bayer format.
  public static func isBayerRAWPixelFormat(_ code: FourCharCode) -> Bool {
    PixelFormat.allCases.contains { $0.isBayer && Self.code(of: $0) == code }
  }

  /// True for the code of ProRAW.
  public static func isAppleProRAWPixelFormat(_ code: FourCharCode) -> Bool {
    code == appleProRAWPixelFormat
  }

  /// Apple's code if there is one, otherwise V4L2's.
  static func code(of format: PixelFormat) -> FourCharCode? {
    guard format.isBayer else { return nil }
    return format.appleName(range: .full) ?? format.descriptor.v4l2Codes.first
  }

  /// The codecs of processed photos; empty without a source.
  public var availablePhotoCodecTypes: [PhotoCodecType] {
    sourceFormat == nil ? [] : PhotoCodecType.allCases
  }

  /// The size of the source's photos; 0x0 without a source.
  public var maxPhotoDimensions: VideoDimensions {
    guard case .video(let video)? = source?.formatDescription else {
      return VideoDimensions(width: 0, height: 0)
    }
    return video.dimensions
  }

  /// The most exposures in a bracket; 1 if the source's exposure cannot be controlled.
  public var maxBracketedCapturePhotoCount: Int {
    source?.device.exposureLimits == nil ? 1 : 9
  }

  /// True if the source is a Bayer sensor, whose exposures can be merged.
  public var isAppleProRAWSupported: Bool { sourceFormat != nil }

  /// True to add ProRAW to ``availableRawPhotoPixelFormatTypes``. It must be set before the session starts; while
  /// frames flow, or without support, setting it has no effect.
  public var isAppleProRAWEnabled: Bool {
    get { state.withLock { $0.isProRAWEnabled } && isAppleProRAWSupported }
    set {
      guard !newValue || isAppleProRAWSupported, source?.isActive != true else { return }
      state.withLock { $0.isProRAWEnabled = newValue }
    }
  }

  /// The highest quality priority that settings may request; `.balanced` by default.
  public var maxPhotoQualityPrioritization: PhotoQualityPrioritization {
    get { state.withLock { $0.maximumPriority } }
    set { state.withLock { $0.maximumPriority = newValue } }
  }

  /// The sensor's calibration, which replaces the device's own; nil for the device's own, or, if it has none,
  /// `SensorCalibration.assumed(model:bitDepth:)` and a warning.
  public var calibration: SensorCalibration? {
    get { state.withLock { $0.calibration } }
    set { state.withLock { $0.calibration = newValue } }
  }

  // MARK: State of captures

  /// The connection to the source, if there is one.
  var source: CaptureConnection? { connection(with: .video) }

  /// The source's Bayer format.
  var sourceFormat: PixelFormat? {
    guard case .video(let video)? = source?.formatDescription, let format = video.pixelFormat,
      format.isBayer
    else { return nil }
    return format
  }

  /// Marks settings as used; false if they were used before.
  func use(_ settings: CapturePhotoSettings) -> Bool {
    state.withLock { $0.usedSettings.insert(settings.uniqueID).inserted }
  }

  // MARK: CaptureOutput

  /// One video connection.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Passes frames to a waiting capture.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    collector.receive(event)
  }

  /// Prepares for a new stream.
  public override func connectionsDidChange() { collector.begin() }

  /// Ends a waiting capture.
  public override func sessionDidStop() {
    collector.fail(
      RawPhotoError(.notRunning, "the session was stopped during the capture; start it again"))
  }
}
