public import Foundation
public import MediaCore
public import VideoRecorder

/// The names of what phones set by hand, and what of it no device here has: that is false, 0 or 1, and what is
/// set nevertheless changes nothing.
extension CaptureDevice {
  /// Stands for the exposure time as it is.
  public static let currentExposureDuration = CMTime.invalid
  /// Stands for the sensitivity as it is.
  public static let currentISO: Float = .greatestFiniteMagnitude
  /// Stands for the bias as it is.
  public static let currentExposureTargetBias: Float = .greatestFiniteMagnitude
  /// Stands for the lens as it is.
  public static let currentLensPosition: Float = .greatestFiniteMagnitude
  /// Stands for the lamp at its brightest.
  public static let maxAvailableTorchLevel: Float = .greatestFiniteMagnitude
  /// Stands for the white balance as it is.
  public static let currentWhiteBalanceGains = WhiteBalanceGains(
    redGain: .greatestFiniteMagnitude, greenGain: .greatestFiniteMagnitude,
    blueGain: .greatestFiniteMagnitude)

  /// 0.
  public var exposureTargetOffset: Float { 0 }
  /// 0: not known.
  public var lensAperture: Float { 0 }
  /// Invalid: no limit.
  public var activeMaxExposureDuration: CMTime {
    get { .invalid }
    set {}
  }

  // MARK: White balance

  /// How much a sensor's colors are amplified; 1 for not at all.
  public struct WhiteBalanceGains: Sendable, Hashable {
    /// Of red.
    public var redGain: Float
    /// Of green.
    public var greenGain: Float
    /// Of blue.
    public var blueGain: Float

    /// No amplification.
    public init() { self.init(redGain: 1, greenGain: 1, blueGain: 1) }
    /// Gains.
    public init(redGain: Float, greenGain: Float, blueGain: Float) {
      self.redGain = redGain
      self.greenGain = greenGain
      self.blueGain = blueGain
    }
  }

  /// White as a color temperature.
  public struct WhiteBalanceTemperatureAndTintValues: Sendable, Hashable {
    /// Kelvin.
    public var temperature: Float
    /// From green, below 0, to magenta.
    public var tint: Float

    /// 0 for both: not known.
    public init() { self.init(temperature: 0, tint: 0) }
    /// A white.
    public init(temperature: Float, tint: Float) {
      self.temperature = temperature
      self.tint = tint
    }
  }

  /// White as a point of CIE 1931.
  public struct WhiteBalanceChromaticityValues: Sendable, Hashable {
    /// The first coordinate.
    public var x: Float
    /// The second coordinate.
    public var y: Float

    /// 0 for both: not known.
    public init() { self.init(x: 0, y: 0) }
    /// A white.
    public init(x: Float, y: Float) {
      self.x = x
      self.y = y
    }
  }

  // MARK: What else phones have

  /// False: no phone is a device here.
  public var isContinuityCamera: Bool { false }
  /// Nil.
  public var companionDeskViewCamera: AVCaptureDevice? { nil }
  /// True where the device has a format for a preset, as a session asks.
  public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
    let session = CaptureSession()
    guard let input = try? CaptureDeviceInput(device: self) else { return false }
    // Otherwise a preset would choose the device's format.
    session.sessionPreset = .inputPriority
    guard session.canAddInput(input) else { return false }
    session.addInput(input)
    return session.canSetSessionPreset(preset)
  }
  /// How the lens's reach is limited.
  public enum AutoFocusRangeRestriction: Int, Sendable, Hashable {
    /// Not at all.
    case none = 0
    /// To what is near.
    case near = 1
    /// To what is far.
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
  /// False: nobody is kept in the picture's middle.
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
  /// None: no device here stands for several.
  public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { [] }
  /// Nil: no device here stands for several.
  public var activePrimaryConstituent: AVCaptureDevice? { nil }
  /// -1: not known.
  public var minimumFocusDistance: Int { -1 }
}

extension CaptureDevice.Format {
  /// Zero: not known. A sensor's limits are its device's `exposureLimits`.
  public var minExposureDuration: CMTime { .zero }
  /// Zero: not known.
  public var maxExposureDuration: CMTime { .zero }
  /// 0: not known.
  public var minISO: Float { 0 }
  /// 0: not known.
  public var maxISO: Float { 0 }
  /// 1: pictures are not enlarged.
  public var videoZoomFactorUpscaleThreshold: CGFloat { 1 }
  /// Not at all.
  public var autoFocusSystem: AutoFocusSystem { .none }
  /// False.
  public var isGlobalToneMappingSupported: Bool { false }
  /// False.
  public var isCenterStageSupported: Bool { false }
  /// False.
  public var isPortraitEffectSupported: Bool { false }
  /// None.
  public var supportedDepthDataFormats: [CaptureDevice.Format] { [] }

  /// How a lens is focused by itself.
  public enum AutoFocusSystem: Int, Sendable, Hashable {
    /// Not at all.
    case none = 0
    /// By contrast.
    case contrastDetection = 1
    /// By phase.
    case phaseDetection = 2
  }
}
