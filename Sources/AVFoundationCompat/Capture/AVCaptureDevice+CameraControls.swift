// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import VideoRecorder

/// The names of what cameras are asked for, and what no camera here has: each `is…Supported` of it is false, and
/// what is set without being supported, for which Apple's stops the program, changes nothing.
extension CaptureDevice {
  /// How exposure is set.
  public enum ExposureMode: Int, Sendable, Hashable {
    /// It stays.
    case locked = 0
    /// Measured once, then it stays.
    case autoExpose = 1
    /// Measured again and again.
    case continuousAutoExposure = 2
    /// By the program.
    case custom = 3
  }

  /// How the lens is focused.
  public enum FocusMode: Int, Sendable, Hashable {
    /// It stays.
    case locked = 0
    /// Focused once, then it stays.
    case autoFocus = 1
    /// Focused again and again.
    case continuousAutoFocus = 2
  }

  /// How white is set.
  public enum WhiteBalanceMode: Int, Sendable, Hashable {
    /// It stays.
    case locked = 0
    /// Measured once, then it stays.
    case autoWhiteBalance = 1
    /// Measured again and again.
    case continuousAutoWhiteBalance = 2
  }

  /// How a lamp is used.
  public enum TorchMode: Int, Sendable, Hashable {
    /// Not at all.
    case off = 0
    /// All the time.
    case on = 1
    /// Where it is dark.
    case auto = 2
  }

  /// False.
  public var hasTorch: Bool { false }
  /// False.
  public var isTorchAvailable: Bool { false }
  /// False for every mode but off.
  public func isTorchModeSupported(_ torchMode: TorchMode) -> Bool { torchMode == .off }
  /// Off.
  public var torchMode: TorchMode {
    get { .off }
    set {}
  }
  /// False.
  public var hasFlash: Bool { false }
  /// False.
  public var isFlashActive: Bool { false }

  /// False.
  public var isSubjectAreaChangeMonitoringEnabled: Bool {
    get { false }
    set {}
  }
  /// False.
  public var isLowLightBoostSupported: Bool { false }
}

/// Colors that a phone's camera can be asked for.
public enum AVCaptureColorSpace: Int, Sendable, Hashable {
  /// As computers' screens have them.
  case sRGB = 0
  /// Display P3.
  case P3_D65 = 1
  /// BT.2020 with hybrid log-gamma.
  case HLG_BT2020 = 2
  /// Apple's logarithmic curve.
  case appleLog = 3
  /// The curve after that.
  case appleLog2 = 4
}

extension CaptureDevice.Format {
  /// The colors to choose among: none. Pictures are declared and recorded in the colors that the device
  /// says they are in.
  public var supportedColorSpaces: [AVCaptureColorSpace] { [] }
}

extension CaptureDevice.DeviceType {
  /// A phone's cameras: no device here.
  public static let builtInDualWideCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
  /// A phone's camera: no device here.
  public static let builtInTrueDepthCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
  /// A phone's camera: no device here.
  public static let builtInLiDARDepthCamera = Self(
    rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
  /// A phone used as a camera: no device here.
  public static let continuityCamera = Self(rawValue: "AVCaptureDeviceTypeContinuityCamera")
  /// A phone's view of a desk: no device here.
  public static let deskViewCamera = Self(rawValue: "AVCaptureDeviceTypeDeskViewCamera")
}

extension CaptureSession.Preset {
  /// Not here: `canSetSessionPreset` is false.
  public static let medium = Self(rawValue: "AVCaptureSessionPresetMedium")
  /// Not here, as ``medium``.
  public static let low = Self(rawValue: "AVCaptureSessionPresetLow")
  /// Not here, as ``medium``.
  public static let cif352x288 = Self(rawValue: "AVCaptureSessionPreset352x288")
  /// Not here, as ``medium``.
  public static let vga640x480 = Self(rawValue: "AVCaptureSessionPreset640x480")
  /// Not here, as ``medium``.
  public static let qHD960x540 = Self(rawValue: "AVCaptureSessionPreset960x540")
  /// Not here, as ``medium``.
  public static let iFrame960x540 = Self(rawValue: "AVCaptureSessionPresetiFrame960x540")
  /// Not here, as ``medium``.
  public static let iFrame1280x720 = Self(rawValue: "AVCaptureSessionPresetiFrame1280x720")
}
