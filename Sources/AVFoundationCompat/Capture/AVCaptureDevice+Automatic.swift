public import Foundation
public import VideoRecorder

/// What phones' cameras decide by themselves: no device here does, and what is set nevertheless changes nothing.
extension CaptureDevice {
  // MARK: Frame rate

  /// False: the rate is that of the frame durations.
  public var isAutoVideoFrameRateEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Faces

  /// False: no face is looked for.
  public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no face is looked for.
  public var isFaceDrivenAutoFocusEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no face is looked for.
  public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no face is looked for.
  public var isFaceDrivenAutoExposureEnabled: Bool {
    get { false }
    set {}
  }

  // MARK: Parts of the picture

  private static let wholePicture = CGRect(x: 0, y: 0, width: 1, height: 1)

  /// False: cameras here measure where they like.
  public var isExposureRectOfInterestSupported: Bool { false }
  /// The whole picture, from 0 to 1.
  public var exposureRectOfInterest: CGRect {
    get { Self.wholePicture }
    set {}
  }
  /// The whole picture's, from 0 to 1.
  public var minExposureRectOfInterestSize: CGSize { Self.wholePicture.size }
  /// The whole picture, for every point.
  public func defaultRectForExposurePoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
    Self.wholePicture
  }
  /// False: cameras here focus where they like.
  public var isFocusRectOfInterestSupported: Bool { false }
  /// The whole picture, from 0 to 1.
  public var focusRectOfInterest: CGRect {
    get { Self.wholePicture }
    set {}
  }
  /// The whole picture's, from 0 to 1.
  public var minFocusRectOfInterestSize: CGSize { Self.wholePicture.size }
  /// The whole picture, for every point.
  public func defaultRectForFocusPoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
    Self.wholePicture
  }

  // MARK: Devices that stand for several

  /// How a phone changes from one of its cameras to another.
  public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable, Hashable {
    /// The device is one camera. Every device here.
    case unsupported = 0
    /// When the phone thinks it best.
    case auto = 1
    /// When something of ``PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions`` happens.
    case restricted = 2
    /// Never.
    case locked = 3
  }

  /// When a phone may change from one of its cameras to another.
  public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable,
    Hashable
  {
    /// Apple's number.
    public let rawValue: UInt
    /// Conditions from their number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The zoom changed.
    public static let videoZoomChanged = Self(rawValue: 1)
    /// The way of focusing changed.
    public static let focusModeChanged = Self(rawValue: 2)
    /// The way of exposing changed.
    public static let exposureModeChanged = Self(rawValue: 4)
  }

  /// Unsupported: no device here stands for several.
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
  /// Changes nothing.
  public func setPrimaryConstituentDeviceSwitchingBehavior(
    _ switchingBehavior: PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions:
      PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {}
  /// None: no device here stands for several.
  public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] { [] }
  /// None: no device here stands for several.
  public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] {
    get { [] }
    set {}
  }
}

extension CaptureMovieFileOutput {
  /// Unsupported: no device here stands for several.
  public var primaryConstituentDeviceSwitchingBehaviorForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior
  { .unsupported }
  /// None.
  public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording:
    AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  { [] }
  /// Changes nothing.
  public func setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
    _ switchingBehavior: AVCaptureDevice.PrimaryConstituentDeviceSwitchingBehavior,
    restrictedSwitchingBehaviorConditions:
      AVCaptureDevice.PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
  ) {}
}

extension CaptureDevice.Format {
  /// False: the rate is that of the frame durations.
  public var isAutoVideoFrameRateSupported: Bool { false }
  /// Nil: nothing is recommended.
  public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? { nil }
  /// Nil: nothing is recommended.
  public var systemRecommendedExposureBiasRange: ClosedRange<Float>? { nil }
  /// None: no picture is cut out of a larger one.
  public var secondaryNativeResolutionZoomFactors: [CGFloat] { [] }
  /// None: no device here measures depth.
  public var supportedVideoZoomRangesForDepthDataDelivery: [ClosedRange<CGFloat>] { [] }
  /// None: no device here measures depth.
  public var supportedVideoZoomFactorsForDepthDataDelivery: [CGFloat] { [] }
}
