public import Foundation
public import VideoRecorder

/// Automatic functions of phone cameras. No device here has them; setting them has no effect.
extension CaptureDevice {
  // MARK: Frame rate

  /// False: the frame durations determine the rate.
  public var isAutoVideoFrameRateEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Faces

  /// False: faces are not detected.
  public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
    get { false }
    set {}
  }
  /// False: faces are not detected.
  public var isFaceDrivenAutoFocusEnabled: Bool {
    get { false }
    set {}
  }
  /// False: faces are not detected.
  public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
    get { false }
    set {}
  }
  /// False: faces are not detected.
  public var isFaceDrivenAutoExposureEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Regions of interest

  private static let wholeImage = CGRect(x: 0, y: 0, width: 1, height: 1)

  /// False: cameras here choose the metering area themselves.
  public var isExposureRectOfInterestSupported: Bool { false }
  /// The whole frame, in coordinates from 0 to 1.
  public var exposureRectOfInterest: CGRect {
    get { Self.wholeImage }
    set {}
  }
  /// The size of the whole frame, in coordinates from 0 to 1.
  public var minExposureRectOfInterestSize: CGSize { Self.wholeImage.size }
  /// The whole frame, for every point.
  public func defaultRectForExposurePoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
    Self.wholeImage
  }
  /// False: cameras here choose the focus area themselves.
  public var isFocusRectOfInterestSupported: Bool { false }
  /// The whole frame, in coordinates from 0 to 1.
  public var focusRectOfInterest: CGRect {
    get { Self.wholeImage }
    set {}
  }
  /// The size of the whole frame, in coordinates from 0 to 1.
  public var minFocusRectOfInterestSize: CGSize { Self.wholeImage.size }
  /// The whole frame, for every point.
  public func defaultRectForFocusPoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
    Self.wholeImage
  }

  // MARK: Virtual devices

  /// How a phone switches between its cameras.
  public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable, Hashable {
    /// The device is one camera. Every device here.
    case unsupported = 0
    /// When the phone decides.
    case auto = 1
    /// On one of ``PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions``.
    case restricted = 2
    /// Never.
    case locked = 3
  }

  /// When a phone may switch between its cameras.
  public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable,
    Hashable
  {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The zoom changed.
    public static let videoZoomChanged = Self(rawValue: 1)
    /// The focus mode changed.
    public static let focusModeChanged = Self(rawValue: 2)
    /// The exposure mode changed.
    public static let exposureModeChanged = Self(rawValue: 4)
  }

  /// Unsupported: there are no virtual devices here.
  public var primaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
    .unsupported
  }
  /// Unsupported, as ``primaryConstituentDeviceSwitchingBehavior``.
  public var activePrimaryConstituentDeviceSwitchingBehavior:
    PrimaryConstituentDeviceSwitchingBehavior
  { .unsupported }
  /// None.
  public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
    PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  { [] }
  /// None.
  public var activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
    PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  { [] }
  /// Has no effect.
  public func setPrimaryConstituentDeviceSwitchingBehavior(
    _ switchingBehavior: PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions:
      PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {}
  /// None: there are no virtual devices here.
  public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] { [] }
  /// None: there are no virtual devices here.
  public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] {
    get { [] }
    set {}
  }
}

extension CaptureMovieFileOutput {
  /// Unsupported: there are no virtual devices here.
  public var primaryConstituentDeviceSwitchingBehaviorForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
  { .unsupported }
  /// None.
  public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  { [] }
  /// Has no effect.
  public func setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
    _ switchingBehavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions:
      AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {}
}

extension CaptureDevice.Format {
  /// False: the frame durations determine the rate.
  public var isAutoVideoFrameRateSupported: Bool { false }
  /// Nil: nothing is recommended.
  public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? { nil }
  /// Nil: nothing is recommended.
  public var systemRecommendedExposureBiasRange: ClosedRange<Float>? { nil }
  /// None: no frame is cropped from a larger one.
  public var secondaryNativeResolutionZoomFactors: [CGFloat] { [] }
  /// None: no device here measures depth.
  public var supportedVideoZoomRangesForDepthDataDelivery: [ClosedRange<CGFloat>] { [] }
  /// None: no device here measures depth.
  public var supportedVideoZoomFactorsForDepthDataDelivery: [CGFloat] { [] }
}
