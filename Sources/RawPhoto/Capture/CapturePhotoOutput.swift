import Dispatch
public import MediaCore
import Synchronization
public import VideoRecorder

/// Takes stills of a Bayer sensor, RAW and processed, as `AVCapturePhotoOutput` does.
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
/// Captures are made one after the other, on a queue of the output's own.
///
/// Unchecked because its superclass is: it adds two `let`s of `Sendable` types and a `Mutex`.
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

  /// The code of the ProRAW format: Apple's 16-bit RGBA, full range.
  public static let appleProRAWPixelFormat: FourCharCode = "l64r"

  /// An output without a source yet.
  public override init() { super.init() }

  // MARK: What can be had

  /// The RAW formats of the connected source, its Bayer format first and, where enabled, ProRAW
  /// after it; empty without a source.
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

  /// Apple's code where there is one, else V4L2's.
  static func code(of format: PixelFormat) -> FourCharCode? {
    guard format.isBayer else { return nil }
    return format.appleName(range: .full) ?? format.descriptor.v4l2Codes.first
  }

  /// The codecs of processed photos; empty without a source.
  public var availablePhotoCodecTypes: [PhotoCodecType] {
    sourceFormat == nil ? [] : PhotoCodecType.allCases
  }

  /// The size of the source's photos; 0x0 without one.
  public var maxPhotoDimensions: VideoDimensions {
    guard case .video(let video)? = source?.formatDescription else {
      return VideoDimensions(width: 0, height: 0)
    }
    return video.dimensions
  }

  /// Exposures of a bracket at most; 1 where the source has no control of its exposure.
  public var maxBracketedCapturePhotoCount: Int {
    source?.device.exposureLimits == nil ? 1 : 9
  }

  /// True where the source is a Bayer sensor, whose exposures can be merged.
  public var isAppleProRAWSupported: Bool { sourceFormat != nil }

  /// True to add ProRAW to ``availableRawPhotoPixelFormatTypes``. To be set before the session
  /// starts; while frames flow, or without support, setting it does nothing.
  public var isAppleProRAWEnabled: Bool {
    get { state.withLock { $0.isProRAWEnabled } && isAppleProRAWSupported }
    set {
      guard !newValue || isAppleProRAWSupported, source?.isActive != true else { return }
      state.withLock { $0.isProRAWEnabled = newValue }
    }
  }

  /// The highest quality priority that settings may ask for: `.balanced` at first.
  public var maxPhotoQualityPrioritization: PhotoQualityPrioritization {
    get { state.withLock { $0.maximumPriority } }
    set { state.withLock { $0.maximumPriority = newValue } }
  }

  /// The calibration of the sensor, which takes the place of what the device knows of itself; nil
  /// for the device's own, or else for `SensorCalibration.assumed(model:bitDepth:)` and a warning.
  public var calibration: SensorCalibration? {
    get { state.withLock { $0.calibration } }
    set { state.withLock { $0.calibration = newValue } }
  }

  // MARK: For captures

  /// The connection to the source, where there is one.
  var source: CaptureConnection? { connection(with: .video) }

  /// The Bayer format of the source.
  var sourceFormat: PixelFormat? {
    guard case .video(let video)? = source?.formatDescription, let format = video.pixelFormat,
      format.isBayer
    else { return nil }
    return format
  }

  /// Notes that settings are used; false where they were before.
  func use(_ settings: CapturePhotoSettings) -> Bool {
    state.withLock { $0.usedSettings.insert(settings.uniqueID).inserted }
  }

  // MARK: CaptureOutput

  /// One connection of pictures.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == .video ? 1 : 0
  }

  /// Takes a frame where a capture waits for one.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    collector.receive(event)
  }

  /// Takes note of a new stream.
  public override func connectionsDidChange() { collector.begin() }

  /// Ends a capture that waits.
  public override func sessionDidStop() {
    collector.fail(
      RawPhotoError(.notRunning, "the session was stopped during the capture; start it again"))
  }
}
