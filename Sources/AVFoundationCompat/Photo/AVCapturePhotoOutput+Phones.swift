public import VideoRecorder

/// Features of phones' cameras that are unavailable here. Setting a property has no effect.
extension AVCapturePhotoOutput {
  /// None: mattes are not made.
  public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    []
  }
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { [] }
    set {}
  }
  /// None: Live Photos are not supported.
  public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] { [] }
  /// False: Live Photos are not supported.
  public var isLivePhotoAutoTrimmingEnabled: Bool {
    get { false }
    set {}
  }
  /// False: Live Photos are not supported.
  public var isLivePhotoCaptureSuspended: Bool {
    get { false }
    set {}
  }
  /// False: Live Photos are not supported.
  public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
    get { false }
    set {}
  }
  /// False: there are no virtual devices.
  public var isVirtualDeviceConstituentPhotoDeliverySupported: Bool { false }
  public var isVirtualDeviceConstituentPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// Older name of ``isVirtualDeviceConstituentPhotoDeliverySupported``.
  public var isDualCameraDualPhotoDeliverySupported: Bool { false }
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// Older name of ``isVirtualDeviceFusionSupported``.
  public var isDualCameraFusionSupported: Bool { false }
  /// False: scenes are not monitored, and no device has a flash.
  public var isFlashScene: Bool { false }
  /// False: scenes are not monitored.
  public var isStillImageStabilizationScene: Bool { false }
}

extension AVCapturePhotoSettings {
  /// False: depth is not supported.
  public var embedsDepthDataInPhoto: Bool {
    get { false }
    set {}
  }
  /// False: depth is not supported.
  public var isDepthDataFiltered: Bool {
    get { false }
    set {}
  }
  /// False: mattes are not made.
  public var embedsPortraitEffectsMatteInPhoto: Bool {
    get { false }
    set {}
  }
  /// False: mattes are not made.
  public var embedsSemanticSegmentationMattesInPhoto: Bool {
    get { false }
    set {}
  }
  /// None: mattes are not made.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { [] }
    set {}
  }
  /// H.264. It has no effect: Live Photos are not supported.
  public var livePhotoVideoCodecType: AVVideoCodecType {
    get { .h264 }
    set {}
  }
  /// None: Live Photos are not supported.
  public var livePhotoMovieMetadata: [AVMetadataItem]? {
    get { nil }
    set {}
  }
  /// False: see ``AVCapturePhotoOutput/isCameraCalibrationDataDeliverySupported``.
  public var isCameraCalibrationDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False: there are no virtual devices.
  public var isAutoVirtualDeviceFusionEnabled: Bool {
    get { false }
    set {}
  }
  /// None: there are no virtual devices.
  public var virtualDeviceConstituentPhotoDeliveryEnabledDevices: [AVCaptureDevice] {
    get { [] }
    set {}
  }
  /// Older name of ``isAutoVirtualDeviceFusionEnabled``.
  public var isAutoDualCameraFusionEnabled: Bool {
    get { false }
    set {}
  }
  /// False: there are no virtual devices.
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
}

extension AVCaptureResolvedPhotoSettings {
  /// 0x0: only RAW photos have thumbnails, see ``rawEmbeddedThumbnailDimensions``.
  public var embeddedThumbnailDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: mattes are not made.
  public var portraitEffectsMatteDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: mattes are not made.
  public func dimensionsForSemanticSegmentationMatte(
    ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  ) -> CMVideoDimensions { CMVideoDimensions() }
  /// False: red-eye reduction is not supported.
  public var isRedEyeReductionEnabled: Bool { false }
  /// False: stabilization is not supported.
  public var isStillImageStabilizationEnabled: Bool { false }
  /// False: there are no virtual devices.
  public var isVirtualDeviceFusionEnabled: Bool { false }
  /// Older name of ``isVirtualDeviceFusionEnabled``.
  public var isDualCameraFusionEnabled: Bool { false }
  /// False: lens distortion is not corrected.
  public var isContentAwareDistortionCorrectionEnabled: Bool { false }
  /// False: quality is never reduced for faster captures.
  public var isFastCapturePrioritizationEnabled: Bool { false }
}

/// A matte of parts of people or of the sky. Never made here.
public final class AVSemanticSegmentationMatte: Sendable {
  private init() {}

  /// The subject of a matte.
  public struct MatteType: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let skin = Self(rawValue: "AVSemanticSegmentationMatteTypeSkin")
    public static let hair = Self(rawValue: "AVSemanticSegmentationMatteTypeHair")
    public static let teeth = Self(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
    public static let glasses = Self(rawValue: "AVSemanticSegmentationMatteTypeGlasses")
  }
}

extension CaptureDevice {
  /// What optical lens stabilization did for a photo.
  public enum LensStabilizationStatus: Int, Sendable, Hashable {
    /// The lens has none: every device here.
    case unsupported = 0
    /// It was off.
    case off = 1
    /// It stabilized the image.
    case active = 2
    /// The camera moved too far.
    case outOfRange = 3
    case unavailable = 4
  }
}

extension AVCapturePhoto {
  /// The thumbnail in a RAW file: codec, width and height; nil for none and for processed photos.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    let size = resolvedSettings.rawEmbeddedThumbnailDimensions
    guard isRawPhoto, size.width > 0, size.height > 0 else { return nil }
    return [
      AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: Int(size.width),
      AVVideoHeightKey: Int(size.height),
    ]
  }
  /// Always unsupported.
  public var lensStabilizationStatus: AVCaptureDevice.LensStabilizationStatus { .unsupported }
  /// Nil: mattes are not made.
  public func semanticSegmentationMatte(
    for semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  ) -> AVSemanticSegmentationMatte? { nil }
  /// Nil: constant color is not supported.
  public var constantColorConfidenceMap: CVPixelBuffer? { nil }
  /// 0: constant color is not supported.
  public var constantColorCenterWeightedMeanConfidenceLevel: Float { 0 }
}
