public import Foundation
public import MediaCore
public import VideoRecorder

/// Names of manual controls of phones, and controls that no device here has: their values are false, 0 or 1, and
/// setting them has no effect.
extension CaptureDevice {
  /// Keeps the current exposure time.
  public static let currentExposureDuration = CMTime.invalid
  /// Keeps the current sensitivity.
  public static let currentISO: Float = .greatestFiniteMagnitude
  /// Keeps the current bias.
  public static let currentExposureTargetBias: Float = .greatestFiniteMagnitude
  /// Keeps the current lens position.
  public static let currentLensPosition: Float = .greatestFiniteMagnitude
  /// The torch at its brightest.
  public static let maxAvailableTorchLevel: Float = .greatestFiniteMagnitude
  /// Keeps the current white balance.
  public static let currentWhiteBalanceGains = WhiteBalanceGains(
    redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude,
    blueGain: .greatestFiniteMagnitude)

  /// 0.
  public var exposureTargetOffset: Float { 0 }
  /// 0: unknown.
  public var lensAperture: Float { 0 }
  /// Invalid: no limit.
  public var activeMaxExposureDuration: CMTime {
    get { .invalid }
    set {}
  }

  // MARK: White balance

  /// The gains of a sensor's colors; 1 for no amplification.
  public struct WhiteBalanceGains: Sendable, Hashable {
    public var redGain: Float
    public var greenGain: Float
    public var blueGain: Float

    /// No amplification.
    public init() { self.init(redGain: 1, greenGain: 1, blueGain: 1) }
    public init(redGain: Float, greenGain: Float, blueGain: Float) {
      self.redGain = redGain
      self.greenGain = greenGain
      self.blueGain = blueGain
    }
  }

  /// A white point as a color temperature and tint.
  public struct WhiteBalanceTemperatureAndTintValues: Sendable, Hashable {
    /// In kelvins.
    public var temperature: Float
    /// Negative for green, positive for magenta.
    public var tint: Float

    /// 0 for both: unknown.
    public init() { self.init(temperature: 0, tint: 0) }
    /// A white.
    public init(temperature: Float, tint: Float) {
      self.temperature = temperature
      self.tint = tint
    }
  }

  /// A white point in CIE 1931 xy coordinates.
  public struct WhiteBalanceChromaticityValues: Sendable, Hashable {
    public var x: Float
    public var y: Float

    /// 0 for both: unknown.
    public init() { self.init(x: 0, y: 0) }
    /// A white.
    public init(x: Float, y: Float) {
      self.x = x
      self.y = y
    }
  }

  // MARK: Other phone features

  /// False: phones are not devices here.
  public var isContinuityCamera: Bool { false }
  /// Nil.
  public var companionDeskViewCamera: AVCaptureDevice? { nil }
  /// True if the device has a format for a session preset.
  public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
    let session = CaptureSession()
    guard let input = try? CaptureDeviceInput(device: self) else { return false }
    // Another preset would change the device's format.
    session.sessionPreset = .inputPriority
    guard session.canAddInput(input) else { return false }
    session.addInput(input)
    return session.canSetSessionPreset(preset)
  }
  /// How the focus range is limited.
  public enum AutoFocusRangeRestriction: Int, Sendable, Hashable {
    /// None.
    case none = 0
    /// To near distances.
    case near = 1
    /// To far distances.
    case far = 2
  }
  /// False.
  public var isAutoFocusRangeRestrictionSupported: Bool { false }
  /// None.
  public var autoFocusRangeRestriction: AutoFocusRangeRestriction {
    get { .none }
    set {}
  }
  /// False.
  public var isLowLightBoostEnabled: Bool { false }
  /// False.
  public var isGlobalToneMappingEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isGeometricDistortionCorrectionSupported: Bool { false }
  /// False.
  public var isGeometricDistortionCorrectionEnabled: Bool {
    get { false }
    set {}
  }
  /// False: Center Stage is not supported.
  public static var isCenterStageEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no background is blurred.
  public static var isPortraitEffectEnabled: Bool { false }
  /// False.
  public var isCenterStageActive: Bool { false }
  /// False.
  public var isPortraitEffectActive: Bool { false }
  /// 1.
  public var dualCameraSwitchOverVideoZoomFactor: CGFloat { 1 }
  /// None: there are no virtual devices here.
  public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { [] }
  /// Nil: there are no virtual devices here.
  public var activePrimaryConstituent: AVCaptureDevice? { nil }
  /// -1: unknown.
  public var minimumFocusDistance: Int { -1 }
}

extension CaptureDevice.Format {
  /// Zero: unknown. A sensor's limits are its device's `exposureLimits`.
  public var minExposureDuration: CMTime { .zero }
  /// Zero: unknown.
  public var maxExposureDuration: CMTime { .zero }
  /// 0: unknown.
  public var minISO: Float { 0 }
  /// 0: unknown.
  public var maxISO: Float { 0 }
  /// 1: frames are not enlarged.
  public var videoZoomFactorUpscaleThreshold: CGFloat { 1 }
  /// None.
  public var autoFocusSystem: AutoFocusSystem { .none }
  /// False.
  public var isGlobalToneMappingSupported: Bool { false }
  /// False.
  public var isCenterStageSupported: Bool { false }
  /// False.
  public var isPortraitEffectSupported: Bool { false }
  /// None.
  public var supportedDepthDataFormats: [CaptureDevice.Format] { [] }

  /// The autofocus method.
  public enum AutoFocusSystem: Int, Sendable, Hashable {
    /// None.
    case none = 0
    /// Contrast detection.
    case contrastDetection = 1
    /// Phase detection.
    case phaseDetection = 2
  }
}
