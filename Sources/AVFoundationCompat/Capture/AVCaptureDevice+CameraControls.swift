// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import VideoRecorder

/// Camera control names, and controls that no camera here has: for those `is…Supported` is false. Setting an
/// unsupported control, which stops the program in Apple's implementation, has no effect.
extension CaptureDevice {
  /// How exposure is set.
  public enum ExposureMode: Int, Sendable, Hashable {
    /// Fixed.
    case locked = 0
    /// Measured once, then fixed.
    case autoExpose = 1
    /// Measured continuously.
    case continuousAutoExposure = 2
    /// By the program.
    case custom = 3
  }

  /// How the lens is focused.
  public enum FocusMode: Int, Sendable, Hashable {
    /// Fixed.
    case locked = 0
    /// Focused once, then fixed.
    case autoFocus = 1
    /// Focused continuously.
    case continuousAutoFocus = 2
  }

  /// How the white balance is set.
  public enum WhiteBalanceMode: Int, Sendable, Hashable {
    /// Fixed.
    case locked = 0
    /// Measured once, then fixed.
    case autoWhiteBalance = 1
    /// Measured continuously.
    case continuousAutoWhiteBalance = 2
  }

  /// How a lamp is used.
  public enum TorchMode: Int, Sendable, Hashable {
    /// Not at all.
    case off = 0
    /// All the time.
    case on = 1
    /// When it is dark.
    case auto = 2
  }

  /// False.
  public var hasTorch: Bool { false }
  /// False.
  public var isTorchAvailable: Bool { false }
  /// True only for off.
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

/// The color spaces of a phone's camera.
public enum AVCaptureColorSpace: Int, Sendable, Hashable {
  case sRGB = 0
  /// Display P3.
  case P3_D65 = 1
  /// BT.2020 with hybrid log-gamma.
  case HLG_BT2020 = 2
  /// Apple's logarithmic curve.
  case appleLog = 3
  /// Apple's second logarithmic curve.
  case appleLog2 = 4
}

extension CaptureDevice.Format {
  /// The selectable color spaces: none. Frames are tagged and recorded in the colors that the device reports.
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
  /// Not supported: `canSetSessionPreset` is false.
  public static let medium = Self(rawValue: "AVCaptureSessionPresetMedium")
  /// Not supported, as ``medium``.
  public static let low = Self(rawValue: "AVCaptureSessionPresetLow")
  /// Not supported, as ``medium``.
  public static let cif352x288 = Self(rawValue: "AVCaptureSessionPreset352x288")
  /// Not supported, as ``medium``.
  public static let vga640x480 = Self(rawValue: "AVCaptureSessionPreset640x480")
  /// Not supported, as ``medium``.
  public static let qHD960x540 = Self(rawValue: "AVCaptureSessionPreset960x540")
  /// Not supported, as ``medium``.
  public static let iFrame960x540 = Self(rawValue: "AVCaptureSessionPresetiFrame960x540")
  /// Not supported, as ``medium``.
  public static let iFrame1280x720 = Self(rawValue: "AVCaptureSessionPresetiFrame1280x720")
}
