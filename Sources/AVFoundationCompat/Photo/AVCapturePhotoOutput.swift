import Dispatch
public import MediaCore
public import RawPhoto
public import VideoRecorder

/// Takes RAW and processed photos with a Bayer sensor.
///
/// Unchecked: the compiler does not verify subclasses. This one adds three `let`s of `Sendable` types.
public final class AVCapturePhotoOutput: CaptureOutput, @unchecked Sendable {
  /// Whether speed or quality matters more.
  public typealias QualityPrioritization = PhotoQualityPrioritization

  /// The underlying output, with features that Apple's API does not have: calibration and `async` captures.
  public let base: CapturePhotoOutput
  /// The serial queue on which delegates are called, also for captures that did not start.
  let delivery = DispatchQueue(label: "photo-delegates")
  /// The unfinished captures.
  let captures = PhotoCaptures()

  public override init() {
    base = CapturePhotoOutput()
    super.init(connectionList: base.connectionList)
  }

  // MARK: Formats

  /// The RAW pixel formats of the connected source: its Bayer format, then ProRAW if enabled.
  public var availableRawPhotoPixelFormatTypes: [OSType] {
    base.availableRawPhotoPixelFormatTypes.map(\.rawValue)
  }
  public static func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    CapturePhotoOutput.isBayerRAWPixelFormat(MediaCore.FourCharCode(rawValue: pixelFormat))
  }
  public static func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    CapturePhotoOutput.isAppleProRAWPixelFormat(MediaCore.FourCharCode(rawValue: pixelFormat))
  }
  /// The codecs of processed photos.
  public var availablePhotoCodecTypes: [AVVideoCodecType] {
    base.availablePhotoCodecTypes.map(\.videoCodecType)
  }
  /// The size of the source's photos; 0x0 without a source. Setting it has no effect: photos always have that size.
  public var maxPhotoDimensions: CMVideoDimensions {
    get { CMVideoDimensions(base.maxPhotoDimensions) }
    set {}
  }
  /// The most exposures in a bracket.
  public var maxBracketedCapturePhotoCount: Int { base.maxBracketedCapturePhotoCount }
  /// True if the source is a Bayer sensor, whose exposures can be merged.
  public var isAppleProRAWSupported: Bool { base.isAppleProRAWSupported }
  /// True to add ProRAW to ``availableRawPhotoPixelFormatTypes``; set it before the session starts.
  public var isAppleProRAWEnabled: Bool {
    get { base.isAppleProRAWEnabled }
    set { base.isAppleProRAWEnabled = newValue }
  }
  /// The highest quality priority that settings may ask for.
  public var maxPhotoQualityPrioritization: QualityPrioritization {
    get { base.maxPhotoQualityPrioritization }
    set { base.maxPhotoQualityPrioritization = newValue }
  }
  /// True: photos have the full size of the source. Setting it has no effect.
  public var isHighResolutionCaptureEnabled: Bool {
    get { true }
    set {}
  }

  // MARK: Captures

  /// Takes a photo and reports to a delegate, which is retained until the capture is over.
  ///
  /// For invalid settings, the capture ends immediately and the delegate is called with an ``AVError``; Apple's
  /// framework stops the program.
  public func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate
  ) {
    let listener = PhotoListener(self, delegate, settings.uniqueID)
    do throws(AVError) {
      let native = try settings.settings(for: base.maxPhotoDimensions, baseISO: baseISO)
      // Set before the capture starts, because it may be over when this returns.
      captures.set(.exposing, of: listener)
      do throws(RawPhotoError) {
        try base.capturePhoto(with: native, delegate: listener)
      } catch { throw AVError(error) }
    } catch {
      captures.set(nil, of: listener)
      listener.end(AVCaptureResolvedPhotoSettings(uniqueID: settings.uniqueID), error)
    }
  }

  private var baseISO: Double {
    let device = connection(with: .video)?.device
    return base.calibration?.baseISO ?? device?.sensorControl?.calibration?.baseISO ?? 100
  }

  // MARK: CaptureOutput

  /// One video connection.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    base.connectionLimit(for: mediaType)
  }
  /// Takes a frame if a capture is waiting for one.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    base.receive(event, from: connection)
    captures.tell()
  }
  public override func connectionsDidChange() {
    base.connectionsDidChange()
    captures.tell()
  }
  /// Ends a waiting capture.
  public override func sessionDidStop() {
    base.sessionDidStop()
    captures.tell(isStopped: true)
  }
}
