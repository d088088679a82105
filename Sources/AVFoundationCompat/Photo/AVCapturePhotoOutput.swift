import Dispatch
public import MediaCore
public import RawPhoto
public import VideoRecorder

/// Takes stills of a Bayer sensor, RAW and processed.
///
/// Unchecked because its superclass is open: it adds three `let`s of `Sendable` types.
public final class AVCapturePhotoOutput: CaptureOutput, @unchecked Sendable {
  /// What matters more in making a photo.
  public typealias QualityPrioritization = PhotoQualityPrioritization

  /// The output behind, for what Apple's has not: the calibration, captures with `async`.
  public let base: CapturePhotoOutput
  /// Where delegates are told of all captures, those among them that did not begin.
  let delivery = DispatchQueue(label: "photo-delegates")
  /// Captures that are not over.
  let captures = PhotoCaptures()

  /// An output without a source yet.
  public override init() {
    base = CapturePhotoOutput()
    super.init(connectionList: base.connectionList)
  }

  // MARK: What can be had

  /// The codes of the RAW formats of the connected source, its Bayer format first and, where enabled,
  /// ProRAW after it.
  public var availableRawPhotoPixelFormatTypes: [OSType] {
    base.availableRawPhotoPixelFormatTypes.map(\.rawValue)
  }
  /// True for the code of a Bayer format.
  public static func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    CapturePhotoOutput.isBayerRAWPixelFormat(MediaCore.FourCharCode(rawValue: pixelFormat))
  }
  /// True for the code of ProRAW.
  public static func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    CapturePhotoOutput.isAppleProRAWPixelFormat(MediaCore.FourCharCode(rawValue: pixelFormat))
  }
  /// The codecs of processed photos.
  public var availablePhotoCodecTypes: [AVVideoCodecType] {
    base.availablePhotoCodecTypes.map(\.videoCodecType)
  }
  /// The size of the source's photos; 0x0 without one. Setting it has no effect: photos have that size.
  public var maxPhotoDimensions: CMVideoDimensions {
    get { CMVideoDimensions(base.maxPhotoDimensions) }
    set {}
  }
  /// Exposures of a bracket at most.
  public var maxBracketedCapturePhotoCount: Int { base.maxBracketedCapturePhotoCount }
  /// True if the source is a Bayer sensor, whose exposures can be merged.
  public var isAppleProRAWSupported: Bool { base.isAppleProRAWSupported }
  /// True to add ProRAW to ``availableRawPhotoPixelFormatTypes``; to be set before the session starts.
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

  /// Takes a photo, and tells a delegate, which is kept until the end, what becomes of it.
  ///
  /// Where Apple's stops the program for settings with a mistake, the capture here ends at once: the
  /// delegate is told of its end with an ``AVError``.
  public func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate
  ) {
    let listener = PhotoListener(self, delegate, settings.uniqueID)
    do throws(AVError) {
      let native = try settings.settings(for: base.maxPhotoDimensions, baseISO: baseISO)
      // Before it begins: it may be over when this returns.
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

  /// One connection of pictures.
  public override func connectionLimit(for mediaType: MediaType) -> Int {
    base.connectionLimit(for: mediaType)
  }
  /// Takes a frame where a capture waits for one.
  public override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    base.receive(event, from: connection)
    captures.tell()
  }
  /// Takes note of a new stream.
  public override func connectionsDidChange() {
    base.connectionsDidChange()
    captures.tell()
  }
  /// Ends a capture that waits.
  public override func sessionDidStop() {
    base.sessionDidStop()
    captures.tell(isStopped: true)
  }
}
