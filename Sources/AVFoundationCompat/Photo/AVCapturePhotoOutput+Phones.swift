public import VideoRecorder

/// What else phones' photos can have: the answer is no, and setting one changes nothing.
extension AVCapturePhotoOutput {
  /// None: no masks are made.
  public var availableSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    []
  }
  /// None.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { [] }
    set {}
  }
  /// None: there are no Live Photos.
  public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] { [] }
  /// False: there are no Live Photos.
  public var isLivePhotoAutoTrimmingEnabled: Bool {
    get { false }
    set {}
  }
  /// False: there are no Live Photos.
  public var isLivePhotoCaptureSuspended: Bool {
    get { false }
    set {}
  }
  /// False: there are no Live Photos.
  public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
    get { false }
    set {}
  }
  /// False: no device here stands for several.
  public var isVirtualDeviceConstituentPhotoDeliverySupported: Bool { false }
  /// False.
  public var isVirtualDeviceConstituentPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False, by an older name of ``isVirtualDeviceConstituentPhotoDeliverySupported``.
  public var isDualCameraDualPhotoDeliverySupported: Bool { false }
  /// False.
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False, by an older name of ``isVirtualDeviceFusionSupported``.
  public var isDualCameraFusionSupported: Bool { false }
  /// False: nothing is watched before a photo, and no device here has a flash.
  public var isFlashScene: Bool { false }
  /// False: nothing is watched before a photo.
  public var isStillImageStabilizationScene: Bool { false }
}

extension AVCapturePhotoSettings {
  /// False: there is no depth.
  public var embedsDepthDataInPhoto: Bool {
    get { false }
    set {}
  }
  /// False: there is no depth.
  public var isDepthDataFiltered: Bool {
    get { false }
    set {}
  }
  /// False: no masks are made.
  public var embedsPortraitEffectsMatteInPhoto: Bool {
    get { false }
    set {}
  }
  /// False: no masks are made.
  public var embedsSemanticSegmentationMattesInPhoto: Bool {
    get { false }
    set {}
  }
  /// None: no masks are made.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { [] }
    set {}
  }
  /// H.264: there are no Live Photos, and setting it makes none.
  public var livePhotoVideoCodecType: AVVideoCodecType {
    get { .h264 }
    set {}
  }
  /// None: there are no Live Photos.
  public var livePhotoMovieMetadata: [AVMetadataItem]? {
    get { nil }
    set {}
  }
  /// False: see ``AVCapturePhotoOutput/isCameraCalibrationDataDeliverySupported``.
  public var isCameraCalibrationDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no device here stands for several.
  public var isAutoVirtualDeviceFusionEnabled: Bool {
    get { false }
    set {}
  }
  /// None: no device here stands for several.
  public var virtualDeviceConstituentPhotoDeliveryEnabledDevices: [AVCaptureDevice] {
    get { [] }
    set {}
  }
  /// False, by an older name of ``isAutoVirtualDeviceFusionEnabled``.
  public var isAutoDualCameraFusionEnabled: Bool {
    get { false }
    set {}
  }
  /// False: no device here stands for several.
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }
}

extension AVCaptureResolvedPhotoSettings {
  /// 0x0: RAW photos alone have thumbnails, see ``rawEmbeddedThumbnailDimensions``.
  public var embeddedThumbnailDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: no masks are made.
  public var portraitEffectsMatteDimensions: CMVideoDimensions { CMVideoDimensions() }
  /// 0x0: no masks are made.
  public func dimensionsForSemanticSegmentationMatte(
    ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  ) -> CMVideoDimensions { CMVideoDimensions() }
  /// False: no eyes are looked for.
  public var isRedEyeReductionEnabled: Bool { false }
  /// False: nothing is stabilized.
  public var isStillImageStabilizationEnabled: Bool { false }
  /// False: no device here stands for several.
  public var isVirtualDeviceFusionEnabled: Bool { false }
  /// False, by an older name of ``isVirtualDeviceFusionEnabled``.
  public var isDualCameraFusionEnabled: Bool { false }
  /// False: a lens is taken as it is.
  public var isContentAwareDistortionCorrectionEnabled: Bool { false }
  /// False: no photo gives up quality for the next one.
  public var isFastCapturePrioritizationEnabled: Bool { false }
}

/// A mask of a part of people or of the sky beside a photo. Never used here.
public final class AVSemanticSegmentationMatte: Sendable {
  private init() {}

  /// What a mask shows.
  public struct MatteType: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let skin = Self(rawValue: "AVSemanticSegmentationMatteTypeSkin")
    public static let hair = Self(rawValue: "AVSemanticSegmentationMatteTypeHair")
    public static let teeth = Self(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
    public static let glasses = Self(rawValue: "AVSemanticSegmentationMatteTypeGlasses")
  }
}

extension CaptureDevice {
  /// What a lens that moves against a hand's shaking did for a photo.
  public enum LensStabilizationStatus: Int, Sendable, Hashable {
    /// The lens cannot. Every device here.
    case unsupported = 0
    /// It was switched off.
    case off = 1
    /// It held the picture still.
    case active = 2
    /// The hand moved too far.
    case outOfRange = 3
    /// It could not be used.
    case unavailable = 4
  }
}

extension AVCapturePhoto {
  /// The picture within a RAW file: codec, width and height; nil for none, and for processed photos.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    let size = resolvedSettings.rawEmbeddedThumbnailDimensions
    guard isRawPhoto, size.width > 0, size.height > 0 else { return nil }
    return [
      AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: Int(size.width),
      AVVideoHeightKey: Int(size.height),
    ]
  }
  /// Unsupported: no lens here is told to hold still.
  public var lensStabilizationStatus: AVCaptureDevice.LensStabilizationStatus { .unsupported }
  /// Nil: no masks are made.
  public func semanticSegmentationMatte(
    for semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  ) -> AVSemanticSegmentationMatte? { nil }
  /// Nil: no photo's colors are made constant.
  public var constantColorConfidenceMap: CVPixelBuffer? { nil }
  /// 0: no photo's colors are made constant.
  public var constantColorCenterWeightedMeanConfidenceLevel: Float { 0 }
}
